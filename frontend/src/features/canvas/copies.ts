/** Copy, paste, duplicate: states with what they hold and the transitions between them, as one batch. */
import {
  indexOf,
  regionKeys,
  stateKeys,
  uniqueKey,
  type Box,
  type Draft,
  type Id,
  type Operation,
  type Region,
  type State,
  type Subject,
  type Transition,
} from "../../model";
import { freePlace, type Geometry } from "./arrange";

/** What was copied; plain data, so that it can go to another tab and another agent. */
export interface Clip {
  /** Outer ones first. */
  states: State[];
  regions: Region[];
  transitions: Transition[];
  boxes: { [id: Id]: Box };
  /** States that were in no other copied one. */
  outer: Id[];
}

/** What is selected, as a clip; null when no state is. */
export function clipOf(draft: Draft, picture: Geometry, selection: readonly Subject[]): Clip | null {
  const index = indexOf(draft);
  const clip: Clip = { states: [], regions: [], transitions: [], boxes: {}, outer: [] };
  const taken = new Set<Id>();
  const take = (state: State): void => {
    if (taken.has(state.id)) return;
    taken.add(state.id);
    clip.states.push(state);
    const box = picture.boxes.get(state.id);
    if (box) clip.boxes[state.id] = box;
    for (const region of index.regionsOf.get(state.id) ?? []) {
      clip.regions.push(region);
      for (const inner of index.statesOf.get(region.id) ?? []) take(inner);
    }
  };
  const picked = selection.flatMap((one) => (one.kind === "state" ? (index.state.get(one.id) ?? []) : []));
  const held = (state: State): boolean => {
    for (let holder = index.region.get(state.region)?.parent; holder; holder = index.region.get(index.state.get(holder)?.region ?? "")?.parent)
      if (picked.some((one) => one.id === holder)) return true;
    return false;
  };
  for (const state of picked) {
    if (held(state)) continue;
    clip.outer.push(state.id);
    take(state);
  }
  const within = new Set([...taken, ...clip.regions.map((region) => region.id)]);
  clip.transitions = draft.transitions.filter((row) => within.has(row.source) && (row.target === null || within.has(row.target)));
  return clip.states.length > 0 ? clip : null;
}

/** Everything of a row but what says where it is. */
function fieldsOf<R extends { id: Id }, K extends keyof R>(row: R, ...without: K[]): Omit<R, "id" | K> {
  const left = new Set<PropertyKey>(["id", ...without]);
  return Object.fromEntries(Object.entries(row).filter(([key]) => !left.has(key))) as Omit<R, "id" | K>;
}

const SHIFT = 32;

/** Operations that put the clip into a region, and the new ids of its outer states. */
export function paste(draft: Draft, picture: Geometry, clip: Clip, into: Id, newId: () => Id): { operations: Operation[]; ids: Id[] } {
  const ids = new Map<Id, Id>([...clip.states, ...clip.regions].map((row) => [row.id, newId()]));
  const of = (id: Id): Id => ids.get(id) ?? id;
  const usedStates = new Set(stateKeys(draft));
  const usedRegions = new Set(regionKeys(draft));
  const fresh = (key: string, used: Set<string>): string => {
    const free = uniqueKey(key, used);
    used.add(free);
    return free;
  };
  const siblings = (indexOf(draft).statesOf.get(into) ?? []).flatMap((state) => picture.boxes.get(state.id) ?? []);
  const operations: Operation[] = [];
  const add = (state: State, region: Id, shift: number): void => {
    const id = of(state.id);
    operations.push({ op: "state.add", id, region, fields: { ...fieldsOf(state, "region"), key: fresh(state.key, usedStates) } });
    const box = clip.boxes[state.id];
    if (box) {
      const wanted = { ...box, x: Math.round(box.x + shift), y: Math.round(box.y + shift) };
      const place = shift > 0 ? freePlace(wanted, siblings) : wanted;
      if (shift > 0) siblings.push(place);
      operations.push({ op: "layout.set", id, fields: place });
    }
    for (const inner of clip.regions.filter((one) => one.parent === state.id)) {
      const own = fieldsOf(inner, "parent", "initial");
      operations.push({ op: "region.add", id: of(inner.id), parent: id, fields: { ...own, key: fresh(inner.key, usedRegions) } });
      for (const one of clip.states) if (one.region === inner.id) add(one, of(inner.id), 0);
      if (inner.initial) operations.push({ op: "region.update", id: of(inner.id), fields: { initial: of(inner.initial) } });
    }
  };
  for (const state of clip.states) if (clip.outer.includes(state.id)) add(state, into, SHIFT);
  const first = clip.outer[0];
  if (first && indexOf(draft).region.get(into)?.initial === null) operations.push({ op: "region.update", id: into, fields: { initial: of(first) } });
  for (const row of clip.transitions) {
    const target = row.target === null ? null : of(row.target);
    operations.push({ op: "transition.add", id: newId(), source: of(row.source), fields: { ...fieldsOf(row, "source"), key: null, target } });
  }
  return { operations, ids: clip.outer.map(of) };
}

const PLACE = "callchart.clip";

/** Kept for this browser, so that another tab can paste it. */
export function keepClip(clip: Clip): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(clip));
  } catch {
    // A full or forbidden storage: nothing is copied.
  }
}

export function keptClip(): Clip | null {
  try {
    const clip = JSON.parse(localStorage.getItem(PLACE) ?? "null") as Partial<Clip> | null;
    const whole = clip && [clip.states, clip.regions, clip.transitions, clip.outer].every(Array.isArray) && clip.boxes;
    return whole ? (clip as Clip) : null;
  } catch {
    return null;
  }
}
