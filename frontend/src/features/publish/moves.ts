import { may } from "../../model/roles";

/** What a person with these roles can do with a version of this status. Pure; the server decides, this spares a refused button. */
export type NextMove = "none" | "activate" | "approve" | "wait";

const FREE = new Set(["approved", "retired"]);

export function nextMove(status: string, roles: readonly string[]): NextMove {
  if (status === "active") return "none";
  if (FREE.has(status)) return may("versions.activate", roles) ? "activate" : "wait";
  return may("versions.approve", roles) ? "approve" : "wait";
}

export const moveWords: Readonly<Record<NextMove, string>> = {
  none: "", activate: "Activate", approve: "Approve and activate", wait: "A reviewer approves it next",
};
