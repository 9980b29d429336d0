/** Rows as they are before anyone has written into them: every optional field there, empty. */
import type { Draft, Id, Region, Slot, State, Transition } from "./draft";

export const blankRegion = (id: Id, parent: Id | null): Region => ({
  id,
  key: id,
  label: null,
  parent,
  role: null,
  initial: null,
  stability: null,
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
  internal: null,
  external: null,
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
  sensitive: null,
  writers: [],
  description: null,
});

export const blankDraft = (id: Id = "agent"): Draft => ({
  agent: { id, key: id, name: id },
  revision: 0,
  settings: { instructions: "", prompts: [], tools: [], outcomes: [], squad: [], policies: [] },
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
