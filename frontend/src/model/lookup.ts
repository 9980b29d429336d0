/**
 * From the keys a Call or a dry run speaks of to the ids of rows. State keys are unique in a machine;
 * a transition without a key is called `<source>_<n>` (docs/contracts.md, section 1), n from 1 in its source.
 */
import type { Draft, Id, Slot, State } from "./draft";

export interface Lookup {
  state: ReadonlyMap<string, State>;
  region: ReadonlyMap<string, Id>;
  transition: ReadonlyMap<string, Id>;
  slot: ReadonlyMap<string, Slot>;
}

type Rows = Pick<Draft, "regions" | "states" | "transitions" | "slots">;

function transitionIds(rows: Rows): Map<string, Id> {
  const keyOf = new Map<Id, string>([...rows.regions, ...rows.states].map((row) => [row.id, row.key]));
  const places = new Map<Id, number>();
  const ids = new Map<string, Id>();
  for (const transition of rows.transitions) {
    const place = (places.get(transition.source) ?? 0) + 1;
    places.set(transition.source, place);
    ids.set(transition.key ?? `${keyOf.get(transition.source) ?? ""}_${place}`, transition.id);
  }
  return ids;
}

export function lookupOf(rows: Rows): Lookup {
  return {
    state: new Map(rows.states.map((state) => [state.key, state])),
    region: new Map(rows.regions.map((region) => [region.key, region.id])),
    transition: transitionIds(rows),
    slot: new Map(rows.slots.map((slot) => [slot.key, slot])),
  };
}
