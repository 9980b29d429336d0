/** Reviews of versions over REST: what changed, comments, decisions (docs/contracts.md, section 6). */
import type { Comparison, Comment, CommentAnchor, Behaviour } from "../model/review";
import { del, get, patch, post } from "./http";
import { agentPath, once, query, type Page, type Version } from "./resources";

export interface NewComment {
  anchor: CommentAnchor;
  version?: number;
  text: string;
  parent?: string;
}

const versionPath = (agent: string, number: number): string => `${agentPath(agent)}/versions/${number}`;

/** Every page of a list, in order. */
async function all<T>(path: (cursor: string | null) => string): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<T> = await get<Page<T>>(path(cursor));
    found.push(...page.results);
    cursor = page.next;
  } while (cursor !== null);
  return found;
}

export const reviews = {
  request: (agent: string, number: number, note: string) => post<Version>(`${versionPath(agent, number)}/review`, note ? { note } : {}),
  approve: (agent: string, number: number, note: string) => post<Version>(`${versionPath(agent, number)}/approve`, note ? { note } : {}),
  giveBack: (agent: string, number: number, reason: string) => post<Version>(`${versionPath(agent, number)}/return`, { reason }),
  activate: (agent: string, number: number) => post<Version>(`${versionPath(agent, number)}/activate`, {}),
  retire: (agent: string, number: number) => post<Version>(`${versionPath(agent, number)}/retire`, {}),

  compare: (agent: string, before: number, after: number | "draft") => get<Comparison>(`${versionPath(agent, before)}/compare/${after}`),
  behaviour: (agent: string, before: number, after: number | "draft") => get<Behaviour>(`${versionPath(agent, before)}/compare/${after}/behaviour`),

  comments: (agent: string) => all<Comment>((cursor) => `${agentPath(agent)}/comments${query({ limit: 100, cursor })}`),
  comment: (agent: string, body: NewComment) => post<Comment>(`${agentPath(agent)}/comments`, body, once()),
  changeComment: (agent: string, id: string, body: { text: string } | { resolved: boolean }) =>
    patch<Comment>(`${agentPath(agent)}/comments/${encodeURIComponent(id)}`, body),
  deleteComment: (agent: string, id: string) => del(`${agentPath(agent)}/comments/${encodeURIComponent(id)}`),
};
