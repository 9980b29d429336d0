/** What a step of a dry run shows on the canvas and in its list. Pure. */
import type { Lookup } from "../../model/lookup";
import type { Draft, Id, Json, State } from "../../model/draft";
import { nameOf } from "../../model/names";
import { laneOf } from "../../model/tree";
import type { Step } from "../../model/step";

export interface StepMarks {
  active: Id[];
  taken: Id[];
  refused: Id[];
  failed: Id[];
  /** The state this step entered last, if it entered one. */
  entered: Id | null;
  /** Visits by state id up to and with this step. */
  visited: Map<Id, number>;
}

function ids(keys: Iterable<string>, table: ReadonlyMap<string, Id>): Id[] {
  return [...keys].flatMap((key) => table.get(key) ?? []);
}

function keysOf(step: Step, type: string, field: string): string[] {
  return step.records.filter((record) => record.type === type).flatMap((record) => {
    const key = record.data[field];
    return typeof key === "string" ? [key] : [];
  });
}

function isDeclared(step: Step): boolean {
  return step.refusal !== null && step.refusal.reason !== "undeclared";
}

/** The transitions a refused step would have taken: those whose guard was asked and said no. */
function refusedKeys(step: Step): string[] {
  if (!isDeclared(step)) return [];
  return step.guards.filter((guard) => guard.outcome === "false").map((guard) => guard.transition);
}

export function marksOf(steps: readonly Step[], index: number, lookup: Lookup): StepMarks {
  const step = steps[index];
  const states = new Map([...lookup.state].map(([key, state]) => [key, state.id]));
  const visited = new Map<Id, number>();
  for (const past of steps.slice(0, index + 1)) {
    for (const id of ids(keysOf(past, "state.entered", "state"), states)) visited.set(id, (visited.get(id) ?? 0) + 1);
  }
  if (!step) return { active: [], taken: [], refused: [], failed: [], entered: null, visited };
  return {
    active: ids(step.active, states),
    taken: ids(keysOf(step, "transition.taken", "transition"), lookup.transition),
    refused: ids(refusedKeys(step), lookup.transition),
    failed: ids(step.guards.filter((guard) => guard.outcome === "error").map((guard) => guard.transition), lookup.transition),
    entered: ids(keysOf(step, "state.entered", "state"), states).at(-1) ?? null,
    visited,
  };
}

/** Where the conversation is: the innermost active state of the speaker's lane, else of any. */
export function whereIs(rows: Draft, lookup: Lookup, active: readonly string[]): State | undefined {
  const states = active.flatMap((key) => lookup.state.get(key) ?? []);
  const spoken = states.filter((state) => laneOf(rows, state.id)?.role === "speaker");
  return (spoken.length > 0 ? spoken : states).at(-1);
}

/** Its name, or nothing. */
export function whereIn(rows: Draft, lookup: Lookup, active: readonly string[]): string {
  const state = whereIs(rows, lookup, active);
  return state ? nameOf(state) : "";
}

export interface SlotChange {
  slot: string;
  from: Json;
  to: Json;
}

/** Slots that differ from the step before. */
export function slotChanges(before: Step["slots"] | undefined, after: Step["slots"]): SlotChange[] {
  const earlier = before ?? {};
  const keys = new Set([...Object.keys(earlier), ...Object.keys(after)]);
  return [...keys].flatMap((slot) => {
    const from = earlier[slot] ?? null;
    const to = after[slot] ?? null;
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ slot, from, to }];
  });
}

export type StepTone = "unmet" | "refused" | "moved" | "quiet";

/** An expectation that is not met outweighs all else. */
export function toneOf(step: Step): StepTone {
  if (step.expectation && !step.expectation.met) return "unmet";
  if (step.refusal) return "refused";
  return step.moved ? "moved" : "quiet";
}
