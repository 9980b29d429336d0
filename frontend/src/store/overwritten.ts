/** Two people write the same field: the later one wins, and the earlier one is told what became of their words. */
import type { Operation } from "../model";

const REMEMBERED_MS = 5 * 60_000;

interface Written {
  value: string;
  at: number;
}

/** The fields an operation writes: where, which, and what. */
function* fieldsOf(operation: Operation): Generator<[string, string, unknown]> {
  if (!operation.op.endsWith(".update") || !("fields" in operation) || operation.fields === null) return;
  const at = "id" in operation ? operation.id : "key" in operation ? `${operation.list} ${operation.key}` : operation.op;
  for (const [name, value] of Object.entries(operation.fields)) yield [`${at} ${name}`, name, value];
}

const said = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

export class Overwritten {
  private readonly written = new Map<string, Written>();
  private readonly mine = new Set<string>();
  private readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** Remembers what this person wrote. */
  wrote(batch: string, operations: readonly Operation[]): void {
    this.mine.add(batch);
    for (const operation of operations) {
      for (const [place, , value] of fieldsOf(operation)) this.written.set(place, { value: JSON.stringify(value), at: this.now() });
    }
  }

  /** Sentences about what a batch of somebody else wrote over; each is said once. */
  by(batch: string, operations: readonly Operation[]): string[] {
    if (this.mine.has(batch)) return [];
    const lost: string[] = [];
    for (const operation of operations) {
      for (const [place, name, value] of fieldsOf(operation)) {
        const before = this.written.get(place);
        if (!before) continue;
        this.written.delete(place);
        if (before.value === JSON.stringify(value) || this.now() - before.at > REMEMBERED_MS) continue;
        lost.push(`${name}: you wrote “${said(JSON.parse(before.value))}”, it now says “${said(value)}”. Undo brings yours back.`);
      }
    }
    return lost;
  }
}
