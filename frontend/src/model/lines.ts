/** One line of a script, told in words (docs/contracts.md, section 2). Pure. */
import type { Json } from "./draft";

export type Line = { [key: string]: Json };

export function isLine(value: unknown): value is Line {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function proposalInWords(proposal: Json | undefined): string {
  if (!isLine(proposal)) return "a proposal";
  if (proposal.transition !== undefined) return `propose ${shown(proposal.transition)}`;
  if (isLine(proposal.set_slot)) return `propose ${shown(proposal.set_slot.slot)} = ${shown(proposal.set_slot.value)}`;
  if (proposal.handoff !== undefined) return `propose a handoff to ${shown(proposal.handoff)}`;
  return "a proposal";
}

/** `refused type`, `active triage, given`, `slots topic = refund`: what is looked at, and what it should be. */
function expectationInWords(expected: Json | undefined): string {
  if (!isLine(expected)) return shown(expected);
  const parts = Object.entries(expected).map(([name, value]) => {
    if (Array.isArray(value)) return `${name} ${value.map(shown).join(", ")}`;
    if (isLine(value)) return `${name} ${Object.entries(value).map(([key, one]) => `${key} = ${shown(one)}`).join(", ")}`;
    return `${name} ${shown(value)}`;
  });
  return parts.join("; ");
}

/** A line in words, for the list of steps. */
export function inWords(line: Line): string {
  if (line.event !== undefined) return shown(line.event);
  if (line.propose !== undefined) return proposalInWords(line.propose);
  if (line.caller !== undefined) return `caller: “${shown(line.caller)}”`;
  if (line.agent !== undefined) return `agent: “${shown(line.agent)}”`;
  if (isLine(line.set)) return `set ${shown(line.set.slot)} = ${shown(line.set.value)}`;
  if (line.advance !== undefined) return `${shown(line.advance)} pass`;
  if (line.expect !== undefined) return `expect ${expectationInWords(line.expect)}`;
  if (line.timer !== undefined) return `timer ${shown(line.timer)}`;
  return "start";
}
