/** What people with which roles may do, as the server's table says it (designer/accounts/policy.py). Pure. The server decides; this spares a refused button. */
const TABLE = {
  "agents.change": ["designer", "admin"],
  "drafts.edit": ["designer", "admin"],
  "versions.publish": ["designer", "admin"],
  "versions.review": ["designer", "admin"],
  "versions.approve": ["reviewer"],
  "versions.activate": ["designer", "reviewer", "admin"],
  "comments.write": ["designer", "reviewer", "support", "admin"],
  "comments.resolve": ["designer", "reviewer", "admin"],
  "scenarios.edit": ["designer", "reviewer", "admin"],
  "scenarios.record": ["designer", "reviewer", "support", "admin"],
  "calls.drive": ["designer", "support", "admin"],
  "members.manage": ["admin"],
  "workspace.manage": ["admin"],
  "audit.read": ["admin", "reviewer"],
} as const satisfies { readonly [deed: string]: readonly string[] };

export type Deed = keyof typeof TABLE;

export function may(deed: Deed, roles: readonly string[]): boolean {
  return TABLE[deed].some((role) => roles.includes(role));
}
