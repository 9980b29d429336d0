/** Workspaces, members, invitations, tokens and the audit: docs/contracts.md section 6, by name. */
import type { Json } from "../model";
import { del, get, patch, post } from "./http";
import type { Page } from "./resources";

export const ROLES = ["designer", "reviewer", "support", "admin"] as const;
export type Role = (typeof ROLES)[number];

export interface Workspace {
  slug: string;
  name: string;
  allow_self_approval: boolean;
  require_scenarios: boolean;
}

export interface Member {
  user: { id: string; name: string; email: string };
  roles: Role[];
  joined_at: string | null;
  last_sign_in_at: string | null;
}

export interface Invitation {
  id: string;
  email: string;
  roles: Role[];
  created_at: string;
  created_by: { id: string; name: string } | null;
  expires_at: string;
  expired: boolean;
}

export interface Token {
  id: string;
  name: string;
  prefix: string;
  roles: Role[];
  owner: { id: string; name: string };
  created_at: string;
  expires_at: string;
  expired: boolean;
  last_used_at: string | null;
}

export interface AuditEntry {
  id: string;
  at: string;
  actor: { id: string | null; name: string };
  action: string;
  object: { kind: string; id: string };
  address: string;
  data: { [name: string]: Json };
}

export interface AuditFilter {
  action?: string;
  actor?: string;
  object?: string;
  from?: string;
  to?: string;
}

function auditPath(filter: AuditFilter, cursor: string | null): string {
  const given = Object.entries({ ...filter, cursor, limit: "50" }).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return `/v1/audit?${new URLSearchParams(given).toString()}`;
}

export const people = {
  workspace: () => get<Workspace>("/v1/workspace"),
  changeWorkspace: (fields: Partial<Omit<Workspace, "slug">>) => patch<Workspace>("/v1/workspace", fields),
  members: () => get<Member[]>("/v1/members"),
  setRoles: (user: string, roles: Role[]) => patch<Member>(`/v1/members/${user}`, { roles }),
  removeMember: (user: string) => del(`/v1/members/${user}`),
  invitations: () => get<Invitation[]>("/v1/invitations"),
  /** The answer alone holds the link. */
  invite: (email: string, roles: Role[]) => post<Invitation & { url: string }>("/v1/invitations", { email, roles }),
  withdraw: (id: string) => del(`/v1/invitations/${id}`),
  tokens: () => get<Token[]>("/v1/tokens"),
  /** The answer alone holds the secret. */
  issueToken: (body: { name: string; roles: Role[]; days: number }) => post<Token & { secret: string }>("/v1/tokens", body),
  revokeToken: (id: string) => del(`/v1/tokens/${id}`),
  audit: (filter: AuditFilter, cursor: string | null) => get<Page<AuditEntry>>(auditPath(filter, cursor)),
};
