/** What of a Call is lit on its chart. Pure: rows, a moment and an event in, marks out. */
import type { Draft, Id, Json, Transition } from "../../model/draft";
import type { Lookup } from "../../model/lookup";
import type { Allowed, CallEvent } from "../../model/step";
import type { Mark, MarkKind } from "../../store/marks";
import type { Moment } from "./replay";

export type Lit = [MarkKind, Id, Mark];

function keysIn(value: Json | undefined, field: string): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    const key = typeof one === "object" && one !== null && !Array.isArray(one) ? one[field] : undefined;
    return typeof key === "string" ? [key] : [];
  });
}

function hears(transition: Transition, event: string): boolean {
  const names = typeof transition.on.event === "string" ? [transition.on.event] : (transition.on.event ?? []);
  return names.includes(event);
}

/** The transitions a refusal is about: those it names with their guards, else those that wait for the event in its states. */
export function refusedTransitions(event: CallEvent, rows: Draft, lookup: Lookup): Id[] {
  if (event.type !== "transition.refused" || event.data.reason === "undeclared") return [];
  const named = keysIn(event.data.guards, "transition").concat(typeof event.data.transition === "string" ? [event.data.transition] : []);
  const ids = named.flatMap((key) => lookup.transition.get(key) ?? []);
  if (ids.length > 0) return ids;
  const states = Array.isArray(event.data.states) ? event.data.states.flatMap((key) => lookup.state.get(String(key))?.id ?? []) : [];
  const aim = String(event.data.event ?? event.data.proposal ?? "");
  const target = lookup.state.get(aim)?.id;
  return rows.transitions
    .filter((transition) => states.includes(transition.source) && (hears(transition, aim) || (target !== undefined && transition.target === target)))
    .map((transition) => transition.id);
}

/** What one event lights up for a second. */
export function flashOf(event: CallEvent, rows: Draft, lookup: Lookup): Lit[] {
  if (event.type === "transition.taken") {
    const id = lookup.transition.get(String(event.data.transition));
    return id ? [["transition", id, { flash: "taken" }]] : [];
  }
  if (event.type === "guard.error") {
    const id = lookup.transition.get(String(event.data.transition));
    return id ? [["transition", id, { flash: "error" }]] : [];
  }
  return refusedTransitions(event, rows, lookup).map((id): Lit => ["transition", id, { flash: "refused" }]);
}

/** Transitions out of active states that could be taken now, by what the server allows. */
function possible(rows: Draft, active: ReadonlySet<Id>, allowed: readonly Allowed[]): Id[] {
  const events = new Set(allowed.filter((one) => one.allowed).map((one) => one.key));
  return rows.transitions.filter((transition) => active.has(transition.source) && [...events].some((event) => hears(transition, event))).map((transition) => transition.id);
}

/** Everything that is lit at a moment. `allowed` only when the moment is now. */
export function litAt(moment: Moment, rows: Draft, lookup: Lookup, allowed: readonly Allowed[] | null): Lit[] {
  const lit: Lit[] = [];
  const active = new Set(moment.active.flatMap((key) => lookup.state.get(key)?.id ?? []));
  for (const [key, visited] of Object.entries(moment.visits)) {
    const state = lookup.state.get(key);
    if (state) lit.push(["state", state.id, { visited }]);
  }
  for (const id of active) lit.push(["state", id, moment.ended ? { visited: 1 } : { active: "live" }]);
  for (const [key, visited] of Object.entries(moment.taken)) {
    const id = lookup.transition.get(key);
    if (id) lit.push(["transition", id, { visited }]);
  }
  if (allowed) for (const id of possible(rows, active, allowed)) lit.push(["transition", id, { possible: true }]);
  return lit;
}
