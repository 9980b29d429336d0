/** Comments as threads, each at its place on the chart of one version. Pure. */
import type { Draft, Id } from "../../model/draft";
import { lookupOf } from "../../model/lookup";
import { nameOf } from "../../model/names";
import { describeTransition } from "../../model/names";
import type { Comment, CommentAnchor, CommentKind } from "../../model/review";

export interface Thread {
  id: string;
  comments: Comment[];
  resolved: boolean;
  /** The row it is on, in the rows that are shown; null when it is on none of them. */
  place: Id | null;
  /** What it is on, in words. */
  about: string;
  gone: boolean;
}

type Anchors = { [kind: string]: { [key: string]: string } } | undefined;

/** The key that what was commented on has in this version: it may have been renamed since. */
function keyIn(anchor: Comment["anchor"], anchors: Anchors): string | null {
  const made = Object.entries(anchors?.[anchor.kind] ?? {}).find(([, id]) => id === anchor.id);
  return made?.[0] ?? anchor.key;
}

function placeOf(kind: CommentKind, key: string | null, rows: Draft): Id | null {
  if (key === null) return null;
  const lookup = lookupOf(rows);
  if (kind === "state") return lookup.state.get(key)?.id ?? null;
  if (kind === "region") return lookup.region.get(key) ?? null;
  if (kind === "transition") return lookup.transition.get(key) ?? null;
  if (kind === "prompt") return rows.states.find((state) => state.prompt === key)?.id ?? null;
  return null;
}

const KINDS: Readonly<Record<CommentKind, string>> = { agent: "The agent", region: "Region", state: "State", transition: "Transition", slot: "Slot", prompt: "Prompt" };

function aboutOf(kind: CommentKind, key: string | null, place: Id | null, rows: Draft): string {
  if (kind === "agent") return KINDS.agent;
  const row = rows.states.find((one) => one.id === place) ?? rows.regions.find((one) => one.id === place);
  if (row && kind !== "prompt") return `${KINDS[kind]} ${nameOf(row)}`;
  const way = rows.transitions.find((one) => one.id === place);
  if (way) return describeTransition(rows, way);
  return `${KINDS[kind]} ${key ?? ""}`.trim();
}

/** Threads, those that wait for an answer first, then the newest. */
export function threadsOf(comments: readonly Comment[], rows: Draft, anchors: Anchors): Thread[] {
  const answers = new Map<string, Comment[]>();
  for (const one of comments) if (one.parent) answers.set(one.parent, [...(answers.get(one.parent) ?? []), one]);
  const oldest = (a: Comment, b: Comment): number => a.at.localeCompare(b.at);
  const threads = comments.filter((one) => !one.parent).map((first): Thread => {
    const { kind, gone } = first.anchor;
    const key = keyIn(first.anchor, anchors);
    const place = placeOf(kind, key, rows);
    return {
      id: first.id,
      comments: [first, ...(answers.get(first.id) ?? []).sort(oldest)],
      resolved: first.resolved !== null,
      place,
      about: aboutOf(kind, key, place, rows),
      gone,
    };
  });
  return threads.sort((a, b) => Number(a.resolved) - Number(b.resolved) || (b.comments[0]?.at ?? "").localeCompare(a.comments[0]?.at ?? ""));
}

/** The anchor of a row on the chart, by its key in the rows that are shown; the agent when nothing is selected. */
export function anchorOf(rows: Draft, id: Id | null): { anchor: CommentAnchor; about: string } {
  const state = rows.states.find((row) => row.id === id);
  if (state) return { anchor: { kind: "state", key: state.key }, about: `state ${nameOf(state)}` };
  const region = rows.regions.find((row) => row.id === id);
  if (region) return { anchor: { kind: "region", key: region.key }, about: `region ${nameOf(region)}` };
  const slot = rows.slots.find((row) => row.id === id);
  if (slot) return { anchor: { kind: "slot", key: slot.key }, about: `slot ${slot.key}` };
  const way = [...lookupOf(rows).transition].find(([, row]) => row === id);
  const row = rows.transitions.find((one) => one.id === id);
  if (way && row) return { anchor: { kind: "transition", key: way[0] }, about: describeTransition(rows, row).replace(/^T/, "t") };
  return { anchor: { kind: "agent", key: rows.agent.key }, about: "the agent" };
}
