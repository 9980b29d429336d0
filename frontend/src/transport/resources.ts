/** The REST paths of docs/contracts.md section 6 that the screens around the canvas use, by name. Drafts are in drafts.ts. */
import type { Person } from "../model/people";
import type { Call, CallAnswer, CallEvent, Draft, Json, Problem, Step, Value } from "../model";
import { csrfToken, del, get, newId, post, request } from "./http";

export interface Page<T> {
  results: T[];
  next: string | null;
}

export interface Me {
  user: { id: string; name: string; email: string };
  workspace: { slug: string; name: string; roles: string[] };
  workspaces: { slug: string; name: string }[];
  mode: "embedded" | "scaled";
}

export type { Person } from "../model/people";

export interface AgentBrief {
  id: string;
  key: string;
  name: string;
  revision: number;
  status: string;
  active_version: number | null;
  latest_version: { number: number; status: string; digest: string } | null;
  differs: boolean;
  problems: { error: number; warning: number; info: number };
  live_calls: number;
  states: number;
  updated_at: string;
  updated_by: Person;
  thumbnail: { x: number; y: number; w: number; h: number; speaker: boolean }[];
}

export interface Template {
  key: string;
  name: string;
  description: string;
  states: number;
  slots: number;
  scripts: { name: string; lines: Json[] }[];
}

export interface Version {
  number: number;
  status: string;
  digest: string;
  published_at: string;
  published_by: Person;
  /** Who asked for a review, if somebody did. */
  review?: { requested_by: Person; requested_at: string; note: string | null } | null;
  decision?: { what: "approved" | "returned"; by: Person; at: string; note: string | null } | null;
  /** Why an approval holds no longer. */
  void?: { code: string; detail: string } | null;
  /** The version that was active when this one was published. */
  base?: number | null;
  evidence?: { scenarios: { total: number; passed: number; failed: number; at: string; job: string; stale?: boolean } | null; required: boolean };
  /** For each kind, from the key in this version to the id of the draft row it was made from. */
  anchors?: { [kind: string]: { [key: string]: string } };
  problems?: Problem[];
  document?: Json;
  layout?: Json;
  /** In the draft shape, with stable ids made from keys, so that the canvas draws it. */
  rows?: Draft;
}

export interface DryRunAnswer {
  job: string;
  status: string;
  ok?: boolean;
  start?: { value: Value; active: string[]; slots: { [slot: string]: Json }; records: Json[]; effects: Json[] };
  steps?: Step[];
}

export interface DryRunInput {
  events: Json[];
  slots?: { [slot: string]: Json };
  at?: string;
}

export interface Job {
  id: string;
  kind: string;
  status: "queued" | "running" | "done" | "failed" | "cancelled";
  done: number;
  total: number | null;
  result: Json;
  error: Json;
}

/** A Call in a list: where it stands, without what may be done now. */
export type CallBrief = Omit<Call, "slots" | "limits" | "allowed">;

/** What can be sent into a Call: the body of one script line, for each of the four doors. */
export type CallInput =
  | { door: "events"; body: { event: string; data?: Json; confidence?: number } }
  | {
      door: "proposals";
      body: { transition?: string; set_slot?: { slot: string; value: Json }; handoff?: string; confidence?: number; based_on_seq?: number };
    }
  | { door: "turns"; body: { caller: string } | { agent: string } }
  | { door: "slots"; body: { slot: string; value: Json } };

export type NewAgent = { key: string; name: string; template?: string } | { document: Json; layout?: Json };

export const agentPath = (id: string): string => `/v1/agents/${encodeURIComponent(id)}`;
const callPath = (id: string): string => `/v1/calls/${encodeURIComponent(id)}`;
export const once = (key: string = newId()): { "Idempotency-Key": string } => ({ "Idempotency-Key": key });

export function query(values: { [name: string]: string | number | null | undefined }): string {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

export const api = {
  me: () => get<Me>("/v1/me"),
  templates: async (): Promise<Template[]> => {
    const answer = await get<Template[] | Page<Template>>("/v1/templates");
    return Array.isArray(answer) ? answer : answer.results;
  },

  agents: (cursor?: string | null) => get<Page<AgentBrief>>(`/v1/agents${query({ limit: 100, cursor })}`),
  agent: (id: string) => get<AgentBrief>(agentPath(id)),
  createAgent: (body: NewAgent) => post<AgentBrief>("/v1/agents", body, once()),
  deleteAgent: (id: string) => del(agentPath(id)),
  document: (id: string) => get<Json>(`${agentPath(id)}/draft/document`),

  versions: (id: string, cursor?: string | null) => get<Page<Version>>(`${agentPath(id)}/versions${query({ limit: 50, cursor })}`),
  version: (id: string, number: number) => get<Version>(`${agentPath(id)}/versions/${number}`),
  /** `fresh` is false when the draft says what a version says already: the answer is then that version. */
  publish: async (id: string): Promise<{ version: Version; fresh: boolean }> => {
    const answer = await request<Version>("POST", `${agentPath(id)}/versions`, { body: {}, headers: once() });
    return { version: answer.data, fresh: answer.status === 201 };
  },
  approve: (id: string, number: number, note = "") => post<Version>(`${agentPath(id)}/versions/${number}/approve`, note ? { note } : {}),
  activate: (id: string, number: number) => post<Version>(`${agentPath(id)}/versions/${number}/activate`, {}),

  /** Answers at once with a job; its steps come over `/ws/v1/jobs/{id}`. */
  dryRun: (id: string, version: number | "draft", body: DryRunInput) =>
    post<DryRunAnswer>(`${agentPath(id)}/versions/${version}/machine/dry-run`, body, { Prefer: "wait=0", ...once() }),
  job: (id: string) => get<Job>(`/v1/jobs/${encodeURIComponent(id)}`),
  cancelJob: (id: string) => post<Job>(`/v1/jobs/${encodeURIComponent(id)}/cancel`, {}),

  calls: (filter: { agent?: string | null; status?: string | null; cursor?: string | null } = {}) =>
    get<Page<CallBrief>>(`/v1/calls${query({ limit: 50, ...filter })}`),
  call: (id: string) => get<Call>(callPath(id)),
  startCall: (body: { agent: string; version?: number; slots?: { [slot: string]: Json } }) => post<Call>("/v1/calls", body, once()),
  send: (id: string, input: CallInput) => post<CallAnswer>(`${callPath(id)}/${input.door}`, input.body, once()),
  endCall: (id: string, reason: string) => post<CallAnswer>(`${callPath(id)}/end`, { reason }, once()),
  callEvents: (id: string, after = 0, limit = 500) =>
    get<{ events: CallEvent[]; head: number; epoch: number }>(`${callPath(id)}/events${query({ after, limit })}`),

  /** allauth's own door: a form with the CSRF token; the session is over afterwards whatever page comes back. */
  signOut: async (): Promise<void> => {
    await fetch("/accounts/logout/", { method: "POST", credentials: "same-origin", headers: { "X-CSRFToken": csrfToken() } });
  },
};
