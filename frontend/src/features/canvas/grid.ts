/**
 * The lines a transition may run along, around two states: beside what stands there, dear where another transition
 * runs or a pill lies, closed where a state stands.
 */
import type { Box } from "../../model";
import type { Point } from "./route";

export interface Grid {
  xs: number[];
  ys: number[];
  /** What the step to the right of (i, j) costs on top of its length, at `i * ys.length + j`; Infinity: closed. */
  level: Float64Array;
  /** The same for the step down. */
  plumb: Float64Array;
}

/** Nearer lines than this are one to the eye. */
const APART = 7;
const SHARED = 3;
const SHARED_ONCE = 10;
const CROSSED = 12;

/** Lines nearer than this to one that must stay are left out, and so are lines nearer than `gap` to another. */
const SAME = 2;

function sorted(must: readonly number[], may: readonly number[], low: number, high: number, gap: number): number[] {
  const inside = (values: readonly number[]): number[] =>
    values.map(Math.round).filter((value) => value > low && value < high).sort((a, b) => a - b);
  const kept: number[] = [];
  for (const value of inside(must)) if (kept.length === 0 || value - (kept[kept.length - 1] ?? 0) >= SAME) kept.push(value);
  const all: number[] = [];
  let n = 0;
  for (const value of inside(may)) {
    while (n < kept.length && (kept[n] ?? 0) <= value) all.push(kept[n++] ?? 0);
    const before = all[all.length - 1];
    if ((before === undefined || value - before >= gap) && (kept[n] ?? Infinity) - value >= SAME) all.push(value);
  }
  return [...all, ...kept.slice(n)];
}

/** The first place whose value is above `limit`. */
export function above(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? Infinity) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function nearest(values: readonly number[], wanted: number): number {
  const next = above(values, wanted);
  if (next === 0) return 0;
  if (next === values.length) return next - 1;
  return wanted - (values[next - 1] ?? 0) <= (values[next] ?? 0) - wanted ? next - 1 : next;
}

export interface Lines {
  /** Where the ways begin and end: these stay. */
  must: { xs: number[]; ys: number[] };
  may: { xs: number[]; ys: number[] };
  gap: number;
}

/** The lines that are inside the window. */
export function gridOf({ must, may, gap }: Lines, window: Box): Grid {
  const gx = sorted(must.xs, may.xs, window.x, window.x + window.w, gap);
  const gy = sorted(must.ys, may.ys, window.y, window.y + window.h, gap);
  const size = gx.length * gy.length;
  return { xs: gx, ys: gy, level: new Float64Array(size), plumb: new Float64Array(size) };
}

/** Makes every step that runs through the box dearer. */
export function charge({ xs, ys, level, plumb }: Grid, box: Box, cost: number): void {
  const right = box.x + box.w;
  const bottom = box.y + box.h;
  const height = ys.length;
  const i0 = above(xs, box.x);
  const j0 = above(ys, box.y);
  for (let i = Math.max(0, i0 - 1); i < xs.length - 1 && (xs[i] ?? Infinity) < right; i += 1)
    for (let j = j0; j < height && (ys[j] ?? Infinity) < bottom; j += 1) {
      const at = i * height + j;
      level[at] = (level[at] ?? 0) + cost;
    }
  for (let i = i0; i < xs.length && (xs[i] ?? Infinity) < right; i += 1)
    for (let j = Math.max(0, j0 - 1); j < height - 1 && (ys[j] ?? Infinity) < bottom; j += 1) {
      const at = i * height + j;
      plumb[at] = (plumb[at] ?? 0) + cost;
    }
}

/** Another transition runs here: dear to run along, a little dear to cross. */
export function occupy(grid: Grid, a: Point, b: Point): void {
  const { xs, ys, level, plumb } = grid;
  const height = ys.length;
  if (Math.abs(a.y - b.y) < 1) {
    const [x0, x1] = a.x < b.x ? [a.x, b.x] : [b.x, a.x];
    for (let j = above(ys, a.y - APART); j < height && (ys[j] ?? Infinity) < a.y + APART; j += 1)
      for (let i = Math.max(0, above(xs, x0) - 1); i < xs.length - 1 && (xs[i] ?? Infinity) < x1; i += 1) {
        const common = Math.min(xs[i + 1] ?? 0, x1) - Math.max(xs[i] ?? 0, x0);
        if (common > 0) level[i * height + j] = (level[i * height + j] ?? 0) + common * SHARED + SHARED_ONCE;
      }
    const row = above(ys, a.y) - 1;
    if (row >= 0 && row < height - 1)
      for (let i = above(xs, x0); i < xs.length && (xs[i] ?? Infinity) < x1; i += 1)
        plumb[i * height + row] = (plumb[i * height + row] ?? 0) + CROSSED;
    return;
  }
  const [y0, y1] = a.y < b.y ? [a.y, b.y] : [b.y, a.y];
  for (let i = above(xs, a.x - APART); i < xs.length && (xs[i] ?? Infinity) < a.x + APART; i += 1)
    for (let j = Math.max(0, above(ys, y0) - 1); j < height - 1 && (ys[j] ?? Infinity) < y1; j += 1) {
      const common = Math.min(ys[j + 1] ?? 0, y1) - Math.max(ys[j] ?? 0, y0);
      if (common > 0) plumb[i * height + j] = (plumb[i * height + j] ?? 0) + common * SHARED + SHARED_ONCE;
    }
  const column = above(xs, a.x) - 1;
  if (column >= 0 && column < xs.length - 1)
    for (let j = above(ys, y0); j < height && (ys[j] ?? Infinity) < y1; j += 1)
      level[column * height + j] = (level[column * height + j] ?? 0) + CROSSED;
}
