/** The cheapest way over a grid from any port of one state to any port of another: A*, dear at bends. */
import { nearest, type Grid } from "./grid";
import type { Port, Side } from "./ports";
import type { Point } from "./route";

const BEND = 40;

/** Smallest first. */
class Heap {
  private costs: number[] = [];
  private values: number[] = [];

  get size(): number {
    return this.values.length;
  }

  push(cost: number, value: number): void {
    const { costs, values } = this;
    let n = values.length;
    while (n > 0) {
      const up = (n - 1) >> 1;
      const there = costs[up] ?? 0;
      if (there <= cost) break;
      costs[n] = there;
      values[n] = values[up] ?? 0;
      n = up;
    }
    costs[n] = cost;
    values[n] = value;
  }

  pop(): number {
    const { costs, values } = this;
    const top = values[0] ?? -1;
    const cost = costs.pop() ?? 0;
    const value = values.pop() ?? 0;
    const size = values.length;
    if (size === 0) return top;
    let n = 0;
    for (;;) {
      let child = 2 * n + 1;
      if (child >= size) break;
      if (child + 1 < size && (costs[child + 1] ?? 0) < (costs[child] ?? 0)) child += 1;
      if ((costs[child] ?? 0) >= cost) break;
      costs[n] = costs[child] ?? 0;
      values[n] = values[child] ?? 0;
      n = child;
    }
    costs[n] = cost;
    values[n] = value;
    return top;
  }
}

const HEADING: { [side in Side]: number } = { right: 0, bottom: 1, left: 2, top: 3 };

interface Ends {
  /** By cell and heading: the port, and what it costs. */
  ports: Map<number, Port>;
  low: Point;
  high: Point;
}

function endsOn(grid: Grid, ports: readonly Port[], costOf: (port: Port) => number, turn: number): Ends {
  const height = grid.ys.length;
  const found = new Map<number, Port>();
  const low = { x: Infinity, y: Infinity };
  const high = { x: -Infinity, y: -Infinity };
  for (const port of ports) {
    const i = nearest(grid.xs, port.out.x);
    const j = nearest(grid.ys, port.out.y);
    // Where the window ends, the way could not leave straight.
    if (Math.abs((grid.xs[i] ?? Infinity) - port.out.x) > 3 || Math.abs((grid.ys[j] ?? Infinity) - port.out.y) > 3) continue;
    const key = (i * height + j) * 4 + ((HEADING[port.side] + turn) % 4);
    const known = found.get(key);
    if (known && costOf(known) <= costOf(port)) continue;
    found.set(key, port);
    low.x = Math.min(low.x, port.out.x);
    low.y = Math.min(low.y, port.out.y);
    high.x = Math.max(high.x, port.out.x);
    high.y = Math.max(high.y, port.out.y);
  }
  return { ports: found, low, high };
}

/** The points of the way, ends included, and its cost; null when everything is closed. */
export function search(grid: Grid, from: readonly Port[], to: readonly Port[], costOf: (port: Port) => number): { points: Point[]; cost: number } | null {
  const { xs, ys, level, plumb } = grid;
  const height = ys.length;
  if (xs.length === 0 || height === 0) return null;
  const cost = new Float64Array(xs.length * height * 4).fill(Infinity);
  const came = new Int32Array(xs.length * height * 4).fill(-1);
  const starts = endsOn(grid, from, costOf, 0);
  const goals = endsOn(grid, to, costOf, 2);
  const { low, high } = goals;
  const guess = (x: number, y: number): number => Math.max(low.x - x, 0, x - high.x) + Math.max(low.y - y, 0, y - high.y);
  const heap = new Heap();
  for (const [key, port] of starts.ports) {
    cost[key] = costOf(port);
    heap.push(costOf(port) + guess(port.out.x, port.out.y), key);
  }
  const done = new Uint8Array(cost.length);
  let found = -1;
  let best = Infinity;
  while (heap.size > 0) {
    const key = heap.pop();
    if (done[key]) continue;
    done[key] = 1;
    const soFar = cost[key] ?? Infinity;
    const at = key >> 2;
    const i = Math.floor(at / height);
    const j = at % height;
    if (soFar + guess(xs[i] ?? 0, ys[j] ?? 0) >= best) break;
    const goal = goals.ports.get(key);
    if (goal && soFar + costOf(goal) < best) {
      best = soFar + costOf(goal);
      found = key;
    }
    const heading = key & 3;
    for (let next = 0; next < 4; next += 1) {
      if ((next + 2) % 4 === heading) continue;
      const ni = next === 0 ? i + 1 : next === 2 ? i - 1 : i;
      const nj = next === 1 ? j + 1 : next === 3 ? j - 1 : j;
      if (ni < 0 || nj < 0 || ni >= xs.length || nj >= height) continue;
      const there = ni * height + nj;
      const more = next === 0 ? level[at] : next === 2 ? level[there] : next === 1 ? plumb[at] : plumb[there];
      if (more === undefined || more === Infinity) continue;
      const x = xs[ni] ?? 0;
      const y = ys[nj] ?? 0;
      const length = Math.abs(x - (xs[i] ?? 0)) + Math.abs(y - (ys[j] ?? 0));
      const total = soFar + length + more + (next === heading ? 0 : BEND);
      const nextKey = there * 4 + next;
      if (total >= (cost[nextKey] ?? Infinity)) continue;
      cost[nextKey] = total;
      came[nextKey] = key;
      heap.push(total + guess(x, y), nextKey);
    }
  }
  if (found < 0) return null;
  return { points: trace(grid, found, came, starts.ports, goals.ports), cost: best };
}

function trace({ xs, ys }: Grid, end: number, came: Int32Array, starts: ReadonlyMap<number, Port>, goals: ReadonlyMap<number, Port>): Point[] {
  const height = ys.length;
  const goal = goals.get(end);
  const points: Point[] = goal ? [{ x: goal.x, y: goal.y }] : [];
  let first = end;
  for (let key = end; key >= 0; key = came[key] ?? -1) {
    const at = key >> 2;
    points.push({ x: xs[Math.floor(at / height)] ?? 0, y: ys[at % height] ?? 0 });
    first = key;
  }
  const port = starts.get(first);
  if (port) points.push({ x: port.x, y: port.y });
  return straightened(points.reverse());
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
