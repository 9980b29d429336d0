// Generated from designer/realtime/frames.py by `python -m designer.realtime.frames_ts`. Do not edit.

export const SUBPROTOCOL = "calls.v1";

export const CLOSE_CODES = {
  bad_watch: 4400,
  unauthenticated: 4401,
  forbidden: 4403,
  not_found: 4404,
  too_slow: 4408,
  too_big: 4413,
  too_many: 4429,
} as const;

/** One Call event: numbered from 1 without gaps; `in_seq` says which input caused it. */
export interface CallItem {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly in_seq: number;
}

/** One step of a job (of a dry run, or a scenario of a suite), or its end. */
export interface JobItem {
  readonly seq: number;
  readonly type: "step" | "scenario" | "done" | "failed" | "cancelled";
  readonly data: Readonly<Record<string, unknown>>;
}

/** One applied batch of operations; `seq` is the draft's revision after it. */
export interface DraftItem {
  readonly seq: number;
  readonly type: "edit";
  readonly data: Readonly<Record<string, unknown>>;
}

/** Somebody else at the same draft; a person with two windows is there twice. */
export interface Person {
  readonly session: string;
  readonly user: Readonly<Record<string, string>>;
  readonly selection: readonly (string)[];
  readonly field: string | null;
  readonly cursor: Readonly<Record<string, number>> | null;
}

/** What a client says first: from which item on it wants the stream (null: from now on). */
export interface Watch {
  readonly op: "watch";
  readonly epoch: number | null;
  readonly from: number | null;
}

/** Where a client's person is on a draft: selected rows, the field typed in, the cursor. */
export interface Here {
  readonly op: "here";
  readonly selection: readonly (string)[];
  readonly field: string | null;
  readonly cursor: Readonly<Record<string, number>> | null;
}

/** Items in order, up to 64 when live, up to 500 when catching up. */
export interface Events {
  readonly op: "events";
  readonly events: readonly (CallItem | JobItem | DraftItem)[];
}

/** The client has everything up to `head`; what follows comes as it is committed. */
export interface Live {
  readonly op: "live";
  readonly epoch: number;
  readonly head: number;
}

/** Sent every 15 s, so that a client can see that it is behind. */
export interface Heartbeat {
  readonly op: "hb";
  readonly head: number;
}

/** The stream cannot be continued from where the client stands: begin from this snapshot. */
export interface Reset {
  readonly op: "reset";
  readonly epoch: number;
  readonly seq: number;
  readonly snapshot: Readonly<Record<string, unknown>>;
  readonly reason: "epoch" | "pruned" | "too_far" | "ahead";
}

/** Everybody else at a draft, whenever that changes; never stored, never replayed. */
export interface Presence {
  readonly op: "presence";
  readonly people: readonly (Person)[];
}

export type ServerFrame = Events | Live | Heartbeat | Reset | Presence;

export type ClientFrame = Watch | Here;
