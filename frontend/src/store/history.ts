/** One person's own undo and redo: operations that lead back, kept for this tab through a reload. */
import type { Operation } from "../model";

export interface Entry {
  /** What was done, in words: shown in the tooltip. */
  label: string;
  /** What to send to take it back (on the undo side) or to do it again (on the redo side). */
  operations: Operation[];
  /** The batch that did it, while the server has not answered: a refused batch takes its entry along. */
  batch: string | null;
}

export interface History {
  undo: Entry[];
  redo: Entry[];
}

export const NO_HISTORY: History = { undo: [], redo: [] };
const DEPTH = 100;

/** Remembers a new act: there is nothing to redo after it. */
export const remember = (history: History, entry: Entry): History => ({
  undo: [...history.undo, entry].slice(-DEPTH),
  redo: [],
});

export const undone = (history: History, redo: Entry): History => ({
  undo: history.undo.slice(0, -1),
  redo: [...history.redo, redo],
});

export const redone = (history: History, undo: Entry): History => ({
  undo: [...history.undo, undo],
  redo: history.redo.slice(0, -1),
});

export const forget = (history: History, batch: string): History => ({
  undo: history.undo.filter((entry) => entry.batch !== batch),
  redo: history.redo.filter((entry) => entry.batch !== batch),
});

const place = (agent: string): string => `callchart.history.${agent}`;

export function saveHistory(agent: string, history: History): void {
  try {
    sessionStorage.setItem(place(agent), JSON.stringify(history));
  } catch {
    // A full or forbidden storage costs the undo over a reload, nothing else.
  }
}

export function loadHistory(agent: string): History {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place(agent)) ?? "null") as Partial<History> | null;
    return { undo: kept?.undo ?? [], redo: kept?.redo ?? [] };
  } catch {
    return NO_HISTORY;
  }
}
