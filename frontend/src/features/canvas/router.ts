/**
 * Our own orthogonal router, for transitions the layouter has not laid: A* over the lines that run beside the
 * states, dear at bends and where another transition runs already, never through a state.
 */
import { indexOf, isInside, laneOf, type Box, type Draft, type Id } from "../../model";
import type { Geometry } from "./arrange";
import { labelSpot, type Point, type Route } from "./route";
import { viewsOf } from "./view";

const MARGIN = 12;
const LINES = [14, 26];
const BEND = 40;
const SHARED = 3;
const MOST_STATES = 60;

interface Grid {
  xs: number[];
  ys: number[];
  /** blocked[x * ys.length + y]: inside (or too near) a state. */
  blocked: Uint8Array;
  /** The innermost composite state over a point, by its place in the list given, plus one; 0 where there is none. */
  within: Uint8Array;
  used: Uint8Array;
}

export interface Composite extends Box {
  id: Id;
  /** Height of its name and rows, above what it holds. */
  head: number;
}

const unique = (values: number[]): number[] =>
  [...new Set(values.map((value) => Math.round(value)))].sort((a, b) => a - b).filter((v, n, all) => n === 0 || v - (all[n - 1] ?? v) >= 2);

const inside = (box: Box, x: number, y: number, margin: number): boolean =>
  x > box.x - margin && x < box.x + box.w + margin && y > box.y - margin && y < box.y + box.h + margin;

function gridOf(obstacles: Box[], composites: readonly Composite[], frame: Box, extraX: number[], extraY: number[]): Grid {
  const xs: number[] = [...extraX];
  const ys: number[] = [...extraY];
  for (const box of [...obstacles, ...composites]) {
    for (const line of LINES) {
      xs.push(box.x - line, box.x + box.w + line);
      ys.push(box.y - line, box.y + box.h + line);
    }
    xs.push(box.x + box.w / 2);
    ys.push(box.y + box.h / 2);
  }
  for (const box of composites) ys.push(box.y + box.head / 2);
  const gx = unique(xs.filter((x) => x > frame.x + 6 && x < frame.x + frame.w - 6));
  const gy = unique(ys.filter((y) => y > frame.y + 6 && y < frame.y + frame.h - 6));
  const blocked = new Uint8Array(gx.length * gy.length);
  const within = new Uint8Array(gx.length * gy.length);
  gx.forEach((x, i) =>
    gy.forEach((y, j) => {
      const cell = i * gy.length + j;
      if (obstacles.some((box) => inside(box, x, y, MARGIN - 1))) blocked[cell] = 1;
      composites.forEach((box, n) => {
        if (inside(box, x, y, 4)) within[cell] = n + 1;
        // Through the words of a composite nothing runs either.
        if (inside({ ...box, h: box.head }, x, y, 2)) blocked[cell] = 1;
      });
    }),
  );
  return { xs: gx, ys: gy, blocked, within, used: new Uint8Array(gx.length * gy.length) };
}

type Side = "left" | "right" | "top" | "bottom";
interface Port extends Point {
  side: Side;
  /** Where the way begins, just outside the state. */
  out: Point;
}

/** Three ways out of every side, the middle one first. */
function portsOf(box: Box): Port[] {
  const away = LINES[0] ?? 14;
  const parts = (length: number): number[] => (length < 60 ? [0.5] : [0.5, 0.25, 0.75]);
  const across = parts(box.w).map((part) => Math.round(box.x + box.w * part));
  const down = parts(box.h).map((part) => Math.round(box.y + box.h * part));
  return [
    ...down.flatMap((y): Port[] => [
      { side: "right", x: box.x + box.w, y, out: { x: box.x + box.w + away, y } },
      { side: "left", x: box.x, y, out: { x: box.x - away, y } },
    ]),
    ...across.flatMap((x): Port[] => [
      { side: "bottom", x, y: box.y + box.h, out: { x, y: box.y + box.h + away } },
      { side: "top", x, y: box.y, out: { x, y: box.y - away } },
    ]),
  ];
}

/** Where two boxes face each other, the ports from which a straight line joins them. */
function facing(box: Box, other: Box): Port[] {
  const away = LINES[0] ?? 14;
  const top = Math.max(box.y, other.y) + 6;
  const bottom = Math.min(box.y + box.h, other.y + other.h) - 6;
  const left = Math.max(box.x, other.x) + 10;
  const right = Math.min(box.x + box.w, other.x + other.w) - 10;
  const ports: Port[] = [];
  if (bottom >= top) {
    const y = Math.round((top + bottom) / 2);
    if (other.x > box.x) ports.push({ side: "right", x: box.x + box.w, y, out: { x: box.x + box.w + away, y } });
    else ports.push({ side: "left", x: box.x, y, out: { x: box.x - away, y } });
  }
  if (right >= left) {
    const x = Math.round((left + right) / 2);
    if (other.y > box.y) ports.push({ side: "bottom", x, y: box.y + box.h, out: { x, y: box.y + box.h + away } });
    else ports.push({ side: "top", x, y: box.y, out: { x, y: box.y - away } });
  }
  return ports;
}

const endsOf = (box: Box, other: Box): Port[] => [...facing(box, other), ...portsOf(box)];

const nearest = (values: number[], wanted: number): number => {
  let best = 0;
  values.forEach((value, n) => {
    if (Math.abs(value - wanted) < Math.abs((values[best] ?? Infinity) - wanted)) best = n;
  });
  return best;
};

/** Smallest first. */
class Heap {
  private readonly items: [number, number][] = [];
  get size(): number {
    return this.items.length;
  }
  push(cost: number, value: number): void {
    const { items } = this;
    items.push([cost, value]);
    let n = items.length - 1;
    while (n > 0) {
      const up = (n - 1) >> 1;
      const a = items[n];
      const b = items[up];
      if (!a || !b || b[0] <= a[0]) break;
      items[n] = b;
      items[up] = a;
      n = up;
    }
  }
  pop(): number | undefined {
    const { items } = this;
    const top = items[0];
    const end = items.pop();
    if (!top || !end) return undefined;
    if (items.length > 0) {
      items[0] = end;
      this.sink();
    }
    return top[1];
  }
  private sink(): void {
    const { items } = this;
    let n = 0;
    for (;;) {
      let least = n;
      for (const child of [2 * n + 1, 2 * n + 2])
        if ((items[child]?.[0] ?? Infinity) < (items[least]?.[0] ?? Infinity)) least = child;
      const a = items[n];
      const b = items[least];
      if (least === n || !a || !b) return;
      items[n] = b;
      items[least] = a;
      n = least;
    }
  }
}

const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;
const HEADING: { [side in Side]: number } = { right: 0, bottom: 1, left: 2, top: 3 };

/** Cheapest way over the grid from any port of one state to any port of the other. */
function search(grid: Grid, from: Port[], to: Port[], taken: ReadonlyMap<string, number>, open: ReadonlySet<number>): Point[] | null {
  const height = grid.ys.length;
  const cost = new Map<number, number>();
  const came = new Map<number, number>();
  const startOf = new Map<number, Port>();
  const goals = new Map<number, Port>();
  const heap = new Heap();
  const cell = (port: Port): number => nearest(grid.xs, port.out.x) * height + nearest(grid.ys, port.out.y);
  for (const port of to) goals.set(cell(port) * 4 + ((HEADING[port.side] + 2) % 4), port);
  for (const port of from) {
    const at = cell(port);
    const key = at * 4 + HEADING[port.side];
    const first = (taken.get(`${port.x},${port.y}`) ?? 0) * 60;
    if (grid.blocked[at] || !open.has(grid.within[at] ?? 0) || (cost.get(key) ?? Infinity) <= first) continue;
    cost.set(key, first);
    startOf.set(key, port);
    heap.push(first, key);
  }
  const target = to[0]?.out ?? { x: 0, y: 0 };
  const guess = (x: number, y: number): number =>
    Math.min(...to.map((port) => Math.abs(port.out.x - x) + Math.abs(port.out.y - y)), Math.abs(target.x - x) + Math.abs(target.y - y));
  let found: number | null = null;
  let best = Infinity;
  while (heap.size > 0) {
    const key = heap.pop();
    if (key === undefined) break;
    const soFar = cost.get(key) ?? Infinity;
    if (soFar >= best) continue;
    const goal = goals.get(key);
    if (goal) {
      const whole = soFar + (taken.get(`${goal.x},${goal.y}`) ?? 0) * 60;
      if (whole < best) {
        best = whole;
        found = key;
      }
      continue;
    }
    const at = key >> 2;
    const heading = key & 3;
    const i = Math.floor(at / height);
    const j = at % height;
    STEPS.forEach(([dx, dy], next) => {
      if ((next + 2) % 4 === heading) return;
      const ni = i + dx;
      const nj = j + dy;
      if (ni < 0 || nj < 0 || ni >= grid.xs.length || nj >= height) return;
      const there = ni * height + nj;
      if (grid.blocked[there] || !open.has(grid.within[there] ?? 0)) return;
      const x = grid.xs[ni] ?? 0;
      const y = grid.ys[nj] ?? 0;
      const length = Math.abs(x - (grid.xs[i] ?? 0)) + Math.abs(y - (grid.ys[j] ?? 0));
      const along = grid.used[there] && grid.used[at] ? length * SHARED + 10 : 0;
      const total = soFar + length + along + (next === heading ? 0 : BEND);
      const nextKey = there * 4 + next;
      if (total >= (cost.get(nextKey) ?? Infinity)) return;
      cost.set(nextKey, total);
      came.set(nextKey, key);
      heap.push(total + guess(x, y), nextKey);
    });
  }
  return found === null ? null : trace(grid, found, came, startOf, goals);
}

function trace(grid: Grid, end: number, came: Map<number, number>, starts: Map<number, Port>, goals: Map<number, Port>): Point[] {
  const height = grid.ys.length;
  const goal = goals.get(end);
  const points: Point[] = goal ? [{ x: goal.x, y: goal.y }] : [];
  let key: number | undefined = end;
  let first = end;
  while (key !== undefined) {
    const at = key >> 2;
    grid.used[at] = 1;
    points.unshift({ x: grid.xs[Math.floor(at / height)] ?? 0, y: grid.ys[at % height] ?? 0 });
    first = key;
    key = came.get(key);
  }
  const port = starts.get(first);
  if (port) points.unshift({ x: port.x, y: port.y });
  return straightened(points);
}

/** Ends take over the line of their neighbour; points on a straight line go. */
function straightened(points: Point[]): Point[] {
  const out = [...points];
  const align = (end: number, next: number): void => {
    const a = out[end];
    const b = out[next];
    if (!a || !b) return;
    if (Math.abs(a.x - b.x) < Math.abs(a.y - b.y)) out[end] = { ...a, x: b.x };
    else out[end] = { ...a, y: b.y };
  };
  align(0, 1);
  align(out.length - 1, out.length - 2);
  return out.filter((point, n) => {
    const a = out[n - 1];
    const b = out[n + 1];
    if (!a || !b) return true;
    const level = Math.abs(a.y - point.y) < 0.5 && Math.abs(point.y - b.y) < 0.5;
    const plumb = Math.abs(a.x - point.x) < 0.5 && Math.abs(point.x - b.x) < 0.5;
    return !level && !plumb;
  });
}

/** Composite states of a lane, outer ones first. */
function compositesOf(draft: Draft, geometry: Geometry, lane: Id): Composite[] {
  const index = indexOf(draft);
  const heads = viewsOf(draft).states;
  return draft.states
    .flatMap((state) => {
      const box = geometry.absolute.get(state.id);
      return box && index.regionsOf.has(state.id) && laneOf(draft, state.id)?.id === lane ? [{ ...box, id: state.id, head: heads.get(state.id)?.h ?? 0 }] : [];
    })
    .sort((a, b) => b.w * b.h - a.w * a.h);
}

/** Adds routes for these transitions to `routes`; leaves out lanes that are too large for it. */
export function routeAround(draft: Draft, geometry: Geometry, ids: readonly Id[], routes: Map<Id, Route>): void {
  const views = viewsOf(draft).transitions;
  const index = indexOf(draft);
  const byLane = new Map<Id, Id[]>();
  for (const id of ids) {
    const lane = laneOf(draft, views.get(id)?.source ?? "");
    if (lane) byLane.set(lane.id, [...(byLane.get(lane.id) ?? []), id]);
  }
  for (const [lane, transitions] of byLane) {
    const frame = geometry.absolute.get(lane);
    const leaves = draft.states.filter((state) => laneOf(draft, state.id)?.id === lane && !index.regionsOf.has(state.id));
    if (!frame || leaves.length > MOST_STATES) continue;
    const obstacles = leaves.flatMap((state) => geometry.absolute.get(state.id) ?? []);
    const ends = transitions.flatMap((id) => {
      const view = views.get(id);
      const from = geometry.absolute.get(view?.source ?? "");
      const to = geometry.absolute.get(view?.target ?? "");
      return from && to ? [...endsOf(from, to), ...endsOf(to, from)] : [];
    });
    const composites = compositesOf(draft, geometry, lane);
    const grid = gridOf(obstacles, composites, frame, ends.map((port) => port.out.x), ends.map((port) => port.out.y));
    const taken = new Map<string, number>();
    for (const id of transitions) {
      const view = views.get(id);
      const from = geometry.absolute.get(view?.source ?? "");
      const to = geometry.absolute.get(view?.target ?? "");
      if (!view || !from || !to) continue;
      const open = new Set([0]);
      composites.forEach((one, n) => {
        if (isInside(draft, view.source, one.id) || isInside(draft, view.target, one.id)) open.add(n + 1);
      });
      const points = search(grid, endsOf(from, to), endsOf(to, from), taken, open);
      if (!points || points.length < 2) continue;
      for (const end of [points[0], points[points.length - 1]]) {
        if (end) taken.set(`${end.x},${end.y}`, (taken.get(`${end.x},${end.y}`) ?? 0) + 1);
      }
      routes.set(id, { points, label: labelSpot(points) });
    }
  }
}
