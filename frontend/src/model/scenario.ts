/** Scenarios: scripts with expectations, kept with an Agent, and what running them says. Pure. */
import type { Draft, Id, Json } from "./draft";
import { lookupOf } from "./lookup";
import { laneOf } from "./tree";
import type { Step } from "./step";

export interface Scenario {
  id: string;
  name: string;
  description: string;
  slots: { [slot: string]: Json };
  lines: { [key: string]: Json }[];
  revision: number;
  updated_at: string;
  updated_by: string | { id: string; name: string } | null;
  last: { ok: boolean; at: string; version: number | "draft" } | null;
}

export interface Failure {
  /** From 0; -1 is the start, before the first line. */
  line: number;
  message: string;
}

/** What one scenario of a suite did. */
export interface ScenarioRun {
  id: string;
  name: string;
  ok: boolean;
  failures: Failure[];
  steps: number;
}

export interface Coverage {
  states: { [key: string]: number };
  transitions: { [key: string]: number };
  guards: { [key: string]: { true: number; false: number } };
  missing: { states: string[]; transitions: string[] };
}

export interface SuiteResult {
  total: number;
  passed: number;
  failed: number;
  coverage: Coverage;
  scenarios?: ScenarioRun[];
}

export interface SuiteResults extends SuiteResult {
  job: string;
  at: string;
  /** Something changed since: the scenarios or the chart. */
  stale: boolean;
}

export const lineWords = (failure: Failure): string => (failure.line < 0 ? "At the start" : `Line ${failure.line + 1}`);

/** How far one thing of the chart is covered: taken, with a guard that only ever said one thing, or never. */
export type Cover = "full" | "part" | "none";

/** Coverage by the ids of the rows that are shown. Regions and choices count as what is in them. */
export function coverOf(rows: Draft, coverage: Coverage): { states: Map<Id, Cover>; transitions: Map<Id, Cover> } {
  const lookup = lookupOf(rows);
  const states = new Map<Id, Cover>();
  for (const [key, state] of lookup.state) {
    if (state.kind === "history") continue;
    states.set(state.id, (coverage.states[key] ?? 0) > 0 ? "full" : "none");
  }
  const guarded = new Map(rows.transitions.map((row) => [row.id, row.guard !== null]));
  const transitions = new Map<Id, Cover>();
  for (const [key, id] of lookup.transition) {
    const taken = (coverage.transitions[key] ?? 0) > 0;
    const asked = coverage.guards[key];
    const half = guarded.get(id) === true && (asked === undefined || asked.true === 0 || asked.false === 0);
    transitions.set(id, taken ? (half ? "part" : "full") : asked ? "part" : "none");
  }
  return { states, transitions };
}

/** Where the conversation is: the key of the innermost active state of the speaker's lane, else of any. */
function spokenIn(rows: Draft, active: readonly string[]): string | undefined {
  const lookup = lookupOf(rows);
  const speaking = active.filter((key) => {
    const state = lookup.state.get(key);
    return state !== undefined && laneOf(rows, state.id)?.role === "speaker";
  });
  return (speaking.length > 0 ? speaking : active).at(-1);
}

/**
 * The lines of a dry run as a scenario: after each line that did something, what it led to. Expectations that
 * were in the script already are taken as they are; nothing is added before them.
 */
export function recordedLines(rows: Draft, steps: readonly Step[]): { [key: string]: Json }[] {
  return steps.flatMap((step, index): { [key: string]: Json }[] => {
    const expects = (one: Step | undefined): boolean => one !== undefined && "expect" in one.input;
    if (expects(step) || expects(steps[index + 1])) return [step.input];
    const active = spokenIn(rows, step.active);
    const expect = { ...(active ? { active } : {}), ...(step.refusal ? { refused: step.refusal.reason } : {}) };
    return Object.keys(expect).length > 0 ? [step.input, { expect }] : [step.input];
  });
}
