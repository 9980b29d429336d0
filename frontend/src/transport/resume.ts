/**
 * The resume protocol of docs/contracts.md, section 7, over any stream of numbered items.
 *
 * The promise to the listener: every item once and in order, whatever the line does. An item is handed on only
 * if its number is the last one plus one; a hole, a heartbeat that is ahead for longer than one beat, or a cut
 * line make the client watch again from the last number it has.
 */

import type { ClientFrame, Person } from "./frames";

export interface Numbered {
  seq: number;
}

export interface Reset<S> {
  epoch: number;
  seq: number;
  snapshot: S | null;
  reason: string;
}

export type LineState = "connecting" | "replaying" | "live" | "waiting" | "closed" | "refused";

export interface ResumeListener<I extends Numbered, S> {
  /** Items in order, each once. */
  items(items: I[]): void;
  /** The server cannot continue from where we were: start over from this. */
  reset?(reset: Reset<S>): void;
  /** `code` is the close code where the server refused (4401, 4403, 4404, ...). */
  state?(state: LineState, code?: number): void;
  /** Who else is there, on a stream that tells. */
  people?(people: readonly Person[]): void;
}

/** The part of WebSocket that is used; tests hand in their own. */
export interface Socket {
  send(text: string): void;
  close(code?: number): void;
  onopen: ((event: unknown) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: ((event: unknown) => void) | null;
}

export interface ResumeOptions {
  /** Last item the listener has already; 0 for everything, null for "from now on". */
  from?: number | null;
  epoch?: number;
  open?: (url: string) => Socket;
  /** Milliseconds to wait before attempt n: full jitter between 0.25 s and 8 s. */
  delay?: (attempt: number) => number;
  schedule?: (run: () => void, milliseconds: number) => () => void;
}

export interface Resume {
  readonly last: number | null;
  /** Says something on the line, if it is up; nothing that must arrive. */
  say(message: ClientFrame): void;
  close(): void;
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
/** A line that says nothing for this long (two and a half heartbeats) is dead. */
const SILENCE = 38_000;
/** The server will say the same again: do not come back by yourself. */
const FINAL = new Set([4400, 4401, 4403, 4404]);

export function jitter(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
  return Math.max(FIRST_WAIT, Math.round(random() * ceiling));
}

const later = (run: () => void, milliseconds: number): (() => void) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

const browserSocket = (url: string): Socket => new WebSocket(url, ["calls.v1"]) as unknown as Socket;

/** `/ws/v1/...` on the host that served the page. */
export function socketUrl(path: string): string {
  const { protocol, host } = window.location;
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}${path}`;
}

type Frame =
  | { op: "events"; events: Numbered[] }
  | { op: "live"; epoch: number; head: number }
  | { op: "hb"; head: number }
  | { op: "reset"; epoch: number; seq: number; snapshot: unknown; reason: string }
  | { op: "presence"; people: Person[] };

class Client<I extends Numbered, S> implements Resume {
  last: number | null;
  private epoch: number | undefined;
  private socket: Socket | null = null;
  private attempt = 0;
  private stopped = false;
  private live = false;
  private behindSince: number | null = null;
  private cancelRetry: () => void = () => {};
  private cancelSilence: () => void = () => {};
  private readonly url: string;
  private readonly listener: ResumeListener<I, S>;
  private readonly open: (url: string) => Socket;
  private readonly delay: (attempt: number) => number;
  private readonly schedule: (run: () => void, milliseconds: number) => () => void;

  constructor(url: string, listener: ResumeListener<I, S>, options: ResumeOptions) {
    this.url = url;
    this.listener = listener;
    this.last = options.from === undefined ? 0 : options.from;
    this.epoch = options.epoch;
    this.open = options.open ?? browserSocket;
    this.delay = options.delay ?? jitter;
    this.schedule = options.schedule ?? later;
    this.connect();
  }

  close(): void {
    this.stopped = true;
    this.cancelRetry();
    this.cancelSilence();
    this.drop();
    this.tell("closed");
  }

  say(message: ClientFrame): void {
    if (this.live) this.socket?.send(JSON.stringify(message));
  }

  private tell(state: LineState, code?: number): void {
    this.listener.state?.(state, code);
  }

  private connect(): void {
    if (this.stopped) return;
    this.live = false;
    this.behindSince = null;
    this.tell("connecting");
    const socket = this.open(this.url);
    this.socket = socket;
    socket.onopen = () => {
      if (this.socket === socket) this.watch();
    };
    socket.onmessage = (event) => {
      if (this.socket === socket) this.receive(event.data);
    };
    socket.onerror = () => {};
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event.code);
    };
    this.listen();
  }

  /** Asks for what comes after the last item that was handed on. */
  private watch(): void {
    this.live = false;
    this.behindSince = null;
    const epoch = this.epoch === undefined ? {} : { epoch: this.epoch };
    this.tell("replaying");
    this.socket?.send(JSON.stringify({ op: "watch", ...epoch, from: this.last }));
  }

  private receive(data: unknown): void {
    this.listen();
    const frame = JSON.parse(String(data)) as Frame;
    switch (frame.op) {
      case "events":
        return this.take(frame.events as I[]);
      case "live":
        this.epoch = frame.epoch;
        this.last ??= frame.head;
        this.live = true;
        if (frame.head > this.last) this.behindSince = this.last;
        this.attempt = 0;
        return this.tell("live");
      case "hb":
        return this.compare(frame.head);
      case "reset":
        this.epoch = frame.epoch;
        this.last = frame.seq;
        return this.listener.reset?.({ ...frame, snapshot: frame.snapshot as S | null });
      case "presence":
        return this.listener.people?.(frame.people);
    }
  }

  /** Hands on what continues the sequence; drops what is known; a hole means: watch again. */
  private take(items: I[]): void {
    const fresh: I[] = [];
    let hole = false;
    for (const item of items) {
      if (this.last !== null && item.seq <= this.last) continue;
      if (this.last !== null && item.seq !== this.last + 1) {
        hole = true;
        break;
      }
      this.last = item.seq;
      fresh.push(item);
    }
    if (fresh.length > 0) this.listener.items(fresh);
    if (hole) this.rejoin();
  }

  /** A head that is ahead of us may be an item under way; ahead at two beats with nothing between is a loss. */
  private compare(head: number): void {
    if (this.last === null || !this.live || head <= this.last) {
      this.behindSince = null;
    } else if (this.behindSince === this.last) {
      this.rejoin();
    } else {
      this.behindSince = this.last;
    }
  }

  /** The protocol takes one `watch` a line: a new line starts clean. */
  private rejoin(): void {
    this.drop();
    this.retry();
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close(1000);
  }

  private lost(code: number): void {
    this.socket = null;
    this.cancelSilence();
    if (this.stopped) return;
    if (FINAL.has(code)) {
      this.stopped = true;
      this.tell("refused", code);
      return;
    }
    this.retry();
  }

  private retry(): void {
    this.cancelSilence();
    this.tell("waiting");
    this.cancelRetry();
    this.cancelRetry = this.schedule(() => this.connect(), this.delay(this.attempt));
    this.attempt += 1;
  }

  private listen(): void {
    this.cancelSilence();
    this.cancelSilence = this.schedule(() => this.rejoin(), SILENCE);
  }
}

/** Follows a stream until it is closed; `url` from `socketUrl`. */
export function follow<I extends Numbered, S = unknown>(
  url: string,
  listener: ResumeListener<I, S>,
  options: ResumeOptions = {},
): Resume {
  return new Client<I, S>(url, listener, options);
}
