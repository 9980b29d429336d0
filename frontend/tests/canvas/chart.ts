import { applyAll, blankDraft, type Draft } from "../../src/model";

/** Two lanes, a composite, a guarded transition, a loop; every state placed. */
export const chart = (): Draft => ({
  ...applyAll(blankDraft("sample"), [
    { op: "settings.update", fields: { prompts: [{ key: "greet", text: "Hello {{ slots.name }}" }] } },
    { op: "region.add", id: "talk", parent: null, fields: { key: "conversation", role: "speaker" } },
    { op: "region.add", id: "watch", parent: null, fields: { key: "consent", role: "observer" } },
    { op: "state.add", id: "greeting", region: "talk", fields: { key: "greeting", prompt: "greet" } },
    { op: "state.add", id: "refund", region: "talk", fields: { key: "refund" } },
    { op: "state.add", id: "goodbye", region: "talk", fields: { key: "goodbye", kind: "final" } },
    { op: "region.add", id: "steps", parent: "refund", fields: { key: "steps" } },
    { op: "state.add", id: "ask", region: "steps", fields: { key: "ask" } },
    { op: "state.add", id: "pay", region: "steps", fields: { key: "pay" } },
    { op: "state.add", id: "asked", region: "watch", fields: { key: "asked" } },
    { op: "region.update", id: "talk", fields: { initial: "greeting" } },
    { op: "region.update", id: "steps", fields: { initial: "ask" } },
    { op: "region.update", id: "watch", fields: { initial: "asked" } },
    { op: "transition.add", id: "t1", source: "greeting", fields: { target: "refund", on: { event: "refund" }, guard: "slots.total < 250", effects: [{ say: "sorry" }] } },
    { op: "transition.add", id: "t2", source: "greeting", fields: { target: "goodbye", on: { propose: "The caller is done." } } },
    { op: "transition.add", id: "t3", source: "ask", fields: { target: "pay", on: { event: "paid" } } },
    { op: "transition.add", id: "t4", source: "ask", fields: { target: "ask", on: { after: "5s" } } },
    { op: "transition.add", id: "t5", source: "refund", fields: { target: "goodbye", on: { done: true } } },
    { op: "layout.set", id: "greeting", fields: { x: 60, y: 60, w: 200, h: 80 } },
    { op: "layout.set", id: "refund", fields: { x: 440, y: 60, w: 300, h: 160 } },
    { op: "layout.set", id: "goodbye", fields: { x: 440, y: 400, w: 160, h: 34 } },
    { op: "layout.set", id: "ask", fields: { x: 44, y: 40, w: 152, h: 34 } },
    { op: "layout.set", id: "pay", fields: { x: 360, y: 40, w: 152, h: 34 } },
    { op: "layout.set", id: "asked", fields: { x: 60, y: 60, w: 152, h: 34 } },
  ]),
});
