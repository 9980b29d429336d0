/** The draft over REST: read it, edit it, read the edits of others (docs/contracts.md, section 5). */
import type { Draft, Json, Operation, Problem } from "../model";
import { get, post } from "./http";

export interface EditAnswer {
  revision: number;
  /** As applied, with what they brought along (a renamed key's rewritten references). */
  operations: Operation[];
  inverse: Operation[];
  problems: Problem[];
  replayed: boolean;
}

export interface Batch {
  id: string;
  base: number;
  operations: readonly Operation[];
  /** What it is called in the sender's history. */
  title: string;
  /** The batch of one's own that this one takes back, or that took back what this one does again. */
  undoes?: string;
  redoes?: string;
}

/** An edit of one's own to take back or do again: `inverse` does it, `id` is what is undone or redone. */
export interface HistoryEntry {
  id: string;
  revision: number;
  title: string;
  inverse: Operation[];
}
export interface HistoryAnswer {
  undo: HistoryEntry[];
  redo: HistoryEntry[];
}

/** One item of `/ws/v1/agents/{id}/draft`: its `seq` is the revision it made. */
export interface EditItem {
  seq: number;
  type: "edit";
  data: { id: string; by: { id: string; name: string } | null; title?: string; operations: Operation[]; problems?: Problem[] | null };
}

const path = (agent: string): string => `/v1/agents/${encodeURIComponent(agent)}/draft`;

export const fetchDraft = (agent: string): Promise<Draft> => get<Draft>(path(agent));

export const fetchHistory = (agent: string): Promise<HistoryAnswer> => get<HistoryAnswer>(`${path(agent)}/history`);

/** A script that shows a problem (the one with the same code and path). */
export interface Finding {
  code: string;
  path: (string | number)[];
  script: Json[];
}

export const fetchFindings = (agent: string): Promise<{ revision: number; findings: Finding[] }> => get(`${path(agent)}/findings`);

export const postOperations = (agent: string, batch: Batch): Promise<EditAnswer> =>
  post<EditAnswer>(`${path(agent)}/operations`, batch);

export const draftSocketPath = (agent: string): string => `/ws/v1/agents/${encodeURIComponent(agent)}/draft`;
