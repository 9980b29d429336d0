/** Where a transition may leave a state and reach one. */
import type { Box } from "../../model";
import type { Point } from "./route";

export type Side = "left" | "right" | "top" | "bottom";

export interface Port extends Point {
  /** The way a line leaves by it. */
  side: Side;
  /** Where the way begins, just outside the state. */
  out: Point;
  /** What it costs to take this one and not the best. */
  cost: number;
}

/** How far a line runs straight before it may turn. */
export const STUB = 14;
const OFF_CENTRE = 6;

const port = (side: Side, x: number, y: number, cost = 0): Port => {
  const dx = side === "right" ? STUB : side === "left" ? -STUB : 0;
  const dy = side === "bottom" ? STUB : side === "top" ? -STUB : 0;
  return { side, x, y, out: { x: x + dx, y: y + dy }, cost };
};

const parts = (length: number): readonly number[] => (length < 60 ? [0.5] : [0.5, 0.25, 0.75]);

/** Up to three ways through every side, the middle one first; through the edge from within when `inwards`. */
function around(box: Box, inwards: boolean): Port[] {
  const turn: { [side in Side]: Side } = inwards
    ? { right: "left", left: "right", top: "bottom", bottom: "top" }
    : { right: "right", left: "left", top: "top", bottom: "bottom" };
  const down = parts(box.h).flatMap((part): Port[] => {
    const y = Math.round(box.y + box.h * part);
    const cost = part === 0.5 ? 0 : OFF_CENTRE;
    return [port(turn.right, box.x + box.w, y, cost), port(turn.left, box.x, y, cost)];
  });
  const across = parts(box.w).flatMap((part): Port[] => {
    const x = Math.round(box.x + box.w * part);
    const cost = part === 0.5 ? 0 : OFF_CENTRE;
    return [port(turn.bottom, x, box.y + box.h, cost), port(turn.top, x, box.y, cost)];
  });
  return [...down, ...across];
}

/** Two ways side by side have room for a pill each. */
const SIDE_BY_SIDE = 42;

/** `count` places between two limits, round their middle and as far apart as pills want; the middle one first. */
function spread(low: number, high: number, count: number): number[] {
  const middle = Math.round((low + high) / 2);
  if (count < 2) return [middle];
  const step = Math.min(SIDE_BY_SIDE, (high - low) / (count - 1));
  return Array.from({ length: count }, (_, n) => Math.round(middle + (n - (count - 1) / 2) * step));
}

/** Where two boxes face each other, the ports from which a straight line joins them. */
function facing(box: Box, other: Box, count: number): Port[] {
  const top = Math.max(box.y, other.y) + 6;
  const bottom = Math.min(box.y + box.h, other.y + other.h) - 6;
  const left = Math.max(box.x, other.x) + 10;
  const right = Math.min(box.x + box.w, other.x + other.w) - 10;
  const ports: Port[] = [];
  if (bottom >= top)
    for (const y of spread(top, bottom, count)) ports.push(other.x > box.x ? port("right", box.x + box.w, y) : port("left", box.x, y));
  if (right >= left)
    for (const x of spread(left, right, count)) ports.push(other.y > box.y ? port("bottom", x, box.y + box.h) : port("top", x, box.y));
  return ports;
}

/** The ports of `box` towards `other`, which may stand inside it; `count` transitions join the two. */
export function portsOf(box: Box, other: Box, holds: boolean, count = 1): Port[] {
  return holds ? around(box, true) : [...facing(box, other, count), ...around(box, false)];
}
