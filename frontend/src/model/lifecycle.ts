/** The life of a version: what each status is called, and who may do what next and why not. Pure; the server decides, this spares a refused button. */
import { may } from "./roles";

export type VersionMove = "request" | "approve" | "return" | "activate" | "retire";

export interface VersionLook {
  number: number;
  status: string;
  published_by?: string | { id: string; name: string } | null;
  void?: { code: string; detail: string } | null;
}

export interface Who {
  /** Id of the person who looks. */
  id: string;
  roles: readonly string[];
  /** The workspace lets people approve what they made; undefined where that is not known. */
  selfApproval?: boolean;
}

export interface Offer {
  move: VersionMove;
  /** Why this person cannot; null when they can. */
  why: string | null;
}

const WORDS: Readonly<Record<string, string>> = {
  draft: "draft",
  published: "published",
  in_review: "in review",
  approved: "approved",
  returned: "returned",
  active: "active",
  retired: "retired",
};

export const statusWords = (status: string): string => WORDS[status] ?? status;

const DEED = {
  request: "versions.review",
  approve: "versions.approve",
  return: "versions.approve",
  activate: "versions.activate",
  retire: "versions.activate",
} as const satisfies Record<VersionMove, Parameters<typeof may>[0]>;

const ROLES: Readonly<Record<VersionMove, string>> = {
  request: "Designers ask for a review.",
  approve: "Reviewers approve versions.",
  return: "Reviewers return versions.",
  activate: "Designers, reviewers and admins activate versions.",
  retire: "Designers, reviewers and admins retire versions.",
};

const NEXT: Readonly<Record<string, readonly VersionMove[]>> = {
  published: ["request", "return", "approve"],
  in_review: ["return", "approve"],
  approved: ["activate"],
  retired: ["activate"],
  active: ["retire"],
};

const idOf = (person: VersionLook["published_by"]): string | null => (typeof person === "object" && person !== null ? person.id : null);

function whyNot(move: VersionMove, version: VersionLook, who: Who): string | null {
  if (!may(DEED[move], who.roles)) return ROLES[move];
  const own = idOf(version.published_by) === who.id;
  if (move === "approve" && own && who.selfApproval === false) return "You published this version: somebody else approves it.";
  if (move === "activate" && version.void) return version.void.detail;
  return null;
}

/** What can be done with a version now, in the order of the buttons. */
export function offersOf(version: VersionLook, who: Who): Offer[] {
  // An approval that holds no longer is renewed by approving again.
  const renewed: readonly VersionMove[] = version.void && version.status === "approved" ? ["approve"] : [];
  return [...(NEXT[version.status] ?? []), ...renewed].map((move) => ({ move, why: whyNot(move, version, who) }));
}

/** Where a version stands, in one sentence for those who wait. */
export function standing(version: VersionLook, activeVersion: number | null): string {
  const until = activeVersion === null ? "Until then no version is active, and Calls start only on a version named by number." : `Until then new Calls start on v${activeVersion}.`;
  switch (version.status) {
    case "published":
      return `Nobody has been asked to review it yet. ${until}`;
    case "in_review":
      return `It waits for a reviewer. ${until}`;
    case "approved":
      return version.void ? `Its approval holds no longer: ${version.void.detail}` : `It is approved and can be activated. ${until}`;
    case "returned":
      return "It was returned. Change the draft and publish a new version.";
    case "active":
      return "New Calls start on it.";
    case "retired":
      return "It was active once. It can be activated again.";
    default:
      return "";
  }
}
