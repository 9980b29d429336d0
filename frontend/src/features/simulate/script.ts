/** Scripts as text: read, extend, and told in words (docs/contracts.md, section 2). Pure. */
import type { Draft, Json, Slot } from "../../model/draft";

export type Line = { [key: string]: Json };

export type ParsedScript =
  | { ok: true; lines: Line[]; slots: Line | null; at: string | null }
  | { ok: false; message: string };

const VERBS = ["event", "propose", "caller", "agent", "set", "advance", "expect"] as const;

function isLine(value: unknown): value is Line {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

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

function shown(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function proposalInWords(proposal: Json | undefined): string {
  if (!isLine(proposal)) return "a proposal";
  if (proposal.transition !== undefined) return `propose ${shown(proposal.transition)}`;
  if (isLine(proposal.set_slot)) return `propose ${shown(proposal.set_slot.slot)} = ${shown(proposal.set_slot.value)}`;
  if (proposal.handoff !== undefined) return `propose a handoff to ${shown(proposal.handoff)}`;
  return "a proposal";
}

/** `refused type`, `active triage, given`, `slots topic = refund`: what is looked at, and what it should be. */
function expectationInWords(expected: Json | undefined): string {
  if (!isLine(expected)) return shown(expected);
  const parts = Object.entries(expected).map(([name, value]) => {
    if (Array.isArray(value)) return `${name} ${value.map(shown).join(", ")}`;
    if (isLine(value)) return `${name} ${Object.entries(value).map(([key, one]) => `${key} = ${shown(one)}`).join(", ")}`;
    return `${name} ${shown(value)}`;
  });
  return parts.join("; ");
}

/** A line in words, for the list of steps. */
export function inWords(line: Line): string {
  if (line.event !== undefined) return shown(line.event);
  if (line.propose !== undefined) return proposalInWords(line.propose);
  if (line.caller !== undefined) return `caller: “${shown(line.caller)}”`;
  if (line.agent !== undefined) return `agent: “${shown(line.agent)}”`;
  if (isLine(line.set)) return `set ${shown(line.set.slot)} = ${shown(line.set.value)}`;
  if (line.advance !== undefined) return `${shown(line.advance)} pass`;
  if (line.expect !== undefined) return `expect ${expectationInWords(line.expect)}`;
  if (line.timer !== undefined) return `timer ${shown(line.timer)}`;
  return "start";
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
