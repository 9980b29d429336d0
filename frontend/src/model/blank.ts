/** Rows as they are before anyone has written into them: every optional field there, empty. */
import type { Answer, Draft, Entries, EntryList, Id, Lane, Question, Region, Slot, State, Transition } from "./draft";

export const blankRegion = (id: Id, parent: Id | null): Region => ({
  id,
  key: id,
  label: null,
  parent,
  role: null,
  initial: null,
  stability: {},
  entry: [],
  exit: [],
});

export const blankState = (id: Id, region: Id): State => ({
  id,
  region,
  key: id,
  label: null,
  kind: "state",
  history: null,
  prompt: null,
  instructions: null,
  tools: [],
  ask: [],
  agent: null,
  keywords: [],
  max_visits: null,
  entry: [],
  exit: [],
  notes: null,
});

export const blankTransition = (id: Id, source: Id): Transition => ({
  id,
  source,
  target: null,
  key: null,
  label: null,
  on: { event: "event" },
  guard: null,
  effects: [],
  internal: false,
  external: false,
  min_confidence: null,
  max_takes: null,
  notes: null,
});

export const blankSlot = (id: Id): Slot => ({
  id,
  key: id,
  label: null,
  type: "string",
  choices: [],
  default: null,
  pattern: null,
  minimum: null,
  maximum: null,
  max_length: null,
  sensitive: false,
  writers: null,
  description: null,
});

export const blankDraft = (id: Id = "agent"): Draft => ({
  agent: { id, key: id, name: id },
  revision: 0,
  settings: { instructions: "", prompts: [], tools: [], outcomes: [], squad: [], policies: [], question_sets: [], lane: blankLane() },
  limits: {},
  regions: [],
  states: [],
  transitions: [],
  slots: [],
  layout: {},
  problems: [],
  active_version: null,
  latest_version: null,
  differs: false,
});

export const blankLane = (): Lane => ({ provider: null, model: "", threshold: 0.6, timeout: "3s" });
export const blankAnswer = (key: string): Answer => ({ key, label: null, description: "", examples: [], keywords: [] });
export const blankQuestion = (key: string): Question => ({ key, label: null, kind: "choice", context: false, answers: [] });

/** An entry of a list beside the machine with nothing said. */
export function blankEntry<L extends EntryList>(list: L, key: string): Entries[L] {
  const blanks: { [list in EntryList]: Entries[list] } = {
    prompts: { key, text: "" },
    tools: { key, description: "", arguments: {}, call: { kind: "host", url: null, method: null }, approval: "allow" },
    outcomes: { key, label: "" },
    squad: { key, agent: "" },
    policies: { key, tool: "tool", effect: "approve", when: null, message: "" },
    question_sets: { key, label: null, questions: [] },
  };
  return blanks[list];
}
