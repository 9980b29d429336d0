import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { follow, jitter, type LineState, type Reset, type Socket } from "../../src/transport";

interface Item {
  seq: number;
}

/** A server with a log, and lines to it that can lose frames or be cut. Time is turned by hand. */
class FakeServer {
  log: Item[] = [];
  lines: FakeLine[] = [];
  watches: { from: number | null; epoch?: number }[] = [];
  pending: { run: () => void; at: number }[] = [];
  now = 0;
  epoch = 1;
  resetNext = false;
  refuse: number | null = null;

  open = (): Socket => {
    const line = new FakeLine(this);
    this.lines.push(line);
    queueMicrotask(() => (this.refuse === null ? line.onopen?.({}) : line.cut(this.refuse)));
    return line;
  };
  schedule = (run: () => void, milliseconds: number): (() => void) => {
    const entry = { run, at: this.now + milliseconds };
    this.pending.push(entry);
    return () => {
      this.pending = this.pending.filter((other) => other !== entry);
    };
  };
  async pass(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    const due = this.pending.filter((entry) => entry.at <= this.now);
    this.pending = this.pending.filter((entry) => entry.at > this.now);
    for (const entry of due) entry.run();
    await settle();
  }
  get line(): FakeLine {
    return this.lines[this.lines.length - 1]!;
  }
  append(count: number, options: { lose?: boolean; twice?: boolean } = {}): void {
    const fresh = Array.from({ length: count }, (_, n) => ({ seq: this.log.length + n + 1 }));
    this.log.push(...fresh);
    if (options.lose) return;
    this.line.say({ op: "events", events: fresh });
    if (options.twice) this.line.say({ op: "events", events: fresh });
  }
  watch(line: FakeLine, request: { from: number | null; epoch?: number }): void {
    this.watches.push(request);
    if (this.resetNext) {
      this.resetNext = false;
      this.epoch += 1;
      line.say({ op: "reset", epoch: this.epoch, seq: this.log.length, snapshot: { n: this.log.length }, reason: "epoch" });
    } else if (request.from !== null) {
      const missing = this.log.filter((item) => item.seq > (request.from ?? 0));
      for (let at = 0; at < missing.length; at += 3) line.say({ op: "events", events: missing.slice(at, at + 3) });
    }
    line.say({ op: "live", epoch: this.epoch, head: this.log.length });
  }
}

class FakeLine implements Socket {
  onopen: ((event: unknown) => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  private readonly server: FakeServer;
  constructor(server: FakeServer) {
    this.server = server;
  }
  send(text: string): void {
    this.server.watch(this, JSON.parse(text) as { from: number | null });
  }
  close(): void {}
  say(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
  cut(code = 1006): void {
    this.onclose?.({ code });
  }
}

const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

function start(server: FakeServer, from: number | null = 0) {
  const got: number[] = [];
  const states: LineState[] = [];
  const resets: Reset<unknown>[] = [];
  const client = follow<Item>(
    "ws://x/ws",
    {
      items: (items) => got.push(...items.map((item) => item.seq)),
      reset: (reset) => resets.push(reset),
      state: (state) => states.push(state),
    },
    { from, open: server.open, schedule: server.schedule, delay: () => 100 },
  );
  return { got, states, resets, client };
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, index) => index + 1);

describe("the resume client", () => {
  it("takes everything there is, then what comes", async () => {
    const server = new FakeServer();
    server.log = upTo(7).map((seq) => ({ seq }));
    const { got, states } = start(server);
    await settle();
    server.append(2);
    expect(got).toEqual(upTo(9));
    expect(states.at(-1)).toBe("live");
  });

  it("continues from its last item after a cut in the middle of a burst", async () => {
    const server = new FakeServer();
    const { got } = start(server);
    await settle();
    server.append(3);
    server.line.cut();
    server.log.push({ seq: 4 }, { seq: 5 });
    await server.pass(100);
    server.append(1);
    expect(got).toEqual(upTo(6));
    expect(server.watches.map((watch) => watch.from)).toEqual([0, 3]);
  });

  it("drops doubles and watches again at a hole", async () => {
    const server = new FakeServer();
    const { got } = start(server);
    await settle();
    server.append(2, { twice: true });
    server.append(1, { lose: true });
    server.append(1);
    await server.pass(100);
    expect(got).toEqual(upTo(4));
  });

  it("notices at a second heartbeat that something was lost", async () => {
    const server = new FakeServer();
    const { got } = start(server);
    await settle();
    server.append(1, { lose: true });
    server.line.say({ op: "hb", head: 1 });
    expect(got).toEqual([]);
    server.line.say({ op: "hb", head: 1 });
    await server.pass(100);
    expect(got).toEqual([1]);
  });

  it("comes back when the line falls silent", async () => {
    const server = new FakeServer();
    const { got } = start(server);
    await settle();
    server.append(1, { lose: true });
    await server.pass(40_000);
    await server.pass(100);
    expect(got).toEqual([1]);
  });

  it("starts over from a reset and goes on behind it", async () => {
    const server = new FakeServer();
    server.log = upTo(5).map((seq) => ({ seq }));
    server.resetNext = true;
    const { got, resets } = start(server, 2);
    await settle();
    server.append(1);
    expect(resets).toMatchObject([{ epoch: 2, seq: 5, reason: "epoch" }]);
    expect(got).toEqual([6]);
  });

  it("does not come back by itself when it was refused", async () => {
    const server = new FakeServer();
    server.refuse = 4404;
    const { states } = start(server);
    await settle();
    await server.pass(60_000);
    expect(states.at(-1)).toBe("refused");
    expect(server.lines).toHaveLength(1);
  });

  it("from now on means: nothing of before", async () => {
    const server = new FakeServer();
    server.log = upTo(5).map((seq) => ({ seq }));
    const { got } = start(server, null);
    await settle();
    server.append(2);
    expect(got).toEqual([6, 7]);
  });

  it("waits between a quarter of a second and eight, with full jitter", () => {
    for (let attempt = 0; attempt < 12; attempt += 1) {
      expect(jitter(attempt, () => 0)).toBe(250);
      expect(jitter(attempt, () => 1)).toBe(Math.min(8000, 250 * 2 ** attempt));
    }
  });

  it("loses nothing and doubles nothing, whatever the line does", async () => {
    const act = fc.constantFrom("append", "lose", "twice", "cut", "beat", "wait");
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 30 }), async (acts) => {
        const server = new FakeServer();
        const { got, client } = start(server);
        await settle();
        for (const what of acts) {
          if (what === "append") server.append(2);
          if (what === "lose") server.append(1, { lose: true });
          if (what === "twice") server.append(1, { twice: true });
          if (what === "cut") server.line.cut();
          if (what === "beat") server.line.say({ op: "hb", head: server.log.length });
          if (what === "wait") await server.pass(100);
        }
        await server.pass(100);
        server.line.say({ op: "hb", head: server.log.length });
        server.line.say({ op: "hb", head: server.log.length });
        await server.pass(100);
        expect(got).toEqual(upTo(server.log.length));
        client.close();
      }),
      { numRuns: 60 },
    );
  });
});
