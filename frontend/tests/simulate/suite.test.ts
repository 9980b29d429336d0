import { describe, expect, it } from "vitest";
import type { Draft } from "../../src/model/draft";
import { coverOf, recordedLines, type Coverage, type ScenarioRun } from "../../src/model/scenario";
import type { Step } from "../../src/model/step";
import { afterSuite, noSuite, type SuiteEvent } from "../../src/store/suite";

const run = (id: string, ok: boolean): ScenarioRun => ({ id, name: id, ok, failures: ok ? [] : [{ line: 1, message: "not there" }], steps: 2 });
const play = (...events: SuiteEvent[]) => events.reduce(afterSuite, noSuite);
const item = (seq: number, one: ScenarioRun) => ({ seq, type: "scenario" as const, data: { ...one } });

describe("a suite", () => {
  const begun: SuiteEvent[] = [{ is: "asked", total: 2 }, { is: "accepted", job: "j", total: null }];

  it("shows each scenario as it ends, and the coverage at the end", () => {
    const half = play(...begun, { is: "items", items: [item(1, run("a", true))] });
    expect([half.status, half.runs.length, half.total]).toEqual(["running", 1, 2]);
    const coverage: Coverage = { states: {}, transitions: {}, guards: {}, missing: { states: [], transitions: [] } };
    const whole = afterSuite(half, { is: "items", items: [item(2, run("b", false)), { seq: 3, type: "done", data: { result: { total: 2, passed: 1, failed: 1, coverage } } }] });
    expect([whole.status, whole.runs.map((one) => one.ok), whole.coverage]).toEqual(["done", [true, false], coverage]);
  });

  it("counts a scenario once when a lost worker ran it again", () => {
    const twice = play(...begun, { is: "items", items: [item(1, run("a", false)), item(2, run("a", true))] });
    expect(twice.runs).toEqual([run("a", true)]);
  });

  it("keeps what ran before it was stopped", () => {
    const stopped = play(...begun, { is: "items", items: [item(1, run("a", true)), { seq: 2, type: "cancelled", data: {} }] });
    expect([stopped.status, stopped.runs.length]).toEqual(["cancelled", 1]);
  });

  it("says why it failed", () => {
    expect(play(...begun, { is: "items", items: [{ seq: 1, type: "failed", data: { error: { detail: "The chart has an error." } } }] }).fault).toBe("The chart has an error.");
  });
});

const rows = {
  regions: [{ id: "r", key: "main", parent: null, role: "speaker" }],
  states: [{ id: "s1", key: "a", region: "r", kind: null }, { id: "s2", key: "b", region: "r", kind: null }],
  transitions: [{ id: "t1", source: "s1", target: "s2", key: "go", guard: "slots.x" }, { id: "t2", source: "s1", target: "s2", key: "skip", guard: null }, { id: "t3", source: "s2", target: "s1", key: "back", guard: null }],
  slots: [],
} as unknown as Draft;

describe("coverage", () => {
  it("is in part where a guard only ever said one thing", () => {
    const coverage: Coverage = { states: { a: 3 }, transitions: { go: 2, skip: 1 }, guards: { go: { true: 2, false: 0 } }, missing: { states: ["b"], transitions: ["back"] } };
    const cover = coverOf(rows, coverage);
    expect(Object.fromEntries(cover.states)).toEqual({ s1: "full", s2: "none" });
    expect(Object.fromEntries(cover.transitions)).toEqual({ t1: "part", t2: "full", t3: "none" });
    expect(coverOf(rows, { ...coverage, guards: { go: { true: 2, false: 1 } } }).transitions.get("t1")).toBe("full");
  });
});

describe("a recorded dry run", () => {
  const step = (input: Step["input"], active: string[], refused?: string): Step => ({
    index: 0, input, at: "", moved: true, refusal: refused ? { reason: refused, message: "" } : null, value: {}, active, slots: {}, effects: [], hooks: [], guards: [], records: [], expectation: null,
  });
  it("expects after each line where it led, and a refusal where there was one", () => {
    expect(recordedLines(rows, [step({ event: "go" }, ["b"]), step({ event: "no" }, ["b"], "guard")])).toEqual([
      { event: "go" }, { expect: { active: "b" } }, { event: "no" }, { expect: { active: "b", refused: "guard" } },
    ]);
  });
  it("leaves what was expected already as it was written", () => {
    const lines: Step["input"][] = [{ event: "go" }, { expect: { active: "b" } }];
    expect(recordedLines(rows, lines.map((line) => step(line, ["b"])))).toEqual(lines);
  });
});
