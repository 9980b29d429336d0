import { describe, expect, it } from "vitest";
import { flashOf, litAt, refusedTransitions } from "../../src/features/live/marks";
import { momentAt } from "../../src/features/live/replay";
import { readSlotValue, shownValue } from "../../src/features/live/slotValue";
import { afterFeed, quiet } from "../../src/features/live/useCall";
import type { Draft, State, Transition } from "../../src/model/draft";
import { lookupOf } from "../../src/model/lookup";
import type { CallEvent } from "../../src/model/step";

const state = (key: string) => ({ id: `id-${key}`, region: "r", key, label: null }) as State;
const transition = (id: string, source: string, target: string, on: Transition["on"], key: string | null = null) =>
  ({ id, source: `id-${source}`, target: `id-${target}`, on, key }) as Transition;
const rows = {
  regions: [{ id: "r", key: "main", label: null, parent: null, role: "speaker" }],
  states: [state("greeting"), state("refund")],
  transitions: [transition("t1", "greeting", "refund", { event: "refund" }), transition("t2", "greeting", "refund", { propose: "wants it" }, "asked")],
  slots: [],
} as unknown as Draft;
const lookup = lookupOf(rows);
const event = (seq: number, type: string, data: CallEvent["data"]): CallEvent => ({ seq, at: "2026-11-30T10:00:00.000Z", type, data });

describe("what a Call lights up", () => {
  it("names a transition without a key by its source and place", () => {
    expect(lookup.transition.get("greeting_1")).toBe("t1");
    expect(lookup.transition.get("asked")).toBe("t2");
  });

  it("lights the active state, counts visits and marks what could be taken", () => {
    const moment = momentAt([event(1, "state.entered", { state: "greeting", visits: 2 })]);
    const allowed = [{ key: "refund", target: "refund", trigger: null, allowed: true, reason: null, message: null }];
    expect(litAt(moment, rows, lookup, allowed)).toEqual([
      ["state", "id-greeting", { visited: 2 }], ["state", "id-greeting", { active: "live" }], ["transition", "t1", { possible: true }],
    ]);
  });

  it("flashes what was taken, and what was refused by the guards it names or by its event", () => {
    expect(flashOf(event(2, "transition.taken", { transition: "asked" }), rows, lookup)).toEqual([["transition", "t2", { flash: "taken" }]]);
    expect(refusedTransitions(event(3, "transition.refused", { proposal: "refund", reason: "guard", guards: [{ transition: "asked" }] }), rows, lookup)).toEqual(["t2"]);
    expect(refusedTransitions(event(3, "transition.refused", { event: "refund", reason: "guard", states: ["greeting"], guards: [] }), rows, lookup)).toContain("t1");
    expect(refusedTransitions(event(3, "transition.refused", { event: "weather", reason: "undeclared", states: ["greeting"] }), rows, lookup)).toEqual([]);
  });
});

describe("the feed", () => {
  it("takes every event once", () => {
    const first = afterFeed(quiet, { is: "items", items: [event(1, "a", {}), event(2, "b", {})] });
    const again = afterFeed(first, { is: "items", items: [event(2, "b", {}), event(3, "c", {})] });
    expect(again.events.map((one) => one.seq)).toEqual([1, 2, 3]);
  });
});

describe("slot values", () => {
  it("reads what was typed as the slot's type", () => {
    expect(readSlotValue("integer", "12")).toEqual({ ok: true, value: 12 });
    expect(readSlotValue("integer", "12.5")).toMatchObject({ ok: false });
    expect(readSlotValue("boolean", "true")).toEqual({ ok: true, value: true });
    expect(readSlotValue("list", "a, b")).toEqual({ ok: true, value: ["a", "b"] });
    expect(readSlotValue("string", " a ")).toEqual({ ok: true, value: " a " });
  });

  it("never shows a sensitive value", () => {
    expect(shownValue("+442071838750", true)).toBe("•••8750");
    expect(shownValue("1234", true)).toBe("•••");
    expect(shownValue(null, true)).toBe("unset");
    expect(shownValue("plain", false)).toBe("plain");
  });
});
