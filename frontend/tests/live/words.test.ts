import { expect, it } from "vitest";
import { tell } from "../../src/features/live/words";
import type { CallEvent } from "../../src/model/step";

const event = (type: string, data: CallEvent["data"]): CallEvent => ({ seq: 1, in_seq: 1, type, data, at: "2026-11-30T10:00:00.000Z" });
const same = (key: string): string => key;

it("says to whom a Call was handed, and who gave it back", () => {
  expect(tell(event("handoff.completed", { from: null, to: "billing" }), same).words).toBe("Handed off to billing");
  expect(tell(event("handoff.completed", { from: "billing", to: "sales" }), same).words).toBe("Handed off from billing to sales");
  expect(tell(event("handoff.completed", { from: "billing", to: null }), same).words).toBe("Handed back by billing: the chart's own Agent speaks again");
});

it("masks a sensitive slot and says who wrote it", () => {
  expect(tell(event("slot.set", { slot: "card", from: null, to: "4111", by: "host" }), same, new Set(["card"])).words).not.toContain("4111");
  expect(tell(event("slot.set", { slot: "tries", from: 0, to: 1, by: "effect" }), same).words).toBe("tries = 1, by the effect");
});

it("tells what the decision lane said, and when it said nothing", () => {
  expect(tell(event("decision.verdict", { question: "intent", answer: "refund", confidence: 0.914 }), same).words).toBe("intent: refund, 91 % sure");
  expect(tell(event("decision.failed", { question: "intent", error: "time-out" }), same)).toEqual({ tone: "warn", words: "No answer to intent: time-out" });
});
