import { describe, expect, it } from "vitest";

import {
  applyAll,
  blankDraft,
  describeState,
  describeTransition,
  labelLines,
  labelText,
  outline,
  slotsRead,
  slug,
  transitionKey,
  uniqueKey,
} from "../../src/model";

describe("keys", () => {
  it("are slugs of names, never empty, never starting with a digit", () => {
    expect(slug("Ask the number!")).toBe("ask_the_number");
    expect(slug("Überprüfen")).toBe("uberprufen");
    expect(slug("2nd try")).toBe("state_2nd_try");
    expect(slug("電話")).toBe("state");
    expect(slug("x".repeat(90))).toHaveLength(64);
  });
  it("get the first free number when taken", () => {
    expect(uniqueKey("a", ["b"])).toBe("a");
    expect(uniqueKey("a", ["a", "a_2"])).toBe("a_3");
    expect(uniqueKey("x".repeat(64), ["x".repeat(64)])).toHaveLength(64);
  });
});

describe("labels", () => {
  const transition = { on: { event: "refund" }, guard: "slots.total < 250", effects: [{ set: "topic", value: "'r'" }] };
  it("read event [guard] / effect", () => {
    expect(labelText(transition)).toBe("refund [slots.total < 250] / set topic = 'r'");
    expect(labelText({ on: { after: "20s" }, guard: null, effects: [] })).toBe("after 20s");
    expect(labelText({ on: { propose: "Wants a person" }, guard: null, effects: [{ say: "hi" }] })).toBe(
      "Wants a person / say hi",
    );
  });
  it("fit in two lines, the guard before the effects", () => {
    expect(labelLines({ on: { event: "x" }, guard: "slots.a > 1", effects: [{ say: "hi" }] })).toEqual(["x", "[a > 1] / say hi"]);
    expect(labelLines({ on: { done: true }, guard: null, effects: [] })).toEqual(["done", null]);
    for (const line of labelLines({ on: { event: "e".repeat(50) }, guard: "g".repeat(80), effects: [] }))
      expect((line ?? "").length).toBeLessThanOrEqual(36);
  });
  it("know which slots an expression reads", () => {
    expect(slotsRead("slots.a > 1 && slots.b_2 == slots.a")).toEqual(["a", "b_2"]);
  });
});

describe("outline and accessible names", () => {
  const draft = applyAll(blankDraft(), [
    { op: "region.add", id: "w", parent: null, fields: { key: "watch", role: "observer" } },
    { op: "region.add", id: "r", parent: null, fields: { key: "talk", label: "Conversation", role: "speaker" } },
    { op: "state.add", id: "a", region: "r", fields: { key: "greeting" } },
    { op: "state.add", id: "b", region: "r", fields: { key: "end", kind: "final" } },
    { op: "region.add", id: "i", parent: "a", fields: { key: "inner" } },
    { op: "state.add", id: "c", region: "i", fields: { key: "ask" } },
    { op: "transition.add", id: "t", source: "a", fields: { target: "b", on: { event: "bye" } } },
  ]);
  it("puts the speaker first and hides the one region of a compound state", () => {
    expect(outline(draft).map((row) => [row.id, row.depth])).toEqual([["r", 0], ["a", 1], ["c", 2], ["b", 1], ["w", 0]]);
    expect(outline(draft, new Set(["a"])).map((row) => row.id)).toEqual(["r", "a", "b", "w"]);
    expect(outline(draft, new Set(), "a").map((row) => row.id)).toEqual(["r", "a", "t", "c", "b", "w"]);
  });
  it("says what a state and a transition are", () => {
    expect(describeState(draft, draft.states[0]!)).toBe("Composite state Greeting, in Conversation, 1 transition out");
    expect(describeTransition(draft, draft.transitions[0]!)).toBe("Transition from Greeting to End: bye");
    expect(transitionKey(draft, draft.transitions[0]!)).toBe("greeting_1");
  });
});
