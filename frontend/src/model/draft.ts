/**
 * The draft as the page reads it (docs/contracts.md, section 5). Rows go by id; order is meaning.
 * Everything here is a value: an operation makes a new draft (operations.ts), nothing is changed in place.
 */

export type Id = string;

export type SlotType =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | "enum"
  | "date"
  | "time"
  | "datetime"
  | "duration"
  | "email"
  | "phone"
  | "list";

export const SLOT_TYPES: readonly SlotType[] = [
  "string",
  "integer",
  "number",
  "boolean",
  "enum",
  "date",
  "time",
  "datetime",
  "duration",
  "email",
  "phone",
  "list",
];

/** A machine remembers at most this many slots (machine.md, section 3). */
export const SLOT_LIMIT = 32;

export type StateKind = "state" | "final" | "history" | "choice";
export type RegionRole = "speaker" | "observer";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What a transition, an entry or an exit does (machine.md, section 6): exactly one of the verbs. */
export interface Effect {
  set?: string;
  value?: string;
  clear?: string;
  raise?: string;
  data?: { [key: string]: Json };
  say?: string;
  call?: string;
  args?: { [key: string]: string };
  handoff?: string;
  hook?: string;
  end?: string;
}

/** Exactly one of the five triggers (machine.md, section 4). */
export interface Trigger {
  event?: string | string[];
  propose?: string;
  after?: string;
  always?: true;
  done?: true;
}

export type TriggerKind = "event" | "propose" | "after" | "always" | "done";

export interface Region {
  id: Id;
  key: string;
  label: string | null;
  /** The state that holds this region, or null for a lane. */
  parent: Id | null;
  role: RegionRole | null;
  initial: Id | null;
  stability: { cooldown?: string; backward_confidence?: number } | null;
  entry: Effect[];
  exit: Effect[];
}

export interface State {
  id: Id;
  region: Id;
  key: string;
  label: string | null;
  kind: StateKind | null;
  history: "shallow" | "deep" | null;
  prompt: string | null;
  instructions: string | null;
  tools: string[];
  ask: string[];
  agent: string | null;
  keywords: string[];
  max_visits: number | null;
  entry: Effect[];
  exit: Effect[];
  notes: string | null;
}

export interface Transition {
  id: Id;
  /** Id of a state or of a region. */
  source: Id;
  target: Id | null;
  key: string | null;
  label: string | null;
  on: Trigger;
  guard: string | null;
  effects: Effect[];
  internal: boolean | null;
  external: boolean | null;
  min_confidence: number | null;
  max_takes: number | null;
  notes: string | null;
}

export interface Slot {
  id: Id;
  key: string;
  label: string | null;
  type: SlotType;
  choices: string[];
  default: Json;
  pattern: string | null;
  minimum: number | null;
  maximum: number | null;
  max_length: number | null;
  sensitive: boolean | null;
  /** Null: all of them. */
  writers: ("model" | "effect" | "host")[] | null;
  description: string | null;
}

export interface Limits {
  turns?: number | null;
  transitions?: number | null;
  visits?: number | null;
  refusals?: number | null;
  seconds?: number | null;
  target?: Id | null;
}

export interface Prompt {
  key: string;
  text: string;
}
export interface ToolCall {
  kind: "host" | "http";
  url: string | null;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | null;
}
export type Approval = "allow" | "approve" | "deny";
export interface Tool {
  key: string;
  description?: string;
  /** A JSON Schema of type object, or empty. */
  arguments?: { [key: string]: Json };
  call?: ToolCall;
  approval?: Approval;
}
export interface Outcome {
  key: string;
  label?: string;
}
export interface SquadMember {
  key: string;
  agent: string;
}

/** A rule about a tool: live Calls ask it, dry runs do not. */
export interface Policy {
  key: string;
  tool: string;
  effect: "allow" | "deny" | "approve";
  when: string | null;
  message: string;
}

/** What a question offers; raised as `decision.<question>.<key>`. */
export interface Answer {
  key: string;
  label: string | null;
  description: string;
  examples: string[];
  keywords: string[];
}
export type QuestionKind = "choice" | "yes_no" | "several";
export interface Question {
  key: string;
  label: string | null;
  kind: QuestionKind;
  context: boolean;
  answers: Answer[];
}
export interface QuestionSet {
  key: string;
  label: string | null;
  questions: Question[];
}
/** Who answers the questions; below `threshold` an answer is "unsure". */
export interface Lane {
  provider: "embedded" | "keywords" | "openai" | null;
  model: string;
  threshold: number;
  timeout: string;
}

/** A state may have at most this many colleagues beside it (product.md, section 1). */
export const SQUAD_LIMIT = 8;

export interface Settings {
  name?: string;
  instructions: string;
  prompts: Prompt[];
  tools: Tool[];
  outcomes: Outcome[];
  squad: SquadMember[];
  policies: Policy[];
  question_sets: QuestionSet[];
  lane: Lane;
}

/** The lists beside the machine: an entry is known by its key, and changed one by one. */
export interface Entries {
  prompts: Prompt;
  tools: Tool;
  outcomes: Outcome;
  squad: SquadMember;
  policies: Policy;
  question_sets: QuestionSet;
}
export type EntryList = keyof Entries;

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export type Layout = { readonly [id: Id]: Box };

export type SubjectKind = "region" | "state" | "transition" | "slot" | "limits" | "settings" | "machine";

/** An operation as the server offers it (operations.ts knows them all). */
export interface FixOperation {
  op: string;
  [name: string]: unknown;
}

export interface Problem {
  code: string;
  severity: "error" | "warning" | "info";
  path: (string | number)[];
  message: string;
  hint: string | null;
  span: [number, number] | null;
  subject: { kind: SubjectKind; id: Id | null } | null;
  field: string | null;
  /** What takes it away, as one batch. */
  fix?: { label: string; operations: FixOperation[] } | null;
}

export interface VersionBrief {
  number: number;
  status: string;
  digest: string;
}

export interface Draft {
  agent: { id: Id; key: string; name: string };
  revision: number;
  settings: Settings;
  limits: Limits;
  regions: Region[];
  states: State[];
  transitions: Transition[];
  slots: Slot[];
  layout: Layout;
  problems: Problem[];
  active_version: number | null;
  latest_version: VersionBrief | null;
  differs: boolean;
}

/** What can be selected and has a page in the inspector. */
export interface Subject {
  kind: "region" | "state" | "transition" | "slot";
  id: Id;
}
