/** The shape of a draft: who holds whom, in document order. */
import type { Draft, Id, Problem, Region, State, Subject, Transition } from "./draft";

export interface Index {
  region: Map<Id, Region>;
  state: Map<Id, State>;
  transition: Map<Id, Transition>;
  /** States of a region, in order. */
  statesOf: Map<Id, State[]>;
  /** Regions of a state, in order; `""` holds the lanes. */
  regionsOf: Map<Id, Region[]>;
  /** Transitions that leave a state or a region, in order. */
  outOf: Map<Id, Transition[]>;
  into: Map<Id, Transition[]>;
}

export const LANES = "";

function group<K, V>(rows: readonly V[], key: (row: V) => K): Map<K, V[]> {
  const out = new Map<K, V[]>();
  for (const row of rows) {
    const list = out.get(key(row));
    if (list) list.push(row);
    else out.set(key(row), [row]);
  }
  return out;
}

const byId = <R extends { id: Id }>(rows: readonly R[]): Map<Id, R> => new Map(rows.map((row) => [row.id, row]));

const memo = new WeakMap<Draft, Index>();

/** Lookup tables of a draft; made once per draft value. */
export function indexOf(draft: Draft): Index {
  const known = memo.get(draft);
  if (known) return known;
  const index: Index = {
    region: byId(draft.regions),
    state: byId(draft.states),
    transition: byId(draft.transitions),
    statesOf: group(draft.states, (row) => row.region),
    regionsOf: group(draft.regions, (row) => row.parent ?? LANES),
    outOf: group(draft.transitions, (row) => row.source),
    into: group(draft.transitions, (row) => row.target ?? LANES),
  };
  memo.set(draft, index);
  return index;
}

/** Lanes as they are drawn: the speaker first, then document order. */
export function lanes(draft: Draft): Region[] {
  const top = indexOf(draft).regionsOf.get(LANES) ?? [];
  return [...top.filter(isSpeaker), ...top.filter((row) => !isSpeaker(row))];
}

export const isSpeaker = (region: Region): boolean => region.role === "speaker";

/** The lane a state or a region stands in. */
export function laneOf(draft: Draft, id: Id): Region | null {
  const index = indexOf(draft);
  let region = index.region.get(id) ?? index.region.get(index.state.get(id)?.region ?? "");
  while (region && region.parent !== null) {
    region = index.region.get(index.state.get(region.parent)?.region ?? "");
  }
  return region ?? null;
}

/** Is `id` inside `holder` (or the same)? */
export function isInside(draft: Draft, id: Id, holder: Id): boolean {
  const index = indexOf(draft);
  let current: Id | undefined | null = id;
  while (current) {
    if (current === holder) return true;
    current = index.state.get(current)?.region ?? index.region.get(current)?.parent;
  }
  return false;
}

export interface OutlineRow {
  kind: "region" | "state" | "transition";
  id: Id;
  depth: number;
  /** Has rows under it. */
  parent: boolean;
}

/** The outline: lanes, their states in order, what those hold, and (where asked) the transitions of `open` ones. */
export function outline(draft: Draft, closed: ReadonlySet<Id> = new Set(), withTransitions?: Id | null): OutlineRow[] {
  const index = indexOf(draft);
  const rows: OutlineRow[] = [];
  const walkRegion = (region: Region, depth: number, shown: boolean): void => {
    const states = index.statesOf.get(region.id) ?? [];
    if (shown) rows.push({ kind: "region", id: region.id, depth, parent: states.length > 0 });
    if (shown && closed.has(region.id)) return;
    for (const state of states) walkState(state, shown ? depth + 1 : depth);
  };
  const walkState = (state: State, depth: number): void => {
    const regions = index.regionsOf.get(state.id) ?? [];
    rows.push({ kind: "state", id: state.id, depth, parent: regions.length > 0 });
    if (withTransitions === state.id) {
      for (const row of index.outOf.get(state.id) ?? [])
        rows.push({ kind: "transition", id: row.id, depth: depth + 1, parent: false });
    }
    if (closed.has(state.id)) return;
    for (const region of regions) walkRegion(region, depth + 1, regions.length > 1);
  };
  for (const lane of lanes(draft)) walkRegion(lane, 0, true);
  return rows;
}

/** Where a problem sits: the row to select, or null for the machine itself. */
export function subjectOf(problem: Problem): Subject | null {
  const subject = problem.subject;
  if (!subject || subject.id === null) return null;
  const { kind, id } = subject;
  return kind === "region" || kind === "state" || kind === "transition" || kind === "slot" ? { kind, id } : null;
}

const WORST = { info: 0, warning: 1, error: 2 } as const;

/** Problems by the id of the row they sit on, worst first. */
export function problemsById(draft: Draft): Map<Id, Problem[]> {
  const found = group(
    draft.problems.filter((problem) => problem.subject?.id),
    (problem) => problem.subject?.id ?? "",
  );
  for (const list of found.values()) list.sort((a, b) => WORST[b.severity] - WORST[a.severity]);
  return found;
}
