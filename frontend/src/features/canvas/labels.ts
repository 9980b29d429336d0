/**
 * Where the pills of transitions stand: on their own way, on no state, on no other pill and on no other way. Where
 * there is no room for all of the text, less of it is shown; what it waits for is shown always.
 */
import type { Box, Id } from "../../model";
import { contains, touches, type Cells } from "./cells";
import type { Point, Route } from "./route";

const CLEAR = 3;
const PARTS = [0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9];
const BESIDE = [6, 16, 28, 48, 76, 108];
/** What it costs, in pixels of way: to lie on something, on the way of another, on the edge of what holds others, … */
const COST = { hit: 4000, crossing: 300, border: 40, cut: 2, short: 90, off: 50 };
/** A place as good as this is taken without a look at others. */
const GOOD = 60;

export interface Label {
  id: Id;
  w: number;
  h: number;
  least: number;
  /** Height with the first line alone. */
  one: number;
}

/** What pills must mind. */
export interface Ground {
  /** States, heads of those that hold others, titles. */
  solid: Cells<unknown>;
  pills: Cells<Id>;
  borders: Cells<Box>;
  /** Stretches of all ways, with whose they are. */
  ways: Cells<Id>;
  frame: Box;
}

export type Stretch = readonly [Point, Point];

export const stretchesOf = (points: readonly Point[]): Stretch[] =>
  points.slice(1).flatMap((point, n): Stretch[] => {
    const before = points[n];
    return before ? [[before, point]] : [];
  });

export const boxOf = ([a, b]: Stretch): Box => ({ x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), w: Math.abs(a.x - b.x), h: Math.abs(a.y - b.y) });

const around = (at: Point, w: number, h: number): Box => ({ x: at.x - w / 2, y: at.y - h / 2, w, h });

/** The box of a pill as it is drawn. */
export const pillOf = (label: { w: number; h: number }, { label: at }: Route): Box =>
  around(at, Math.min(label.w, at.w ?? label.w), Math.min(label.h, at.h ?? label.h));

/** Crosses the edge of a composite: allowed, not loved. */
const straddles = (box: Box, border: Box): boolean => touches(box, border) && !contains(border, box);

function costOf(box: Box, id: Id, { solid, pills, borders, ways, frame }: Ground): number {
  const outside = box.x < frame.x + 2 || box.x + box.w > frame.x + frame.w - 2 || box.y < frame.y + 2 || box.y + box.h > frame.y + frame.h - 2;
  const others = new Set<Id>();
  for (const { value } of ways.near(box)) if (value !== id) others.add(value);
  return (
    (solid.near(box, CLEAR).length + pills.near(box, CLEAR).length + (outside ? 1 : 0)) * COST.hit +
    borders.near(box).filter((border) => straddles(box, border.value)).length * COST.border +
    others.size * COST.crossing
  );
}

interface Size {
  w: number;
  h: number;
  cost: number;
}

/** Sizes worth trying on a stretch: all, what the stretch leaves free, less, and the first line alone. */
function sizes(label: Label, stretch: Stretch): Size[] {
  const free = Math.floor(Math.abs(stretch[0].x - stretch[1].x) - 12);
  const some = [label.w, free, Math.round(label.w * 0.75), label.least];
  const wide = [...new Set(some.filter((w) => w <= label.w && w >= label.least))];
  const both = wide.map((w): Size => ({ w, h: label.h, cost: (label.w - w) * COST.cut }));
  return label.h > label.one ? [...both, { w: label.least, h: label.one, cost: COST.short + (label.w - label.least) * 0.25 }] : both;
}

/** The cheapest place for the pill, and how large it may be there. */
export function placeLabel(label: Label, route: Route, ground: Ground): Route["label"] {
  let best: Route["label"] = { x: route.label.x, y: route.label.y };
  let least = Infinity;
  const consider = (x: number, y: number, { w, h, cost }: Size, more: number): void => {
    if (more + cost >= least) return;
    const whole = more + cost + costOf(around({ x, y }, w, h), label.id, ground);
    if (whole >= least) return;
    least = whole;
    best = { x, y, ...(w < label.w ? { w } : {}), ...(h < label.h ? { h } : {}) };
  };
  consider(route.label.x, route.label.y, { w: label.w, h: label.h, cost: 0 }, 0);
  if (least < GOOD) return best;
  const stretches = stretchesOf(route.points);
  const longest = Math.max(...stretches.map((one) => boxOf(one).w + boxOf(one).h));
  for (const stretch of stretches) {
    const [a, b] = stretch;
    const { w: level, h: plumb } = boxOf(stretch);
    const shorter = (longest - level - plumb) / 4;
    for (const size of sizes(label, stretch)) {
      for (const part of PARTS) {
        const x = a.x + (b.x - a.x) * part;
        const y = a.y + (b.y - a.y) * part;
        const more = shorter + Math.abs(part - 0.5) * 20;
        consider(x, y, size, more);
        // Beside the way, when on it there is no room.
        if (least < more + COST.off) continue;
        for (const far of BESIDE) {
          const dx = level > plumb ? 0 : size.w / 2 + far;
          const dy = level > plumb ? size.h / 2 + far : 0;
          consider(x + dx, y + dy, size, more + COST.off + 2 * far);
          consider(x - dx, y - dy, size, more + COST.off + 2 * far);
        }
      }
    }
  }
  return best;
}
