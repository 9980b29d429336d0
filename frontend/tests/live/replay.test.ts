import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apply, momentAt, nextRefusal, nothing, tickOf } from "../../src/features/live/replay";
import { namesOf, tell } from "../../src/features/live/words";
import type { CallEvent } from "../../src/model/step";

const event = (seq: number, type: string, data: CallEvent["data"] = {}): CallEvent => ({ seq, at: `2026-11-30T10:00:0${seq % 10}.000Z`, type, data });

const call: CallEvent[] = [
  event(1, "call.started", { version: 3 }),
  event(2, "state.entered", { region: "main", state: "greeting", visits: 1 }),
  event(3, "turn.caller", { text: "hello" }),
  event(4, "transition.refused", { event: "refund", states: ["greeting"], reason: "guard", message: "refund was refused in Greeting" }),
  event(5, "slot.set", { slot: "order_id", from: null, to: "A1", by: "model" }),
  event(6, "state.exited", { region: "main", state: "greeting" }),
  event(7, "transition.taken", { transition: "to_refund", source: "greeting", target: "refund", event: "refund" }),
  event(8, "state.entered", { region: "main", state: "refund", visits: 1 }),
  event(9, "call.ended", { outcome: "resolved" }),
];

describe("replay", () => {
  it("rebuilds the active states, slots and counters of any moment", () => {
    expect(momentAt(call, 5)).toMatchObject({ seq: 5, active: ["greeting"], slots: { order_id: "A1" }, counters: { turns: 1, transitions: 0, refusals: 1 }, ended: false });
    expect(momentAt(call)).toMatchObject({ seq: 9, active: ["refund"], visits: { greeting: 1, refund: 1 }, taken: { to_refund: 1 }, ended: true, outcome: "resolved" });
  });

  it("applies an event that came twice once", () => {
    expect(momentAt([...call, ...call])).toEqual(momentAt(call));
  });

  it("starts from nothing", () => {
    expect(momentAt(call, 0)).toEqual(nothing);
  });

  it("gives the same moment whether it is replayed at once or continued from any point", () => {
    fc.assert(fc.property(fc.nat(call.length), (cut) => {
      const resumed = call.slice(cut).reduce(apply, momentAt(call.slice(0, cut)));
      expect(resumed).toEqual(momentAt(call));
    }));
  });

  it("finds the refusal before and after a position", () => {
    expect(nextRefusal(call, 0, 1)).toBe(4);
    expect(nextRefusal(call, 9, -1)).toBe(4);
    expect(nextRefusal(call, 4, 1)).toBeNull();
  });

  it("gives every event a shape on the slider", () => {
    expect(call.map(tickOf)).toEqual(["other", "other", "other", "refused", "slot", "other", "transition", "other", "other"]);
  });
});

describe("events in words", () => {
  const names = namesOf([{ key: "greeting", label: null }, { key: "refund", label: "Pay back" }]);

  it("names states as their author did and says a refusal in its own sentence", () => {
    expect(call.map((one) => tell(one, names).words)).toEqual([
      "The Call started on v3", "Entered Greeting", "hello", "refund was refused in Greeting", "order_id = A1, by the model",
      "Left Greeting", "Greeting → Pay back on refund", "Entered Pay back", "The Call ended: resolved",
    ]);
  });

  it("shows a type it was never taught as it is", () => {
    expect(tell(event(1, "workflow.evaluated", { workflow: "triage" }), names)).toEqual({ tone: "quiet", words: "workflow.evaluated: workflow triage" });
  });
});
