/** Paths of transitions: right angles with round corners. The layouter's routes where they fit, else our own. */
import type { Box } from "../../model";

export interface Point {
  x: number;
  y: number;
}
export interface Route {
  points: Point[];
  /** Centre of the label; how wide and high it may be where there is no room for all of it. */
  label: Point & { w?: number; h?: number };
}

const RADIUS = 8;

/** An SVG path through the points, with rounded corners. */
export function pathOf(points: readonly Point[], radius = RADIUS): string {
  const [start, ...rest] = points;
  if (!start) return "";
  let path = `M${start.x} ${start.y}`;
  rest.forEach((corner, n) => {
    const next = rest[n + 1];
    const before = rest[n - 1] ?? start;
    if (!next) {
      path += `L${corner.x} ${corner.y}`;
      return;
    }
    const r = Math.min(radius, distance(before, corner) / 2, distance(corner, next) / 2);
    const a = towards(corner, before, r);
    const b = towards(corner, next, r);
    path += `L${a.x} ${a.y}Q${corner.x} ${corner.y} ${b.x} ${b.y}`;
  });
  return path;
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

function towards(from: Point, to: Point, length: number): Point {
  const whole = distance(from, to) || 1;
  return { x: from.x + ((to.x - from.x) * length) / whole, y: from.y + ((to.y - from.y) * length) / whole };
}

/** Middle of the longest stretch (level ones preferred): where a label has room. */
export function labelSpot(points: readonly Point[]): Point {
  let best: Point = points[0] ?? { x: 0, y: 0 };
  let longest = -1;
  for (let n = 1; n < points.length; n += 1) {
    const a = points[n - 1];
    const b = points[n];
    if (!a || !b) continue;
    const length = Math.abs(a.x - b.x) + Math.abs(a.y - b.y) * 0.8;
    if (length > longest) {
      longest = length;
      best = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    }
  }
  return best;
}

const centre = (box: Box): Point => ({ x: box.x + box.w / 2, y: box.y + box.h / 2 });

const CORNERS = ["top right", "bottom right", "top left", "bottom left"] as const;
export type Corner = (typeof CORNERS)[number];

/** Leaves and returns at the corner; `n` of them stand around each other. */
export function loop(box: Box, label: { w: number; h: number }, n = 0, corner: Corner = "top right"): Route {
  const out = 26 + n * 16;
  const right = box.x + box.w;
  const deep = Math.min(18 + n * 8, box.h / 2);
  const points = [
    { x: right - 36 - n * 10, y: box.y },
    { x: right - 36 - n * 10, y: box.y - out },
    { x: right + out, y: box.y - out },
    { x: right + out, y: box.y + deep },
    { x: right, y: box.y + deep },
  ];
  const turned = ({ x, y }: Point): Point => ({
    x: corner.endsWith("left") ? 2 * box.x + box.w - x : x,
    y: corner.startsWith("bottom") ? 2 * box.y + box.h - y : y,
  });
  return { points: points.map(turned), label: turned({ x: right - 4 + label.w / 6, y: box.y - out }) };
}

/** The loops that could be drawn, the best first. */
export const loops = (box: Box, label: { w: number; h: number }, n: number): Route[] => CORNERS.map((corner) => loop(box, label, n, corner));

/**
 * A plain orthogonal route between two boxes: straight across the gap where they face each other, else round
 * the side. `shift` keeps parallel transitions apart.
 */
export function plainRoute(from: Box, to: Box, shift = 0): Route {
  const a = centre(from);
  const b = centre(to);
  const gapX = Math.max(to.x - (from.x + from.w), from.x - (to.x + to.w));
  const gapY = Math.max(to.y - (from.y + from.h), from.y - (to.y + to.h));
  const points = gapX >= gapY ? across(from, to, a, b, shift) : down(from, to, a, b, shift);
  return { points, label: labelSpot(points) };
}

const within = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

function across(from: Box, to: Box, a: Point, b: Point, shift: number): Point[] {
  const right = b.x >= a.x;
  const startX = right ? from.x + from.w : from.x;
  const endX = right ? to.x : to.x + to.w;
  const y1 = within(a.y + shift, from.y + 8, from.y + from.h - 8);
  const overlapTop = Math.max(from.y, to.y) + 8;
  const overlapBottom = Math.min(from.y + from.h, to.y + to.h) - 8;
  if (overlapBottom >= overlapTop) {
    const y = within(y1, overlapTop, overlapBottom);
    return [
      { x: startX, y },
      { x: endX, y },
    ];
  }
  const y2 = within(b.y + shift, to.y + 8, to.y + to.h - 8);
  const middle = (startX + endX) / 2 + shift;
  return [
    { x: startX, y: y1 },
    { x: middle, y: y1 },
    { x: middle, y: y2 },
    { x: endX, y: y2 },
  ];
}

function down(from: Box, to: Box, a: Point, b: Point, shift: number): Point[] {
  const flipped = across(turn(from), turn(to), { x: a.y, y: a.x }, { x: b.y, y: b.x }, shift);
  return flipped.map((point) => ({ x: point.y, y: point.x }));
}

const turn = (box: Box): Box => ({ x: box.y, y: box.x, w: box.h, h: box.w });
