/**
 * Operations on a draft: the same ones the server takes (docs/contracts.md, section 5), applied and
 * inverted here so that an edit is on the screen before the server has answered.
 *
 * Laws (tests/model/operations.test.ts): `apply` never changes its argument; applying `invert(draft, op)`
 * to `apply(draft, op)` gives a draft equal to the first; an operation on what is gone throws `GoneError`.
 */
import { blankEntry, blankRegion, blankSlot, blankState, blankTransition } from "./blank";
import type { Box, Draft, EntryList, Id, Limits, Region, Settings, Slot, State, Transition } from "./draft";

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
  | { op: "layout.set"; id: Id; fields: Partial<Box> | null }
  | { op: "entry.add"; list: EntryList; index?: number; fields: { key: string } & EntryFields }
  | { op: "entry.update"; list: EntryList; key: string; fields: EntryFields; rewrite?: boolean }
  | { op: "entry.move"; list: EntryList; key: string; index?: number }
  | { op: "entry.remove"; list: EntryList; key: string };

/** Fields of an entry of whichever list. */
export interface EntryFields {
  [name: string]: unknown;
}

/** The row an operation speaks of is not in the draft (any more), or an added id is there already. */
export class GoneError extends Error {
  readonly id: Id;
  constructor(id: Id, message = `nothing here has the id ${id}`) {
    super(message);
    this.name = "GoneError";
    this.id = id;
  }
}

interface Row {
  id: Id;
}

/** Where a row hangs: rows with the same place are siblings, and order matters among them only. */
const placeOfRegion = (row: Region): Id | null => row.parent;
const placeOfState = (row: State): Id | null => row.region;
const placeOfTransition = (row: Transition): Id | null => row.source;
const placeOfSlot = (): Id | null => null;

function find<R extends Row>(rows: readonly R[], id: Id): R {
  const row = rows.find((candidate) => candidate.id === id);
  if (!row) throw new GoneError(id);
  return row;
}

/** Puts a row at `index` among its siblings (last, when the index is absent or too large). */
function insert<R extends Row>(rows: readonly R[], row: R, place: (row: R) => Id | null, index?: number): R[] {
  if (rows.some((other) => other.id === row.id)) throw new GoneError(row.id, `${row.id} is already here`);
  const siblings = rows.filter((other) => place(other) === place(row));
  const next = index === undefined ? undefined : siblings[index];
  const last = siblings[siblings.length - 1];
  const at = next ? rows.indexOf(next) : last ? rows.indexOf(last) + 1 : rows.length;
  return [...rows.slice(0, at), row, ...rows.slice(at)];
}

function update<R extends Row>(rows: readonly R[], id: Id, fields: Partial<R>): R[] {
  find(rows, id);
  return rows.map((row) => (row.id === id ? { ...row, ...fields, id } : row));
}

function move<R extends Row>(rows: readonly R[], moved: R, place: (row: R) => Id | null, index?: number): R[] {
  find(rows, moved.id);
  return insert(
    rows.filter((row) => row.id !== moved.id),
    moved,
    place,
    index,
  );
}

function indexAmongSiblings<R extends Row>(rows: readonly R[], id: Id, place: (row: R) => Id | null): number {
  const row = find(rows, id);
  return rows.filter((other) => place(other) === place(row)).indexOf(row);
}

/** Everything that goes when these go: what is inside, and the transitions from and to it. */
export function closureOfRemoval(draft: Draft, kind: RowKind, id: Id): Set<Id> {
  const gone = new Set<Id>([id]);
  if (kind === "region" || kind === "state") {
    let grew = true;
    while (grew) {
      const before = gone.size;
      for (const region of draft.regions) if (region.parent !== null && gone.has(region.parent)) gone.add(region.id);
      for (const state of draft.states) if (gone.has(state.region)) gone.add(state.id);
      grew = gone.size > before;
    }
    for (const transition of draft.transitions) {
      if (gone.has(transition.source) || (transition.target !== null && gone.has(transition.target)))
        gone.add(transition.id);
    }
  }
  return gone;
}

function remove(draft: Draft, kind: RowKind, id: Id): Draft {
  find<Row>(rowsOf(draft, kind), id);
  const gone = closureOfRemoval(draft, kind, id);
  const stays = (row: Row): boolean => !gone.has(row.id);
  const target = draft.limits.target;
  return {
    ...draft,
    regions: draft.regions
      .filter(stays)
      .map((row) => (row.initial !== null && gone.has(row.initial) ? { ...row, initial: null } : row)),
    states: draft.states.filter(stays),
    transitions: draft.transitions.filter(stays),
    slots: draft.slots.filter(stays),
    limits: target && gone.has(target) ? { ...draft.limits, target: null } : draft.limits,
    layout: Object.fromEntries(Object.entries(draft.layout).filter(([key]) => !gone.has(key))),
  };
}

export function rowsOf(draft: Draft, kind: RowKind): readonly (Region | State | Transition | Slot)[] {
  return { region: draft.regions, state: draft.states, transition: draft.transitions, slot: draft.slots }[kind];
}

function setLayout(draft: Draft, id: Id, fields: Partial<Box> | null): Draft {
  if (fields === null) {
    return { ...draft, layout: Object.fromEntries(Object.entries(draft.layout).filter(([key]) => key !== id)) };
  }
  const old = draft.layout[id] ?? { x: 0, y: 0, w: 0, h: 0 };
  return { ...draft, layout: { ...draft.layout, [id]: { ...old, ...fields } } };
}

/**
 * The draft after one operation.
 * @throws GoneError when the operation speaks of a row that is not there.
 */
export function apply(draft: Draft, operation: Operation): Draft {
  const { regions, states, transitions, slots } = draft;
  const o = operation;
  switch (o.op) {
    case "region.add": {
      if (o.parent !== null) find(states, o.parent);
      const row = { ...blankRegion(o.id, o.parent), ...o.fields, id: o.id, parent: o.parent };
      return { ...draft, regions: insert(regions, row, placeOfRegion, o.index) };
    }
    case "state.add": {
      find(regions, o.region);
      const row = { ...blankState(o.id, o.region), ...o.fields, id: o.id, region: o.region };
      return { ...draft, states: insert(states, row, placeOfState, o.index) };
    }
    case "transition.add": {
      find<Row>([...states, ...regions], o.source);
      const row = { ...blankTransition(o.id, o.source), ...o.fields, id: o.id, source: o.source };
      return { ...draft, transitions: insert(transitions, row, placeOfTransition, o.index) };
    }
    case "slot.add": {
      const row = { ...blankSlot(o.id), ...o.fields, id: o.id };
      return { ...draft, slots: insert(slots, row, placeOfSlot, o.index) };
    }
    case "region.update":
      return { ...draft, regions: update(regions, o.id, o.fields) };
    case "state.update":
      return { ...draft, states: update(states, o.id, o.fields) };
    case "transition.update":
      return { ...draft, transitions: update(transitions, o.id, o.fields) };
    case "slot.update":
      return { ...draft, slots: update(slots, o.id, o.fields) };
    case "region.move": {
      if (o.parent !== null) find(states, o.parent);
      const row = { ...find(regions, o.id), parent: o.parent };
      return { ...draft, regions: move(regions, row, placeOfRegion, o.index) };
    }
    case "state.move": {
      find(regions, o.region);
      const row = { ...find(states, o.id), region: o.region };
      return { ...draft, states: move(states, row, placeOfState, o.index) };
    }
    case "transition.move": {
      find<Row>([...states, ...regions], o.source);
      const row = { ...find(transitions, o.id), source: o.source };
      return { ...draft, transitions: move(transitions, row, placeOfTransition, o.index) };
    }
    case "slot.move":
      return { ...draft, slots: move(slots, find(slots, o.id), placeOfSlot, o.index) };
    case "region.remove":
      return remove(draft, "region", o.id);
    case "state.remove":
      return remove(draft, "state", o.id);
    case "transition.remove":
      return remove(draft, "transition", o.id);
    case "slot.remove":
      return remove(draft, "slot", o.id);
    case "limits.update":
      return { ...draft, limits: { ...draft.limits, ...o.fields } };
    case "settings.update":
      return applySettings(draft, o.fields);
    case "layout.set":
      return setLayout(draft, o.id, o.fields);
    case "entry.add":
    case "entry.update":
    case "entry.move":
    case "entry.remove":
      return withEntries(draft, o.list, changedEntries(entriesOf(draft, o.list), o));
  }
}

type Entry = { key: string } & EntryFields;
type EntryOperation = Extract<Operation, { list: EntryList }>;

const entriesOf = (draft: Draft, list: EntryList): readonly Entry[] => draft.settings[list] as unknown as readonly Entry[];

const withEntries = (draft: Draft, list: EntryList, entries: readonly Entry[]): Draft => ({
  ...draft,
  settings: { ...draft.settings, [list]: entries } as Draft["settings"],
});

function placeOfEntry(entries: readonly Entry[], key: string): number {
  const at = entries.findIndex((entry) => entry.key === key);
  if (at < 0) throw new GoneError(key);
  return at;
}

function changedEntries(entries: readonly Entry[], o: EntryOperation): Entry[] {
  if (o.op === "entry.add") {
    if (entries.some((entry) => entry.key === o.fields.key)) throw new GoneError(o.fields.key, `${o.fields.key} is already here`);
    const entry = { ...blankEntry(o.list, o.fields.key), ...o.fields } as Entry;
    return entries.toSpliced(o.index ?? entries.length, 0, entry);
  }
  const at = placeOfEntry(entries, o.key);
  const entry = entries[at] as Entry;
  switch (o.op) {
    case "entry.update":
      if (typeof o.fields.key === "string" && o.fields.key !== o.key && entries.some((other) => other.key === o.fields.key))
        throw new GoneError(o.fields.key, `${o.fields.key} is already here`);
      return entries.with(at, { ...entry, ...o.fields });
    case "entry.remove":
      return entries.toSpliced(at, 1);
    case "entry.move": {
      const rest = entries.toSpliced(at, 1);
      return rest.toSpliced(o.index ?? rest.length, 0, entry);
    }
  }
}

function invertEntry(entries: readonly Entry[], o: EntryOperation): Operation[] {
  if (o.op === "entry.add") return [{ op: "entry.remove", list: o.list, key: o.fields.key }];
  const at = placeOfEntry(entries, o.key);
  const entry = entries[at] as Entry;
  switch (o.op) {
    case "entry.update": {
      const key = typeof o.fields.key === "string" ? o.fields.key : o.key;
      return [{ ...o, key, fields: before(entry, o.fields) }];
    }
    case "entry.remove":
      return [{ op: "entry.add", list: o.list, index: at, fields: entry }];
    case "entry.move":
      return [{ ...o, index: at }];
  }
}

function applySettings(draft: Draft, { name, ...fields }: Partial<Settings>): Draft {
  const agent = name === undefined ? draft.agent : { ...draft.agent, name };
  return { ...draft, agent, settings: { ...draft.settings, ...fields } };
}

/** The draft after all of them, in order. */
export function applyAll(draft: Draft, operations: readonly Operation[]): Draft {
  return operations.reduce(apply, draft);
}

function before<R extends object>(row: R, fields: Partial<R>): Partial<R> {
  const old: Partial<R> = {};
  for (const name of Object.keys(fields) as (keyof R)[]) old[name] = row[name];
  return old;
}

/**
 * Operations that lead from `apply(draft, operation)` back to `draft`.
 * @throws GoneError as `apply` does.
 */
export function invert(draft: Draft, operation: Operation): Operation[] {
  const o = operation;
  switch (o.op) {
    case "region.add":
      return [{ op: "region.remove", id: o.id }];
    case "state.add":
      return [{ op: "state.remove", id: o.id }];
    case "transition.add":
      return [{ op: "transition.remove", id: o.id }];
    case "slot.add":
      return [{ op: "slot.remove", id: o.id }];
    case "region.update":
      return [{ ...o, fields: before(find(draft.regions, o.id), o.fields) }];
    case "state.update":
      return [{ ...o, fields: before(find(draft.states, o.id), o.fields) }];
    case "transition.update":
      return [{ ...o, fields: before(find(draft.transitions, o.id), o.fields) }];
    case "slot.update":
      return [{ ...o, fields: before(find(draft.slots, o.id), o.fields) }];
    case "region.move": {
      const index = indexAmongSiblings(draft.regions, o.id, placeOfRegion);
      return [{ op: o.op, id: o.id, parent: find(draft.regions, o.id).parent, index }];
    }
    case "state.move": {
      const index = indexAmongSiblings(draft.states, o.id, placeOfState);
      return [{ op: o.op, id: o.id, region: find(draft.states, o.id).region, index }];
    }
    case "transition.move": {
      const index = indexAmongSiblings(draft.transitions, o.id, placeOfTransition);
      return [{ op: o.op, id: o.id, source: find(draft.transitions, o.id).source, index }];
    }
    case "slot.move":
      return [{ op: o.op, id: o.id, index: indexAmongSiblings(draft.slots, o.id, placeOfSlot) }];
    case "region.remove":
      return restore(draft, "region", o.id);
    case "state.remove":
      return restore(draft, "state", o.id);
    case "transition.remove":
      return restore(draft, "transition", o.id);
    case "slot.remove":
      return restore(draft, "slot", o.id);
    case "limits.update":
      return [{ op: o.op, fields: oldLimits(draft.limits, o.fields) }];
    case "settings.update":
      return [{ op: o.op, fields: before<Settings>({ ...draft.settings, name: draft.agent.name }, o.fields) }];
    case "layout.set":
      return [{ op: o.op, id: o.id, fields: draft.layout[o.id] ?? null }];
    case "entry.add":
    case "entry.update":
    case "entry.move":
    case "entry.remove":
      return invertEntry(entriesOf(draft, o.list), o);
  }
}

function oldLimits(limits: Limits, fields: Partial<Limits>): Partial<Limits> {
  return Object.fromEntries(
    (Object.keys(fields) as (keyof Limits)[]).map((name) => [name, limits[name] ?? null]),
  );
}

/** Adds back what a removal takes, parents before children, then what pointed at it, then where it stood. */
function restore(draft: Draft, kind: RowKind, id: Id): Operation[] {
  find<Row>(rowsOf(draft, kind), id);
  const gone = closureOfRemoval(draft, kind, id);
  const out: Operation[] = [];
  const addRegion = (row: Region): void => {
    const index = indexAmongSiblings(draft.regions, row.id, placeOfRegion);
    out.push({ op: "region.add", id: row.id, parent: row.parent, index, fields: without(row, ["id", "parent", "initial"]) });
    for (const state of draft.states) if (state.region === row.id) addState(state);
  };
  const addState = (row: State): void => {
    const index = indexAmongSiblings(draft.states, row.id, placeOfState);
    out.push({ op: "state.add", id: row.id, region: row.region, index, fields: without(row, ["id", "region"]) });
    for (const region of draft.regions) if (region.parent === row.id) addRegion(region);
  };
  if (kind === "region") addRegion(find(draft.regions, id));
  if (kind === "state") addState(find(draft.states, id));
  for (const row of draft.transitions) {
    if (!gone.has(row.id)) continue;
    const index = indexAmongSiblings(draft.transitions, row.id, placeOfTransition);
    out.push({ op: "transition.add", id: row.id, source: row.source, index, fields: without(row, ["id", "source"]) });
  }
  for (const row of draft.slots) {
    if (gone.has(row.id))
      out.push({ op: "slot.add", id: row.id, index: draft.slots.indexOf(row), fields: without(row, ["id"]) });
  }
  for (const region of draft.regions) {
    if (region.initial !== null && (gone.has(region.id) || gone.has(region.initial)))
      out.push({ op: "region.update", id: region.id, fields: { initial: region.initial } });
  }
  const target = draft.limits.target;
  if (target && gone.has(target)) out.push({ op: "limits.update", fields: { target } });
  for (const [key, box] of Object.entries(draft.layout)) {
    if (gone.has(key)) out.push({ op: "layout.set", id: key, fields: box });
  }
  return out;
}

function without<R extends object>(row: R, names: (keyof R)[]): Partial<R> {
  const rest: Partial<R> = { ...row };
  for (const name of names) Reflect.deleteProperty(rest, name);
  return rest;
}

/** Operations that lead from `applyAll(draft, operations)` back to `draft`. */
export function invertAll(draft: Draft, operations: readonly Operation[]): Operation[] {
  let current = draft;
  const inverse: Operation[] = [];
  for (const operation of operations) {
    inverse.unshift(...invert(current, operation));
    current = apply(current, operation);
  }
  return inverse;
}

/** The same operations with fresh ids for what they add: a fix that is applied twice adds two things. */
export function withFreshIds(operations: readonly Operation[], newId: () => Id): Operation[] {
  const fresh = new Map<Id, Id>();
  for (const o of operations) if (o.op.endsWith(".add") && "id" in o) fresh.set(o.id, newId());
  const swap = (id: Id): Id => fresh.get(id) ?? id;
  return operations.map((o) => {
    if (!("id" in o)) return o;
    const out = { ...o, id: swap(o.id) };
    if ("region" in out) out.region = swap(out.region);
    if ("source" in out) out.source = swap(out.source);
    if ("parent" in out && out.parent !== null) out.parent = swap(out.parent);
    return out;
  });
}
