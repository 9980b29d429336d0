/**
 * Operations on a draft: the same ones the server takes (docs/contracts.md, section 5), applied and
 * inverted here so that an edit is on the screen before the server has answered.
 *
 * Laws (tests/model/operations.test.ts): `apply` never changes its argument; applying `invert(draft, op)`
 * to `apply(draft, op)` gives a draft equal to the first; an operation on what is gone throws `GoneError`.
 */
import type { Box, Draft, Id, Limits, Region, Settings, Slot, State, Transition } from "./draft";

export type RowKind = "region" | "state" | "transition" | "slot";

export type Operation =
  | { op: "region.add"; id: Id; parent: Id | null; index?: number; fields: Partial<Region> }
  | { op: "state.add"; id: Id; region: Id; index?: number; fields: Partial<State> }
  | { op: "transition.add"; id: Id; source: Id; index?: number; fields: Partial<Transition> }
  | { op: "slot.add"; id: Id; index?: number; fields: Partial<Slot> }
  | { op: "region.update"; id: Id; fields: Partial<Region> }
  | { op: "state.update"; id: Id; fields: Partial<State> }
  | { op: "transition.update"; id: Id; fields: Partial<Transition> }
  | { op: "slot.update"; id: Id; fields: Partial<Slot> }
  | { op: "region.move"; id: Id; parent: Id | null; index?: number }
  | { op: "state.move"; id: Id; region: Id; index?: number }
  | { op: "transition.move"; id: Id; source: Id; index?: number }
  | { op: "slot.move"; id: Id; index?: number }
  | { op: "region.remove" | "state.remove" | "transition.remove" | "slot.remove"; id: Id }
  | { op: "limits.update"; fields: Partial<Limits> }
  | { op: "settings.update"; fields: Partial<Settings> }
  | { op: "layout.set"; id: Id; fields: Partial<Box> | null };
