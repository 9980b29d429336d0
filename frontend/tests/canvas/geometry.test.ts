import { describe, expect, it } from "vitest";

import { connect, drop, removeAll, withUnstored } from "../../src/features/canvas/acts";
import { arrange, freePlace, type Geometry } from "../../src/features/canvas/arrange";
import { clipOf, paste } from "../../src/features/canvas/copies";
import { viewsOf } from "../../src/features/canvas/view";
import { commandOf } from "../../src/features/canvas/keys";
import { pillOf } from "../../src/features/canvas/labels";
import { loop, pathOf, plainRoute, type Route } from "../../src/features/canvas/route";
import { drawWires } from "../../src/features/canvas/scene";
import { cutTo } from "../../src/features/canvas/text";
import { focusOf } from "../../src/features/canvas/useFirstLook";
import { applyAll, type Box, type Draft } from "../../src/model";
import { chart } from "./chart";

const hits = (route: Route, box: Box): boolean =>
  route.points.slice(1).some((b, n) => {
    const a = route.points[n]!;
    return Math.max(a.x, b.x) > box.x + 1 && Math.min(a.x, b.x) < box.x + box.w - 1 && Math.max(a.y, b.y) > box.y + 1 && Math.min(a.y, b.y) < box.y + box.h - 1;
  });

describe("where things stand", () => {
  it("keeps stored places and makes holders large enough for what they hold", () => {
    const geometry = arrange(chart());
    expect(geometry.boxes.get("greeting")).toMatchObject({ x: 60, y: 60 });
    const refund = geometry.absolute.get("refund")!;
    const pay = geometry.absolute.get("pay")!;
    expect(pay.x + pay.w).toBeLessThanOrEqual(refund.x + refund.w);
    expect(pay.y + pay.h).toBeLessThanOrEqual(refund.y + refund.h);
  });

  it("stands lanes under each other, equally wide, the speaker on top", () => {
    const geometry = arrange(chart());
    const talk = geometry.boxes.get("talk")!;
    const watch = geometry.boxes.get("watch")!;
    expect(talk.y).toBe(0);
    expect(watch.y).toBeGreaterThan(talk.y + talk.h);
    expect(watch.w).toBe(talk.w);
  });

  it("gives a new state a place that touches nothing", () => {
    const taken = [{ x: 0, y: 0, w: 100, h: 40 }];
    const box = freePlace({ x: 10, y: 10, w: 100, h: 40 }, taken);
    expect(box.x > 100 || box.y > 40).toBe(true);
  });

  it("draws right angles that go through no state", () => {
    const draft = applyAll(chart(), [{ op: "transition.add", id: "far", source: "greeting", fields: { target: "pay", on: { event: "x" } } }]);
    const geometry = arrange(draft);
    const { routes } = drawWires(draft, geometry, new Map());
    expect([...routes.keys()].sort()).toEqual(["far", "t1", "t2", "t3", "t4", "t5"]);
    for (const route of routes.values()) {
      route.points.slice(1).forEach((point, n) => {
        const before = route.points[n]!;
        expect(Math.abs(before.x - point.x) < 1 || Math.abs(before.y - point.y) < 1).toBe(true);
      });
      for (const id of ["greeting", "goodbye", "ask", "pay"]) expect(hits(route, geometry.absolute.get(id)!)).toBe(false);
    }
  });

  it("leaves and returns at the top right corner in a loop", () => {
    const box = { x: 0, y: 0, w: 200, h: 60 };
    const route = loop(box, { w: 80, h: 22 });
    expect(route.points[0]).toMatchObject({ y: 0 });
    expect(route.points.at(-1)).toMatchObject({ x: 200 });
    expect(pathOf(route.points)).toMatch(/^M.*Q/);
    expect(plainRoute(box, { ...box, x: 400 }).points).toHaveLength(2);
  });
});

/** The boxes of all pills, as they are drawn. */
function pills(draft: Draft, geometry: Geometry): Map<string, Box> {
  const { routes } = drawWires(draft, geometry, new Map());
  const views = viewsOf(draft).transitions;
  return new Map([...routes].map(([id, route]) => [id, pillOf(views.get(id)!, route)]));
}
const overlap = (a: Box, b: Box): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

describe("pills", () => {
  it("of two transitions between the same two states do not lie on each other", () => {
    const draft = applyAll(chart(), [
      { op: "transition.add", id: "back", source: "pay", fields: { target: "ask", on: { event: "declined" }, guard: "slots.total > 10" } },
      { op: "transition.add", id: "again", source: "ask", fields: { target: "pay", on: { event: "paid_by_card" }, guard: "slots.total > 10" } },
    ]);
    const placed = [...pills(draft, arrange(draft)).values()];
    placed.forEach((one, n) => placed.slice(n + 1).forEach((other) => expect(overlap(one, other)).toBe(false)));
  });

  it("lie on no state, and show less where the gap is too small", () => {
    const draft = applyAll(chart(), [{ op: "layout.set", id: "pay", fields: { x: 44 + 152 + 90, y: 40, w: 152, h: 34 } }, { op: "transition.update", id: "t3", fields: { on: { event: "the_money_has_been_paid" } } }]);
    const geometry = arrange(draft);
    const placed = pills(draft, geometry);
    for (const box of placed.values()) for (const id of ["greeting", "goodbye", "ask", "pay"]) expect(overlap(box, geometry.absolute.get(id)!)).toBe(false);
    expect(cutTo("the_money_has_been_paid", "strong", 60)).toMatch(/^the_m\w*…$/);
  });
});

describe("the first look", () => {
  const picture = { ...arrange(chart()), routes: new Map(), ready: true, unstored: {} };
  it("is on the speaker's active state where a chart is watched, whatever an observer does", () => {
    const lit = (id: string): boolean => ["asked", "refund", "pay"].includes(id);
    expect(focusOf(chart(), picture, [], lit, false)).toEqual(picture.absolute.get("pay"));
    expect(focusOf(chart(), picture, [], lit, true)).toBeUndefined();
  });
});

describe("what a gesture means", () => {
  it("moves a state to the region it was dropped on, and gives the old region another start", () => {
    const draft = chart();
    const geometry = arrange(draft);
    const watch = geometry.absolute.get("watch")!;
    const operations = drop(draft, geometry, new Map([["greeting", { x: 100, y: watch.y + 50 }]]));
    expect(operations.slice(0, 2)).toEqual([
      { op: "state.move", id: "greeting", region: "watch" },
      { op: "region.update", id: "talk", fields: { initial: "refund" } },
    ]);
    expect(applyAll(draft, operations).states.find((row) => row.id === "greeting")?.region).toBe("watch");
  });

  it("never moves a composite into itself", () => {
    const draft = chart();
    const operations = drop(draft, arrange(draft), new Map([["refund", { x: 450, y: 70 }]]));
    expect(operations.map((one) => one.op)).toEqual(["layout.set"]);
  });

  it("does not name twice what goes along", () => {
    const selection = [
      { kind: "state", id: "refund" },
      { kind: "state", id: "ask" },
      { kind: "transition", id: "t3" },
      { kind: "transition", id: "t2" },
    ] as const;
    expect(removeAll(chart(), selection)).toEqual([
      { op: "state.remove", id: "refund" },
      { op: "transition.remove", id: "t2" },
    ]);
  });

  it("stores the layouter's places with the first edit that stores one", () => {
    const picture = { ...arrange(chart()), routes: new Map(), ready: true, unstored: { ask: { x: 1, y: 2, w: 3, h: 4 } } };
    const move = [{ op: "layout.set", id: "pay", fields: { x: 0, y: 0, w: 1, h: 1 } }] as const;
    expect(withUnstored(picture, move).map((one) => ("id" in one ? one.id : ""))).toEqual(["ask", "pay"]);
    expect(withUnstored(picture, connect("ask", "pay", { event: "x" }, null, "t"))).toHaveLength(1);
  });
});

describe("copies", () => {
  let n = 0;
  const fresh = (): string => `new${(n += 1)}`;
  it("take along what is held and the transitions between them, under new keys", () => {
    const draft = chart();
    const geometry = arrange(draft);
    const clip = clipOf(draft, geometry, [{ kind: "state", id: "refund" }, { kind: "state", id: "ask" }, { kind: "state", id: "goodbye" }])!;
    expect(clip.outer).toEqual(["refund", "goodbye"]);
    expect(clip.transitions.map((row) => row.id)).toEqual(["t3", "t4", "t5"]);
    const { operations, ids } = paste(draft, geometry, clip, "talk", fresh);
    const after = applyAll(draft, operations);
    expect(after.states).toHaveLength(draft.states.length + 4);
    expect(new Set(after.states.map((row) => row.key)).size).toBe(after.states.length);
    const copy = after.states.find((row) => row.id === ids[0])!;
    expect(copy.key).toBe("refund_2");
    const inner = after.regions.find((row) => row.parent === copy.id)!;
    expect(after.states.find((row) => row.id === inner.initial)?.key).toBe("ask_2");
    expect(after.transitions.filter((row) => row.source === copy.id).map((row) => row.target)).toEqual([ids[1]]);
  });

  it("stand beside what is there", () => {
    const draft = chart();
    const { operations, ids } = paste(draft, arrange(draft), clipOf(draft, arrange(draft), [{ kind: "state", id: "greeting" }])!, "talk", fresh);
    const after = arrange(applyAll(draft, operations)).absolute;
    expect(overlap(after.get(ids[0]!)!, after.get("greeting")!)).toBe(false);
  });

  it("are nothing where no state is selected", () => {
    expect(clipOf(chart(), arrange(chart()), [{ kind: "transition", id: "t1" }])).toBeNull();
  });
});

describe("keys", () => {
  const key = (name: string, more: object = {}) => commandOf({ key: name, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, ...more });
  it("are the ones of the help sheet", () => {
    expect(key("z", { metaKey: true })).toBe("undo");
    expect(key("Z", { ctrlKey: true, shiftKey: true })).toBe("redo");
    expect(key("f", { ctrlKey: true })).toBe("find");
    expect(key("!", { shiftKey: true, code: "Digit1" })).toBe("fit");
    expect(key(")", { shiftKey: true, code: "Digit0" })).toBe("actual");
    expect(key("ArrowRight")).toEqual({ walk: "right" });
    expect(key("ArrowRight", { altKey: true })).toEqual({ nudge: { x: 8, y: 0 } });
    expect(key("n", { altKey: true })).toBeNull();
    expect(key("Tab", { shiftKey: true })).toBeNull();
  });
});
