import { describe, expect, it } from "vitest";

import { connect, drop, removeAll, withUnstored } from "../../src/features/canvas/acts";
import { arrange, freePlace } from "../../src/features/canvas/arrange";
import { commandOf } from "../../src/features/canvas/keys";
import { loop, pathOf, plainRoute, type Route } from "../../src/features/canvas/route";
import { routeAround } from "../../src/features/canvas/router";
import { applyAll, type Box } from "../../src/model";
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
    const routes = new Map<string, Route>();
    routeAround(draft, geometry, ["t1", "t2", "t3", "t5", "far"], routes);
    expect([...routes.keys()].sort()).toEqual(["far", "t1", "t2", "t3", "t5"]);
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
