/**
 * What a Call looked like after any of its Call events, rebuilt from the events alone. Pure: events in, a moment out.
 *
 * Law (tests/live/replay.test.ts): the moment after all events equals what the server says of the Call now.
 */
import type { Json } from "../../model/draft";
import type { CallEvent } from "../../model/step";

export interface Counters {
  turns: number;
  transitions: number;
  refusals: number;
}

export interface Moment {
  /** The last event that was applied; 0 = before the first. */
  seq: number;
  at: string | null;
  /** Keys of the active states, oldest entry first. */
  active: readonly string[];
  slots: Readonly<Record<string, Json>>;
  /** How often each state was entered, by key. */
  visits: Readonly<Record<string, number>>;
  /** How often each transition was taken, by key. */
  taken: Readonly<Record<string, number>>;
  counters: Counters;
  ended: boolean;
  outcome: string | null;
}

export const nothing: Moment = {
  seq: 0, at: null, active: [], slots: {}, visits: {}, taken: {},
  counters: { turns: 0, transitions: 0, refusals: 0 }, ended: false, outcome: null,
};

function text(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function bump(counts: Readonly<Record<string, number>>, key: string): Record<string, number> {
  return { ...counts, [key]: (counts[key] ?? 0) + 1 };
}

type Rule = (moment: Moment, event: CallEvent) => Partial<Moment>;

function turn(moment: Moment): Partial<Moment> {
  return { counters: { ...moment.counters, turns: moment.counters.turns + 1 } };
}

/** One row a type that changes what is seen; other types only move the position. */
const rules: Readonly<Record<string, Rule>> = {
  "call.started": (_, event) => {
    const slots = event.data.slots;
    return slots && typeof slots === "object" && !Array.isArray(slots) ? { slots } : {};
  },
  "call.ended": (_, event) => ({ ended: true, outcome: text(event.data.outcome) }),
  "turn.caller": turn,
  "state.entered": (moment, event) => {
    const state = text(event.data.state);
    if (state === null) return {};
    const visits = typeof event.data.visits === "number" ? { ...moment.visits, [state]: event.data.visits } : bump(moment.visits, state);
    return { active: [...moment.active.filter((key) => key !== state), state], visits };
  },
  "state.exited": (moment, event) => ({ active: moment.active.filter((key) => key !== event.data.state) }),
  "transition.taken": (moment, event) => ({
    taken: bump(moment.taken, text(event.data.transition) ?? ""),
    counters: { ...moment.counters, transitions: moment.counters.transitions + 1 },
  }),
  "transition.refused": (moment) => ({ counters: { ...moment.counters, refusals: moment.counters.refusals + 1 } }),
  "slot.set": (moment, event) => {
    const slot = text(event.data.slot);
    return slot === null ? {} : { slots: { ...moment.slots, [slot]: event.data.to ?? null } };
  },
};

/** The moment after one more event. An event that was applied already changes nothing. */
export function apply(moment: Moment, event: CallEvent): Moment {
  if (event.seq <= moment.seq) return moment;
  const change = rules[event.type]?.(moment, event) ?? {};
  return { ...moment, ...change, seq: event.seq, at: event.at };
}

/** The moment after the last event whose seq is at most `upTo` (all of them when left out). */
export function momentAt(events: readonly CallEvent[], upTo: number = Number.POSITIVE_INFINITY): Moment {
  let moment = nothing;
  for (const event of events) {
    if (event.seq > upTo) break;
    moment = apply(moment, event);
  }
  return moment;
}

export type Tick = "transition" | "refused" | "decision" | "handoff" | "limit" | "slot" | "other";

const tickOfType: Readonly<Record<string, Tick>> = {
  "transition.taken": "transition",
  "transition.refused": "refused",
  "guard.error": "refused",
  "effect.error": "refused",
  "handoff.completed": "handoff",
  "machine.limit_reached": "limit",
  "slot.set": "slot",
};

/** The shape an event has on the slider. */
export function tickOf(event: CallEvent): Tick {
  if (event.type.startsWith("decision.")) return "decision";
  return tickOfType[event.type] ?? "other";
}

/** The nearest refusal before or after a position, or null. */
export function nextRefusal(events: readonly CallEvent[], from: number, direction: 1 | -1): number | null {
  const refused = events.filter((event) => event.type === "transition.refused").map((event) => event.seq);
  const candidates = refused.filter((seq) => (direction === 1 ? seq > from : seq < from));
  return (direction === 1 ? candidates[0] : candidates.at(-1)) ?? null;
}
