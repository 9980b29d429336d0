/** What is to be seen of a state and of a transition: words and sizes, worked out once per draft. */
import {
  cut,
  effectText,
  indexOf,
  isSpeaker,
  labelLines,
  labelText,
  laneOf,
  nameOf,
  problemsById,
  slotsRead,
  triggerKind,
  triggerText,
  type Draft,
  type Effect,
  type Id,
  type Problem,
  type State,
  type Transition,
  type TriggerKind,
} from "../../model";
import { lineCount, textWidth } from "./text";

export interface Chip {
  text: string;
  /** A slot written here is filled, one that is read is outlined; a tool has its wrench. */
  look: "set" | "read" | "tool" | "plain";
}

export type Row =
  | { row: "say"; text: string; lines: number }
  | { row: "chips"; word: string; chips: Chip[] }
  | { row: "effect"; when: "entry" | "exit"; text: string }
  | { row: "internal"; id: Id; text: string }
  | { row: "visits"; text: string };

export type Worst = Problem["severity"] | null;

export interface StateView {
  id: Id;
  name: string;
  kind: "state" | "composite" | "final" | "history" | "choice";
  mark: string;
  rows: Row[];
  initial: boolean;
  limit: boolean;
  speaker: boolean;
  inner: number;
  worst: Worst;
  problems: number;
  w: number;
  h: number;
}

export interface TransitionView {
  id: Id;
  source: Id;
  target: Id;
  trigger: TriggerKind;
  first: string;
  second: string | null;
  full: string;
  /** Place among the transitions that wait for the same thing here; null where there is only one. */
  order: number | null;
  worst: Worst;
  w: number;
  h: number;
  /** Narrower than this the pill would not say what it waits for. */
  least: number;
}

export const HEADER = 32;
const ROW = 18;
const GAP = 5;
const PAD = 14;
const MIN_WIDTH = 152;
const MAX_WIDTH = 272;
const SIDE = 20;

const MAX_CHIPS = 3;
/** What a row of chips may take of the widest state, its word and a "+n" left out. */
const CHIPS_WIDTH = MAX_WIDTH - SIDE - 4 - 64;

const chipWidth = (chip: Chip): number => textWidth(chip.text, "code") + 19 + (chip.look === "tool" ? 14 : 0);

/** As many as fit, and how many more there are. */
function chips(names: string[], look: Chip["look"]): Chip[] {
  const kept: Chip[] = [];
  let width = 0;
  for (const name of names.slice(0, MAX_CHIPS)) {
    const chip: Chip = { text: cut(name, 18), look };
    width += chipWidth(chip);
    if (kept.length > 0 && width > CHIPS_WIDTH) break;
    kept.push(chip);
  }
  const more = names.length - kept.length;
  return more > 0 ? [...kept, { text: `+${more}`, look: "plain" }] : kept;
}

const written = (effects: readonly Effect[]): string[] =>
  effects.flatMap((effect) => effect.set ?? effect.clear ?? []);

/** `{{ slots.name }}` reads as `‹name›`. */
const spoken = (template: string): string =>
  template.replace(/\{\{\s*(?:slots\.)?([^}]*?)\s*\}\}/g, "‹$1›").replace(/\s+/g, " ").trim();

function rowsOf(draft: Draft, state: State, out: readonly Transition[]): Row[] {
  const rows: Row[] = [];
  const prompt = draft.settings.prompts.find((one) => one.key === state.prompt);
  if (state.prompt) rows.push({ row: "say", text: `“${spoken(prompt?.text ?? state.prompt)}”`, lines: 1 });
  if (state.ask.length > 0) rows.push({ row: "chips", word: "asks", chips: chips(state.ask, "plain") });
  const sets = [...new Set([...written(state.entry), ...written(state.exit), ...out.flatMap((row) => written(row.effects))])];
  if (sets.length > 0) rows.push({ row: "chips", word: "sets", chips: chips(sets, "set") });
  const reads = [...new Set([...out.flatMap((row) => slotsRead(row.guard)), ...slotsRead(prompt?.text)])].filter(
    (slot) => !sets.includes(slot),
  );
  if (reads.length > 0) rows.push({ row: "chips", word: "reads", chips: chips(reads, "read") });
  if (state.tools.length > 0) rows.push({ row: "chips", word: "uses", chips: chips(state.tools, "tool") });
  if (state.agent) rows.push({ row: "chips", word: "to", chips: chips([state.agent], "plain") });
  for (const when of ["entry", "exit"] as const) {
    for (const effect of state[when].slice(0, 3))
      rows.push({ row: "effect", when, text: cut(effectText(effect), 30) });
  }
  for (const row of out) {
    if (row.target === null) rows.push({ row: "internal", id: row.id, text: cut(labelText(row), 34) });
  }
  if (state.max_visits !== null) rows.push({ row: "visits", text: `at most ${state.max_visits} visits` });
  return rows;
}

function rowWidth(row: Row): number {
  switch (row.row) {
    case "say":
      return Math.min(textWidth(row.text, "text"), 200);
    case "chips":
      return row.chips.reduce((sum, chip) => sum + chipWidth(chip), textWidth(row.word, "text"));
    case "effect":
      return textWidth(row.text, "code") + textWidth(row.when, "text") + 30;
    case "internal":
      return textWidth(row.text, "text") + 20;
    case "visits":
      return textWidth(row.text, "text") + 20;
  }
}

function sized(name: string, rows: Row[], badge: boolean): { w: number; h: number; rows: Row[] } {
  const needed = Math.max(
    textWidth(name, "name") + 44 + (badge ? 34 : 0),
    ...rows.map((row) => rowWidth(row) + SIDE + 4),
  );
  const w = Math.ceil(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, needed)) / 8) * 8;
  const measured = rows.map((row) =>
    row.row === "say" ? { ...row, lines: Math.min(2, lineCount(row.text, "text", w - SIDE - 6)) } : row,
  );
  const inner = measured.reduce((sum, row) => sum + (row.row === "say" ? row.lines * 16 : ROW) + GAP, -GAP);
  const h = measured.length === 0 ? HEADER + 2 : HEADER + PAD + inner + 3;
  return { w, h: Math.ceil(h / 2) * 2, rows: measured };
}

function viewOfState(draft: Draft, state: State, problems: Problem[]): StateView {
  const index = indexOf(draft);
  const out = index.outOf.get(state.id) ?? [];
  const regions = index.regionsOf.get(state.id) ?? [];
  const composite = regions.length > 0;
  const plain = composite ? ("composite" as const) : ("state" as const);
  const kind = state.kind === null || state.kind === "state" ? plain : state.kind;
  const name = nameOf(state);
  const lane = laneOf(draft, state.id);
  const own = {
    id: state.id,
    name,
    kind,
    mark: state.history === "deep" ? "H*" : "H",
    initial: index.region.get(state.region)?.initial === state.id,
    limit: draft.limits.target === state.id,
    speaker: lane !== null && isSpeaker(lane),
    inner: regions.reduce((sum, region) => sum + (index.statesOf.get(region.id)?.length ?? 0), 0),
    worst: problems[0]?.severity ?? null,
    problems: problems.length,
  };
  if (kind === "history") return { ...own, rows: [], w: 36, h: 36 };
  return { ...own, ...sized(name, rowsOf(draft, state, out), problems.length > 0 || composite) };
}

const ICON = 18;
/** A first line longer than this may be cut. */
const LONG_FIRST = 168;
/** Height of a pill of one line, and of two. */
export const PILL = { one: 22, two: 37 };

function viewOfTransition(draft: Draft, row: Transition, target: Id, problems: Problem[]): TransitionView {
  const siblings = (indexOf(draft).outOf.get(row.source) ?? []).filter(
    (other) => other.target !== null && triggerKind(other.on) !== "propose" && sameTrigger(other, row),
  );
  const [first, second] = labelLines(row);
  const order = siblings.length > 1 && triggerKind(row.on) !== "propose" ? siblings.indexOf(row) + 1 : null;
  const top = textWidth(first, "strong") + ICON + (order === null ? 0 : 22) + (problems.length > 0 ? 18 : 0);
  const w = Math.max(top, second === null ? 0 : textWidth(second, "code")) + 18;
  return {
    id: row.id,
    source: row.source,
    target,
    trigger: triggerKind(row.on),
    first,
    second,
    full: labelText(row),
    order,
    worst: problems[0]?.severity ?? null,
    w,
    h: second === null ? PILL.one : PILL.two,
    least: Math.min(w, top + 18, LONG_FIRST),
  };
}

const sameTrigger = (a: Transition, b: Transition): boolean => triggerText(a.on) === triggerText(b.on);

export interface Views {
  states: Map<Id, StateView>;
  transitions: Map<Id, TransitionView>;
}

let memo = new WeakMap<Draft, Views>();
let last: Views | null = null;

/** Sizes were taken with other fonts: work them out anew. */
export const forgetViews = (): void => {
  memo = new WeakMap();
};

/** An equal view keeps its identity from draft to draft, so that what has not changed is not drawn anew. */
function kept<V extends { id: Id }>(view: V, before: Map<Id, V> | undefined): V {
  const old = before?.get(view.id);
  return old && JSON.stringify(old) === JSON.stringify(view) ? old : view;
}

export function viewsOf(draft: Draft): Views {
  const known = memo.get(draft);
  if (known) return known;
  const problems = problemsById(draft);
  const index = indexOf(draft);
  const states = new Map<Id, StateView>();
  const transitions = new Map<Id, TransitionView>();
  for (const state of draft.states)
    states.set(state.id, kept(viewOfState(draft, state, problems.get(state.id) ?? []), last?.states));
  for (const row of draft.transitions) {
    if (row.target === null || !index.state.has(row.target) || !index.state.has(row.source)) continue;
    const view = viewOfTransition(draft, row, row.target, problems.get(row.id) ?? []);
    transitions.set(row.id, kept(view, last?.transitions));
  }
  const views = { states, transitions };
  memo.set(draft, views);
  last = views;
  return views;
}
