import { describe, expect, it } from "vitest";
import { formatScript, inWords, parseScript, withLine, type Line } from "../../src/features/simulate/script";
import { slotChanges, toneOf } from "../../src/features/simulate/steps";
import type { Step } from "../../src/model/step";

const step = (change: Partial<Step>): Step => ({
  index: 0, input: {}, at: "", moved: false, refusal: null, value: {}, active: [], slots: {}, effects: [], hooks: [], guards: [], records: [], expectation: null, ...change,
});

describe("scripts", () => {
  it("reads a list of lines and an object with slots", () => {
    expect(parseScript('[{"event": "refund"}]')).toMatchObject({ ok: true, lines: [{ event: "refund" }], slots: null });
    expect(parseScript('{"script": [], "slots": {"a": 1}}')).toMatchObject({ ok: true, lines: [], slots: { a: 1 } });
  });

  it("names the line that says nothing, or two things", () => {
    expect(parseScript('[{"event": "a"}, {"data": {}}]')).toMatchObject({ ok: false, message: expect.stringContaining("Line 2") });
    expect(parseScript('[{"event": "a", "advance": "2s"}]')).toMatchObject({ ok: false, message: expect.stringContaining("event and advance") });
    expect(parseScript("[")).toMatchObject({ ok: false, message: expect.stringContaining("not JSON yet") });
  });

  it("adds a line without losing what stands there", () => {
    const text = withLine('{"slots": {"a": 1}, "script": [{"event": "x"}]}', { advance: "2s" });
    expect(parseScript(text)).toMatchObject({ ok: true, slots: { a: 1 }, lines: [{ event: "x" }, { advance: "2s" }] });
    expect(withLine("", { event: "x" })).toBe(formatScript([{ event: "x" }]));
    expect(withLine("[oops", { event: "x" })).toBe("[oops");
  });

  it("tells every kind of line in words", () => {
    const lines: Line[] = [{ event: "order.paid" }, { propose: { transition: "refund" } }, { propose: { set_slot: { slot: "a", value: 1 } } }, { propose: { handoff: "billing" } }, { caller: "hi" }, { set: { slot: "a", value: true } }, { advance: "20s" }, { expect: { active: "x" } }];
    expect(lines.map(inWords)).toEqual(["order.paid", "propose refund", "propose a = 1", "propose a handoff to billing", "caller: “hi”", "set a = true", "20s pass", "expect active x"]);
  });
});

describe("steps", () => {
  it("lists only the slots that changed", () => {
    expect(slotChanges({ a: 1, b: 2 }, { a: 1, b: 3, c: null })).toEqual([{ slot: "b", from: 2, to: 3 }]);
  });

  it("puts an unmet expectation above everything else", () => {
    const refusal = { reason: "guard", message: "no" };
    expect(toneOf(step({ refusal, expectation: { met: false, message: "no" } }))).toBe("unmet");
    expect(toneOf(step({ refusal }))).toBe("refused");
    expect(toneOf(step({ moved: true }))).toBe("moved");
  });
});
