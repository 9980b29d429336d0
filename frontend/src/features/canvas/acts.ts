/** What a gesture means: operations, worked out from the draft and the picture, nothing done yet. */
import {
  indexOf,
  LANES,
  nameOf,
  regionKeys,
  slug,
  stateKeys,
  uniqueKey,
  type Box,
  type Draft,
  type Id,
  type Operation,
  type Subject,
  type Trigger,
} from "../../model";
import { arrange, freePlace, padOf, regionAt, type Geometry } from "./arrange";
import type { Point } from "./route";
import type { Picture } from "./useGeometry";

const NEW_STATE = { w: 152, h: 34 };

const place = (id: Id, box: Box): Operation => ({ op: "layout.set", id, fields: box });
const rounded = (box: Box): Box => ({ x: Math.round(box.x), y: Math.round(box.y), w: Math.round(box.w), h: Math.round(box.h) });

/** New places for all states, and the boxes of the regions that follow from them (for those who draw without us). */
export function tidied(draft: Draft, places: ReadonlyMap<Id, Box>): Operation[] {
  const states = [...places].map(([id, box]) => place(id, rounded(box)));
  const geometry = arrange({ ...draft, layout: Object.fromEntries(places) });
  const regions = draft.regions.flatMap((region) => {
    const box = geometry.boxes.get(region.id);
    return box ? [place(region.id, rounded(box))] : [];
  });
  return [...states, ...regions];
}

/** Places nobody stored yet are stored with the first edit that stores one, so that nothing jumps. */
export function withUnstored(picture: Picture, operations: readonly Operation[]): readonly Operation[] {
  const moves = operations.some((one) => one.op === "layout.set" || one.op === "state.add" || one.op === "state.move");
  const unstored = Object.entries(picture.unstored);
  if (!moves || unstored.length === 0) return operations;
  return [...unstored.map(([id, box]) => place(id, rounded(box))), ...operations];
}

function siblingsBoxes(draft: Draft, picture: Geometry, region: Id, except?: Id): Box[] {
  return (indexOf(draft).statesOf.get(region) ?? []).flatMap((state) => {
    const box = picture.boxes.get(state.id);
    return box && state.id !== except ? [box] : [];
  });
}

function clampInto(draft: Draft, region: Id, box: Box): Box {
  const row = indexOf(draft).region.get(region);
  const only = row ? (indexOf(draft).regionsOf.get(row.parent ?? LANES)?.length ?? 1) === 1 : true;
  const pad = row ? padOf(row, only) : { left: 0, top: 0 };
  return { ...box, x: Math.max(pad.left - 16, box.x), y: Math.max(pad.top - 4, box.y) };
}

/** A new state in a region, its corner near `at` (relative to the region). */
export function addState(draft: Draft, picture: Geometry, region: Id, at: Point, id: Id): Operation[] {
  const key = uniqueKey("new_state", stateKeys(draft));
  const wanted = clampInto(draft, region, { ...at, ...NEW_STATE });
  const box = freePlace(wanted, siblingsBoxes(draft, picture, region));
  const first = indexOf(draft).region.get(region)?.initial === null;
  return [
    { op: "state.add", id, region, fields: { key, label: "New state", kind: "state" } },
    ...(first ? [{ op: "region.update", id: region, fields: { initial: id } } as const] : []),
    place(id, rounded(box)),
  ];
}

/** Where a new state goes when nobody pointed: under or beside what is there. */
export function addStateSomewhere(draft: Draft, picture: Geometry, region: Id, id: Id): Operation[] {
  const boxes = siblingsBoxes(draft, picture, region);
  const last = boxes.reduce<Box | null>((far, box) => (far === null || box.x + box.w > far.x + far.w ? box : far), null);
  const at = last ? { x: last.x + last.w + 60, y: last.y } : { x: 56, y: 48 };
  return addState(draft, picture, region, at, id);
}

/** A new lane: the first is the speaker, the others watch. */
export function addRegion(draft: Draft, id: Id): Operation[] {
  const first = !draft.regions.some((row) => row.parent === null && row.role === "speaker");
  const label = first ? "Conversation" : "Observer";
  const key = uniqueKey(slug(label, "region"), regionKeys(draft));
  return [{ op: "region.add", id, parent: null, fields: { key, label, role: first ? "speaker" : "observer" } }];
}

/** States inside a state: it becomes composite. */
export function addInside(draft: Draft, parent: Id, region: Id, state: Id): Operation[] {
  const row = indexOf(draft).state.get(parent);
  const key = uniqueKey(slug(`${row?.key ?? "inner"} steps`, "region"), regionKeys(draft));
  const inner = uniqueKey("new_state", stateKeys(draft));
  return [
    { op: "region.add", id: region, parent, fields: { key, label: null } },
    { op: "state.add", id: state, region, fields: { key: inner, label: "New state", kind: "state" } },
    { op: "region.update", id: region, fields: { initial: state } },
    place(state, { x: 44, y: 16, ...NEW_STATE }),
  ];
}

export const connect = (source: Id, target: Id | null, on: Trigger, guard: string | null, id: Id): Operation[] => [
  { op: "transition.add", id, source, fields: { target, on, guard } },
];

/** The next state to the right, and the way to it. */
export function addNext(draft: Draft, picture: Geometry, from: Id, id: Id, transition: Id): Operation[] {
  const region = indexOf(draft).state.get(from)?.region;
  const box = picture.boxes.get(from);
  if (!region || !box) return [];
  const added = addState(draft, picture, region, { x: box.x + box.w + 180, y: box.y }, id);
  return [...added, ...connect(from, id, { event: "next" }, null, transition)];
}

/** One more state under this one, not connected. */
export function addSibling(draft: Draft, picture: Geometry, beside: Id, id: Id): Operation[] {
  const region = indexOf(draft).state.get(beside)?.region;
  const box = picture.boxes.get(beside);
  return region && box ? addState(draft, picture, region, { x: box.x, y: box.y + box.h + 44 }, id) : [];
}

/** Removes what is selected; what goes along with something else is not named twice. */
export function removeAll(draft: Draft, selection: readonly Subject[]): Operation[] {
  const index = indexOf(draft);
  const gone = new Set(selection.map((one) => one.id));
  const under = (id: Id): boolean => {
    let current: Id | null | undefined = id;
    for (let depth = 0; current && depth < 64; depth += 1) {
      current = index.state.get(current)?.region ?? index.region.get(current)?.parent;
      if (current && gone.has(current)) return true;
    }
    return false;
  };
  return selection.flatMap((one): Operation[] => {
    if (one.kind === "transition") {
      const row = index.transition.get(one.id);
      const along = row && [row.source, row.target].some((end) => end !== null && (gone.has(end) || under(end)));
      return row && !along ? [{ op: "transition.remove", id: one.id }] : [];
    }
    return under(one.id) ? [] : [{ op: `${one.kind}.remove`, id: one.id }];
  });
}

/** A name typed on the canvas: the label, and the key too as long as nobody chose another. */
export function rename(draft: Draft, kind: "state" | "region", id: Id, name: string): Operation[] {
  const index = indexOf(draft);
  const row = kind === "state" ? index.state.get(id) : index.region.get(id);
  const label = name.trim();
  if (!row || label === "" || label === nameOf(row)) return [];
  const automatic = slug(nameOf(row), kind);
  const follows = row.key === automatic || row.key.replace(/_\d+$/, "") === automatic;
  const taken = kind === "state" ? stateKeys(draft, id) : regionKeys(draft, id);
  const fields = follows ? { label, key: uniqueKey(slug(label, kind), taken) } : { label };
  return [kind === "state" ? { op: "state.update", id, fields } : { op: "region.update", id, fields }];
}

/** States were let go of somewhere: new places, and new homes where they crossed a border. */
export function drop(draft: Draft, picture: Geometry, moved: ReadonlyMap<Id, Point>): Operation[] {
  const index = indexOf(draft);
  const operations: Operation[] = [];
  for (const [id, at] of moved) {
    const state = index.state.get(id);
    const box = picture.boxes.get(id);
    const home = state && picture.absolute.get(state.region);
    if (!state || !box || !home) continue;
    const absolute = { x: home.x + at.x, y: home.y + at.y };
    const middle = { x: absolute.x + box.w / 2, y: absolute.y + Math.min(box.h / 2, 40) };
    const region = regionAt(draft, picture, middle, insideOf(draft, id)) ?? state.region;
    const base = picture.absolute.get(region) ?? home;
    const next = clampInto(draft, region, { ...box, x: absolute.x - base.x, y: absolute.y - base.y });
    if (region !== state.region) operations.push(...moveTo(draft, id, region));
    operations.push(place(id, rounded(next)));
  }
  return operations;
}

function moveTo(draft: Draft, id: Id, region: Id): Operation[] {
  const old = indexOf(draft).region.get(indexOf(draft).state.get(id)?.region ?? "");
  const operations: Operation[] = [{ op: "state.move", id, region }];
  if (old?.initial === id) {
    const heir = (indexOf(draft).statesOf.get(old.id) ?? []).find((state) => state.id !== id);
    operations.push({ op: "region.update", id: old.id, fields: { initial: heir?.id ?? null } });
  }
  if (indexOf(draft).region.get(region)?.initial === null)
    operations.push({ op: "region.update", id: region, fields: { initial: id } });
  return operations;
}

/** Regions inside a state: it cannot move into itself. */
function insideOf(draft: Draft, id: Id): Set<Id> {
  const index = indexOf(draft);
  const out = new Set<Id>();
  const walk = (state: Id): void => {
    for (const region of index.regionsOf.get(state) ?? []) {
      out.add(region.id);
      for (const inner of index.statesOf.get(region.id) ?? []) walk(inner.id);
    }
  };
  walk(id);
  return out;
}

export type Arrow = "left" | "right" | "up" | "down";
const HEADINGS: { [arrow in Arrow]: Point } = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

/** From a selected thing along the transition that points most in the arrow's direction; else to the nearest state there. */
export function walk(draft: Draft, picture: Geometry, from: Subject, arrow: Arrow): Subject | null {
  const index = indexOf(draft);
  if (from.kind === "transition") {
    const row = index.transition.get(from.id);
    const id = arrow === "left" || arrow === "up" ? row?.source : (row?.target ?? row?.source);
    return id && index.state.has(id) ? { kind: "state", id } : null;
  }
  const start = picture.absolute.get(from.id);
  if (!start) return null;
  const linked = [
    ...(index.outOf.get(from.id) ?? []).map((row) => row.target),
    ...(index.into.get(from.id) ?? []).map((row) => row.source),
  ];
  const best = (ids: Iterable<Id | null>): Id | null => {
    const heading = HEADINGS[arrow];
    let found: { id: Id; cost: number } | null = null;
    for (const id of ids) {
      const box = id === null ? undefined : picture.absolute.get(id);
      if (!box || id === null || id === from.id || !index.state.has(id)) continue;
      const dx = box.x + box.w / 2 - (start.x + start.w / 2);
      const dy = box.y + Math.min(box.h, 80) / 2 - (start.y + Math.min(start.h, 80) / 2);
      const along = dx * heading.x + dy * heading.y;
      const aside = Math.abs(dx * heading.y) + Math.abs(dy * heading.x);
      if (along <= 4 || aside > along * 3) continue;
      const cost = along + aside * 2;
      if (found === null || cost < found.cost) found = { id, cost };
    }
    return found?.id ?? null;
  };
  const id = best(linked) ?? best(draft.states.map((state) => state.id));
  return id ? { kind: "state", id } : null;
}
