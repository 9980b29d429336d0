/**
 * Two versions side by side, as the review page shows them: both charts on one drawing, and the changes in
 * groups. Rows of a version have ids made from keys, so what kept its key has the same id in both. Pure.
 */
import type { Draft, Id, Json } from "./draft";
import { lookupOf } from "./lookup";
import { nameOf, triggerText } from "./names";

export type ChangeGroup = "behaviour" | "words" | "tools" | "squad" | "cosmetic";
export type ChangeWhat = "added" | "removed" | "changed" | "moved";

export interface ChangeField {
  name: string;
  before: Json;
  after: Json;
  /** Of a guard: both say the same of every value. */
  same_logic?: boolean | null;
}

export interface Change {
  change: ChangeWhat;
  /** Given by the server; by the kind where it is not. */
  group?: ChangeGroup;
  kind: string;
  id?: string | null;
  key: string | null;
  label: string | null;
  /** Key of the state or region it is in; a transition's source. */
  within: string | null;
  target: string | null;
  fields: ChangeField[];
}

export interface Comparison {
  before: number;
  after: number | "draft";
  counts: { [what in ChangeWhat]: number };
  changes: Change[];
}

/** What one line of a script did in one of the two. */
export interface Seen {
  line?: { [key: string]: Json };
  active: string[];
  refusal: { reason: string; message: string } | null;
  taken: string[];
  slots: { [slot: string]: Json };
}

export interface PartingScript {
  lines: { [key: string]: Json }[];
  /** Index of the line from which on the two are apart; -1 where they begin apart. */
  parts_at: number;
  before: Seen[];
  after: Seen[];
}

export interface Behaviour {
  scripts: PartingScript[];
  explored: number;
  complete: boolean;
}

export type CommentKind = "agent" | "region" | "state" | "transition" | "slot" | "prompt";
export type CommentAnchor = { kind: CommentKind; id: string } | { kind: CommentKind; key: string };

export interface Comment {
  id: string;
  /** `id` is the draft row's id; `key` is its key now. */
  anchor: { kind: CommentKind; id: string | null; key: string | null; gone: boolean };
  version: number | null;
  text: string;
  by: string | { id: string; name: string } | null;
  at: string;
  edited_at: string | null;
  resolved: { by: string | { id: string; name: string } | null; at: string } | null;
  parent: string | null;
}

export const GROUPS: readonly ChangeGroup[] = ["behaviour", "words", "tools", "squad", "cosmetic"];

const GROUP_OF: Readonly<Record<string, ChangeGroup>> = { prompt: "words", agent: "words", tool: "tools", policy: "tools", squad: "squad" };

export const groupOf = (change: Change): ChangeGroup => change.group ?? GROUP_OF[change.kind] ?? "behaviour";

/** The changes in the order they are walked: group after group, within one as the server gave them. */
export function inGroups(changes: readonly Change[]): { group: ChangeGroup; changes: Change[] }[] {
  return GROUPS.map((group) => ({ group, changes: changes.filter((change) => groupOf(change) === group) })).filter((one) => one.changes.length > 0);
}

const withoutKnown = <R extends { id: Id }>(rows: readonly R[], known: ReadonlySet<Id>): R[] => rows.filter((row) => !known.has(row.id));

const idsOf = (rows: readonly { id: Id }[]): Set<Id> => new Set(rows.map((row) => row.id));

/** The rows a change speaks of, in `rows`: those to look at. A prompt or a tool leads to the states that use it. */
export function placesOf(change: Change, rows: Draft): Id[] {
  const lookup = lookupOf(rows);
  const { kind, key } = change;
  if (kind === "state") return key === null ? [] : [lookup.state.get(key)?.id ?? []].flat();
  if (kind === "region") return key === null ? [] : [lookup.region.get(key) ?? []].flat();
  if (kind === "slot") return key === null ? [] : [lookup.slot.get(key)?.id ?? []].flat();
  if (kind === "transition") return transitionsOf(change, rows).slice(0, 1);
  if (kind === "prompt") return rows.states.filter((state) => state.prompt === key).map((state) => state.id);
  if (kind === "tool" || kind === "policy") return rows.states.filter((state) => key !== null && state.tools.includes(key)).map((state) => state.id);
  if (kind === "squad") return rows.states.filter((state) => state.agent === key).map((state) => state.id);
  if (kind === "limits") return rows.limits.target ? [rows.limits.target] : [];
  return [];
}

/** A transition is known by its key; without one, by where it leaves, where it leads and what it waits for. */
function transitionsOf(change: Change, rows: Draft): Id[] {
  const lookup = lookupOf(rows);
  const known = new Set(lookup.transition.values());
  if (change.id && known.has(change.id)) return [change.id];
  for (const name of [change.key, change.id]) {
    const id = name ? lookup.transition.get(name) : undefined;
    if (id) return [id];
  }
  const source = lookup.state.get(change.within ?? "")?.id ?? lookup.region.get(change.within ?? "");
  const keyOf = new Map(rows.states.map((state) => [state.id, state.key]));
  const on = change.fields.find((field) => field.name === "on");
  return rows.transitions
    .filter((row) => row.source === source && (row.target === null ? null : (keyOf.get(row.target) ?? null)) === change.target)
    .filter((row) => !on || JSON.stringify(row.on) === JSON.stringify(on.after))
    .map((row) => row.id);
}

export interface Merged {
  /** The new chart with what was taken away laid over it, where it stood. */
  rows: Draft;
  /** What each thing is, by id; what is not named here did not change. */
  marks: Map<Id, ChangeWhat>;
  /** The rows of each change, in the order of the changes given. */
  places: Id[][];
}

const RANK: Readonly<Record<ChangeWhat, number>> = { moved: 0, changed: 1, added: 2, removed: 2 };

/**
 * Both charts on one drawing. `after` is drawn as it is; states, regions and transitions that are gone are added
 * at the places they had (with ids of their own where `after` uses the id for another transition).
 */
export function mergeVersions(before: Draft, after: Draft, changes: readonly Change[]): Merged {
  const regions = [...after.regions, ...withoutKnown(before.regions, idsOf(after.regions))];
  const states = [...after.states, ...withoutKnown(before.states, idsOf(after.states))];
  const there = new Set([...idsOf(regions), ...idsOf(states)]);
  const ghosts = changes.filter((change) => change.change === "removed" && change.kind === "transition").map((change) => transitionsOf(change, before)[0]);
  const wanted = new Set(ghosts.filter((id) => id !== undefined));
  const taken = idsOf(after.transitions);
  const ghostId = (id: Id): Id => (taken.has(id) ? `was:${id}` : id);
  const gone = before.transitions
    .filter((row) => wanted.has(row.id) && there.has(row.source) && (row.target === null || there.has(row.target)))
    .map((row) => ({ ...row, id: ghostId(row.id) }));
  const rows: Draft = { ...after, regions, states, transitions: [...after.transitions, ...gone], layout: { ...before.layout, ...after.layout }, problems: [] };
  const marks = new Map<Id, ChangeWhat>();
  const places = changes.map((change) => {
    const removed = change.change === "removed";
    const found = placesOf(change, removed ? before : after);
    return removed && change.kind === "transition" ? found.map(ghostId) : found;
  });
  changes.forEach((change, n) => {
    const own = change.kind === "state" || change.kind === "transition" || change.kind === "region";
    const what: ChangeWhat = own ? change.change : "changed";
    for (const id of places[n] ?? []) {
      const known = marks.get(id);
      if (known === undefined || RANK[known] < RANK[what]) marks.set(id, what);
    }
  });
  return { rows, marks, places };
}

const KINDS: Readonly<Record<string, string>> = {
  agent: "Agent", limits: "Limits", region: "Region", state: "State", transition: "Transition", slot: "Slot", prompt: "Prompt",
  tool: "Tool", outcome: "Outcome", squad: "Squad", policy: "Policy", question_set: "Question set", lane: "Decision lane",
};

const plain = (key: string): string => {
  const words = key.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** "State", and the name people know it by. `given`: the new rows, then the old ones; what was removed is named by the old. */
export function titleOf(change: Change, given: readonly Draft[]): { kind: string; name: string } {
  const rows = change.change === "removed" ? [...given].reverse() : given;
  const kind = KINDS[change.kind] ?? plain(change.kind);
  const named = (key: string): string => {
    for (const draft of rows) {
      const state = draft.states.find((row) => row.key === key) ?? draft.regions.find((row) => row.key === key);
      if (state) return nameOf(state);
    }
    return plain(key);
  };
  if (change.kind === "transition") {
    const ends = change.target ? `${named(change.within ?? "")} → ${named(change.target)}` : `in ${named(change.within ?? "")}`;
    const row = rows.flatMap((draft) => transitionsOf(change, draft).map((id) => draft.transitions.find((one) => one.id === id)))[0];
    return { kind: ends, name: change.label ?? (row ? triggerText(row.on) : (change.key ?? "")) };
  }
  if (change.kind === "state" || change.kind === "region") return { kind, name: change.label ?? named(change.key ?? "") };
  if (change.key === null) return { kind, name: "" };
  return { kind, name: change.kind === "slot" || change.kind === "prompt" || change.kind === "tool" || change.kind === "policy" ? change.key : (change.label ?? change.key) };
}

/** Words of a text, the spaces with the word before them. */
const tokens = (text: string): string[] => text.match(/\S+\s*/g) ?? [];

export interface Word {
  text: string;
  is: "same" | "added" | "removed";
}

const LONG = 1200;

/** Word by word what became of a text: the longest run of words that stayed, and what is around them. */
export function wordDiff(before: string, after: string): Word[] {
  const a = tokens(before);
  const b = tokens(after);
  if (a.length > LONG || b.length > LONG) return [{ text: before, is: "removed" }, { text: after, is: "added" }];
  const bare = (word: string | undefined): string => (word ?? "").trim();
  const best: number[][] = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = best[i];
      if (row) row[j] = bare(a[i]) === bare(b[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const words: Word[] = [];
  const say = (text: string, is: Word["is"]): void => {
    const last = words[words.length - 1];
    if (last?.is === is) last.text += text;
    else words.push({ text, is });
  };
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && bare(a[i]) === bare(b[j])) {
      say(b[j] ?? "", "same");
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      say(a[i] ?? "", "removed");
      i += 1;
    } else {
      say(b[j] ?? "", "added");
      j += 1;
    }
  }
  return words;
}
