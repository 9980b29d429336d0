/**
 * One person's own undo and redo. The server keeps it (it is read from the log of edits when a draft is opened);
 * here are the same two stacks with what has not been answered yet on top.
 */
import type { Operation } from "../model";
import type { HistoryAnswer } from "../transport";

export interface Entry {
  /** The batch that did it: what the next batch says it undoes, or does again. */
  id: string;
  /** What was done, in words: shown in the tooltip. */
  label: string;
  /** What to send to take it back (on the undo side) or to do it again (on the redo side). */
  operations: Operation[];
}

export interface History {
  undo: Entry[];
  redo: Entry[];
}

export const NO_HISTORY: History = { undo: [], redo: [] };
const DEPTH = 100;

/** From the server's answer, which has the newest first. */
export function historyFrom(answer: HistoryAnswer): History {
  const side = (entries: HistoryAnswer["undo"]): Entry[] =>
    entries.map(({ id, title, inverse }) => ({ id, label: title, operations: inverse })).reverse();
  return { undo: side(answer.undo), redo: side(answer.redo) };
}

const without = (entries: Entry[], id: string): Entry[] => entries.filter((entry) => entry.id !== id);

/** Remembers a new act: there is nothing to redo after it. */
export const remember = (history: History, entry: Entry): History => ({
  undo: [...history.undo, entry].slice(-DEPTH),
  redo: [],
});

/** The act `id` was taken back by `redo`. */
export const undone = (history: History, id: string, redo: Entry): History => ({
  undo: without(history.undo, id),
  redo: [...history.redo, redo],
});

/** What `id` had taken back was done again by `undo`. */
export const redone = (history: History, id: string, undo: Entry): History => ({
  undo: [...history.undo, undo].slice(-DEPTH),
  redo: without(history.redo, id),
});

export const forget = (history: History, id: string): History => ({
  undo: without(history.undo, id),
  redo: without(history.redo, id),
});

/** The server knows better what leads back: it saw what the batch brought along. */
export function answered(history: History, id: string, inverse: Operation[]): History {
  const better = (entry: Entry): Entry => (entry.id === id ? { ...entry, operations: inverse } : entry);
  return { undo: history.undo.map(better), redo: history.redo.map(better) };
}
