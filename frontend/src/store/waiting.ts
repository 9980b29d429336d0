/** Batches the server has not answered yet: kept for this tab, so that a reload while it is away loses nothing. */
import type { Operation } from "../model";
import { redone, remember, undone, type History } from "./history";

export interface Waiting {
  id: string;
  operations: readonly Operation[];
  label: string;
  /** What leads back, as far as the page can tell. */
  inverse: Operation[];
  undoes?: string;
  redoes?: string;
}

const place = (agent: string): string => `callchart.waiting.${agent}`;

export function saveWaiting(agent: string, waiting: readonly Waiting[]): void {
  try {
    if (waiting.length > 0) sessionStorage.setItem(place(agent), JSON.stringify(waiting));
    else sessionStorage.removeItem(place(agent));
  } catch {
    // A full or forbidden storage costs what is typed during a reload while the server is away, nothing else.
  }
}

export function loadWaiting(agent: string): Waiting[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place(agent)) ?? "[]") as Waiting[];
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** The history once a batch is done. */
export function withBatch(history: History, { id, label, inverse, undoes, redoes }: Waiting): History {
  const entry = { id, label, operations: inverse };
  if (undoes) return undone(history, undoes, entry);
  return redoes ? redone(history, redoes, entry) : remember(history, entry);
}

/** The history of the server with what still waits on top; what it has already is not done twice. */
export function withWaiting(history: History, waiting: readonly Waiting[]): History {
  return waiting.reduce((now, batch) => {
    const known = [...now.undo, ...now.redo].some((entry) => entry.id === batch.id);
    return known ? now : withBatch(now, batch);
  }, history);
}
