/** Scripts as text: read, extend, and told in words (docs/contracts.md, section 2). Pure. */
import type { Draft, Json, Slot } from "../../model/draft";
import { isLine, type Line } from "../../model/lines";

export { inWords, type Line } from "../../model/lines";

export type ParsedScript =
  | { ok: true; lines: Line[]; slots: Line | null; at: string | null }
  | { ok: false; message: string };

const VERBS = ["event", "propose", "caller", "agent", "set", "advance", "expect"] as const;

function faultOf(line: unknown, number: number): string | null {
  if (!isLine(line)) return `Line ${number} is not an object.`;
  const verbs = VERBS.filter((verb) => verb in line);
  if (verbs.length === 1) return null;
  if (verbs.length === 0) return `Line ${number} says nothing to do: give it one of ${VERBS.join(", ")}.`;
  return `Line ${number} says ${verbs.join(" and ")}: a line is exactly one of them.`;
}

/** Reads a script, or says in one sentence what is wrong with it and where. */
export function parseScript(source: string): ParsedScript {
  let value: unknown;
  try {
    value = JSON.parse(source.trim() === "" ? "[]" : source);
  } catch (error) {
    return { ok: false, message: `This is not JSON yet: ${error instanceof Error ? error.message : String(error)}` };
  }
  const whole = isLine(value) ? value : { script: value as Json };
  const script = whole.script;
  if (!Array.isArray(script)) return { ok: false, message: 'A script is a list of lines, or an object with a list called "script".' };
  for (const [index, line] of script.entries()) {
    const fault = faultOf(line, index + 1);
    if (fault) return { ok: false, message: fault };
  }
  return {
    ok: true,
    lines: script.filter(isLine),
    slots: isLine(whole.slots) ? whole.slots : null,
    at: typeof whole.at === "string" ? whole.at : null,
  };
}

/** One line of JSON a script line: short enough to read, still JSON. */
export function formatScript(lines: readonly Line[]): string {
  if (lines.length === 0) return "[]\n";
  return `[\n${lines.map((line) => `  ${JSON.stringify(line)}`).join(",\n")}\n]\n`;
}

/** The script with one more line at its end; a text that cannot be read is left alone. */
export function withLine(source: string, line: Line): string {
  const parsed = parseScript(source);
  if (!parsed.ok) return source;
  if (parsed.slots === null && parsed.at === null) return formatScript([...parsed.lines, line]);
  const head: Line = { ...(parsed.at ? { at: parsed.at } : {}), ...(parsed.slots ? { slots: parsed.slots } : {}) };
  return `${JSON.stringify({ ...head, script: [...parsed.lines, line] }, null, 2)}\n`;
}

export interface Suggestion {
  label: string;
  line: Line;
}

const SAMPLE: Readonly<Partial<Record<Slot["type"], Json>>> = {
  integer: 1, number: 1, boolean: true, list: [], date: "2026-11-30", time: "10:00:00", datetime: "2026-11-30T10:00:00Z",
  duration: "20s", email: "mira@example.org", phone: "+442071838750",
};

/** A value that fits the slot's type, to start from. */
export function sampleOf(slot: Slot): Json {
  if (slot.default !== null) return slot.default;
  if (slot.type === "enum") return slot.choices[0] ?? "";
  return SAMPLE[slot.type] ?? "text";
}

/** What the chart can hear: each event and proposal once, in document order, then turns, slots and time. */
export function suggestionsOf(draft: Pick<Draft, "transitions" | "states" | "slots">): { events: Suggestion[]; proposals: Suggestion[]; slots: Suggestion[]; others: Suggestion[] } {
  const events = new Set<string>();
  const proposals = new Map<string, string>();
  const nameOf = new Map(draft.states.map((state) => [state.id, state]));
  for (const { on, target, key, label } of draft.transitions) {
    for (const name of typeof on.event === "string" ? [on.event] : (on.event ?? [])) if (!name.includes("*")) events.add(name);
    const state = target ? nameOf.get(target) : undefined;
    const aim = state?.key ?? key;
    if (on.propose !== undefined && aim) proposals.set(aim, label ?? state?.label ?? aim);
  }
  return {
    events: [...events].filter((name) => name !== "turn.caller").map((event) => ({ label: event, line: { event } })),
    proposals: [...proposals].map(([transition, label]) => ({ label, line: { propose: { transition } } })),
    slots: draft.slots.map((slot) => ({ label: `${slot.key} = …`, line: { set: { slot: slot.key, value: sampleOf(slot) } } })),
    others: [
      { label: "The caller speaks", line: { caller: "Hello" } },
      { label: "20 seconds pass", line: { advance: "20s" } },
      { label: "Expect a state", line: { expect: { active: draft.states[0]?.key ?? "state" } } },
    ],
  };
}
