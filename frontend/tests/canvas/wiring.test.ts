import { describe, expect, it } from "vitest";

import { boxOf, pillOf, stretchesOf } from "../../src/features/canvas/labels";
import type { Route } from "../../src/features/canvas/route";
import { wire, type Line, type Scene, type Stand } from "../../src/features/canvas/wiring";
import type { Box } from "../../src/model";

const touch = (a: Box, b: Box, gap = 0): boolean =>
  a.x < b.x + b.w + gap && b.x < a.x + a.w + gap && a.y < b.y + b.h + gap && b.y < a.y + a.h + gap;

const line = (id: string, source: string, target: string, more: Partial<Line> = {}): Line => ({
  id, source, target, w: 130, h: 37, least: 96, one: 22, kept: false, ...more,
});

/** A field of states, `across` in a row, with room between them, hand-moved a little; each leads to the next and some far away. */
function field(count: number, across: number): Scene {
  let seed = 7;
  const some = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  const stands = Array.from({ length: count }, (_, n): Stand => ({
    id: `s${n}`,
    box: { x: 60 + (n % across) * 380 + some(40), y: 80 + Math.floor(n / across) * 170 + some(30), w: 152 + some(40), h: 34 + some(50) },
    head: null,
    holders: [],
    initial: n === 0,
  }));
  const lines = stands.flatMap((stand, n) => [
    ...(n + 1 < count ? [line(`next${n}`, stand.id, `s${n + 1}`)] : []),
    ...(n % 3 === 0 && n + across < count ? [line(`below${n}`, stand.id, `s${n + across}`)] : []),
    ...(n % 5 === 4 ? [line(`back${n}`, stand.id, `s${n - 3}`)] : []),
    ...(n % 7 === 0 ? [line(`again${n}`, stand.id, stand.id)] : []),
  ]);
  return { frame: { x: 0, y: 0, w: across * 380 + 160, h: Math.ceil(count / across) * 170 + 160 }, title: 26, stands, lines };
}

interface Faults {
  slanted: number;
  throughStates: string[];
  pillOnPill: string[];
  pillOnState: string[];
  wayOnPill: string[];
}

function faultsOf(scene: Scene, routes: ReadonlyMap<string, Route>): Faults {
  const drawn = scene.lines.map((one) => {
    const route = routes.get(one.id)!;
    return { one, ways: stretchesOf(route.points).map(boxOf), pill: pillOf(one, route) };
  });
  const leaves = scene.stands.filter((stand) => stand.head === null);
  return {
    slanted: drawn.flatMap(({ ways }) => ways).filter((way) => way.w > 1 && way.h > 1).length,
    throughStates: drawn.flatMap(({ one, ways }) => leaves.filter(({ box }) => ways.some((way) => touch(way, box, -2))).map(({ id }) => `${one.id} ${id}`)),
    pillOnPill: drawn.flatMap((a, n) => drawn.slice(n + 1).filter((b) => touch(a.pill, b.pill)).map((b) => `${a.one.id} ${b.one.id}`)),
    pillOnState: drawn.flatMap(({ one, pill }) => leaves.filter(({ box }) => touch(pill, box)).map(({ id }) => `${one.id} ${id}`)),
    wayOnPill: drawn.flatMap((a) => drawn.filter((b) => a !== b && a.ways.some((way) => touch(way, b.pill, -2))).map((b) => `${a.one.id} over ${b.one.id}`)),
  };
}

describe("ways and pills", () => {
  it.each([12, 60, 250])("of a lane of %i states keep off states, off pills and off each other's pills", (count) => {
    const scene = field(count, Math.ceil(Math.sqrt(count) * 1.2));
    const routes = wire(scene);
    expect(routes.size).toBe(scene.lines.length);
    expect(faultsOf(scene, routes)).toEqual({ slanted: 0, throughStates: [], pillOnPill: [], pillOnState: [], wayOnPill: [] });
  });

  it("say what a transition waits for, however narrow the gap", () => {
    const stands: Stand[] = [
      { id: "a", box: { x: 60, y: 80, w: 160, h: 60 }, head: null, holders: [], initial: true },
      { id: "b", box: { x: 260, y: 80, w: 160, h: 60 }, head: null, holders: [], initial: false },
    ];
    const lines = [line("one", "a", "b"), line("two", "a", "b"), line("three", "b", "a")];
    const scene: Scene = { frame: { x: 0, y: 0, w: 700, h: 400 }, title: 26, stands, lines };
    const routes = wire(scene);
    for (const one of lines) expect(pillOf(one, routes.get(one.id)!).w).toBeGreaterThanOrEqual(one.least);
    expect(faultsOf(scene, routes)).toEqual({ slanted: 0, throughStates: [], pillOnPill: [], pillOnState: [], wayOnPill: [] });
  });

  it("go round a state that holds others, and into it only to what stands there", () => {
    const stands: Stand[] = [
      { id: "left", box: { x: 60, y: 200, w: 152, h: 34 }, head: null, holders: [], initial: true },
      { id: "right", box: { x: 900, y: 200, w: 152, h: 34 }, head: null, holders: [], initial: false },
      { id: "holder", box: { x: 340, y: 100, w: 420, h: 260 }, head: 34, holders: [], initial: false },
      { id: "inner", box: { x: 460, y: 220, w: 152, h: 34 }, head: null, holders: ["holder"], initial: true },
    ];
    const lines = [line("past", "left", "right"), line("into", "left", "inner"), line("down", "holder", "inner")];
    const scene: Scene = { frame: { x: 0, y: 0, w: 1200, h: 500 }, title: 26, stands, lines };
    const routes = wire(scene);
    const holder = stands[2]!.box;
    expect(stretchesOf(routes.get("past")!.points).some((one) => touch(boxOf(one), holder))).toBe(false);
    for (const [a] of stretchesOf(routes.get("down")!.points)) expect(touch({ ...a, w: 0, h: 0 }, holder, 1)).toBe(true);
    expect(faultsOf(scene, routes)).toMatchObject({ throughStates: [], pillOnState: [], wayOnPill: [] });
  });

  it("leave what is kept where it is", () => {
    const scene = field(30, 6);
    const first = wire(scene);
    const kept = scene.lines.map((one) => (one.id === "next3" ? one : { ...one, kept: true, route: first.get(one.id)! }));
    const second = wire({ ...scene, lines: kept });
    for (const one of kept) if (one.kept) expect(second.get(one.id)).toEqual(first.get(one.id));
  });
});
