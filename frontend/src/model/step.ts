/** A step of a dry run and a Call as the page reads them (docs/contracts.md, sections 4, 6 and 7). */
import type { Json } from "./draft";

export type { Json };

/** Value of a configuration: region key to active state key, nested where the state holds regions. */
export type Value = { [region: string]: string | { [state: string]: Value } };

export interface GuardRead {
  transition: string;
  source: string;
  guard: string;
  outcome: "true" | "false" | "error";
  reads: { [name: string]: Json };
  error: string | null;
}

export interface RefusalReport {
  reason: string;
  message: string;
  event?: string | null;
  states?: string[];
  guards?: GuardRead[];
}

export interface EffectReport {
  kind: "set" | "clear" | "raise" | "say" | "call" | "handoff" | "hook" | "end";
  [detail: string]: Json;
}

export interface HookReport {
  hook: string;
  on: string;
  state?: string | null;
  transition?: string | null;
  data: { [key: string]: Json };
}

export interface RecordReport {
  type: string;
  at: string;
  data: { [key: string]: Json };
}

export interface Step {
  index: number;
  input: { [key: string]: Json };
  at: string;
  moved: boolean;
  refusal: RefusalReport | null;
  value: Value;
  active: string[];
  slots: { [slot: string]: Json };
  effects: EffectReport[];
  hooks: HookReport[];
  guards: GuardRead[];
  records: RecordReport[];
  expectation: { met: boolean; message: string } | null;
}

/** One kept record of a running conversation: `seq` starts at 1 and has no gaps. */
export interface CallEvent {
  seq: number;
  at: string;
  type: string;
  data: { [key: string]: Json };
  in_seq?: number | null;
}

export interface Allowed {
  key: string;
  target: string | null;
  trigger: Json;
  allowed: boolean;
  reason: string | null;
  message: string | null;
}

export interface CallSlot {
  key: string;
  type: string;
  label: string | null;
  value: Json;
  sensitive: boolean;
  masked: boolean;
}

export interface Call {
  id: string;
  agent: { id: string; key: string; name: string };
  version: number;
  digest: string;
  status: "running" | "ended";
  outcome: string | null;
  epoch: number;
  head_seq: number;
  value: Value;
  active: string[];
  slots: CallSlot[];
  counters: {
    turns: number;
    transitions: number;
    refusals: number;
    elapsed: number;
    visits: { [state: string]: number };
  };
  limits: { [limit: string]: Json };
  allowed: { events: Allowed[]; proposals: Allowed[]; handoffs: Allowed[]; slots: Allowed[] };
  started_at: string;
  ended_at: string | null;
}

/** Answer to anything that was sent into a Call. */
export interface CallAnswer {
  epoch: number;
  first_seq: number | null;
  last_seq: number | null;
  status: "running" | "ended";
  active: string[];
  value: Value;
  events: CallEvent[];
  refusal: RefusalReport | null;
  replayed: boolean;
}
