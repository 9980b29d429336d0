/**
 * Where the pills of transitions stand: on their own way, on no state and on no other pill. Where there is no room
 * for all of the text, less of it is shown.
 */
import { indexOf, laneOf, type Box, type Draft, type Id } from "../../model";
import { LANE_TITLE, type Geometry } from "./arrange";
import type { Point, Route } from "./route";
import { viewsOf, type TransitionView } from "./view";

/** A pill narrower than this says nothing. */
const LEAST = 48;
const CLEAR = 3;
const CELL = 256;
const PARTS = [0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9];
/** What it costs, in pixels of way: to lie on something, to be cut by a pixel, to lie on the way of another. */
const COST = { hit: 4000, cut: 2, crossing: 60, border: 40, off: 30 };

const touches = (a: Box, b: Box, gap: number): boolean =>
  a.x < b.x + b.w + gap && b.x < a.x + a.w + gap && a.y < b.y + b.h + gap && b.y < a.y + a.h + gap;

const around = (at: Point, w: number, h: number): Box => ({ x: at.x - w / 2, y: at.y - h / 2, w, h });

/** Boxes by where they are, so that a large chart is not compared all with all. */
class Taken {
  private readonly cells = new Map<string, Box[]>();

  private *near(box: Box): Generator<string> {
    for (let x = Math.floor((box.x - CLEAR) / CELL); x <= Math.floor((box.x + box.w + CLEAR) / CELL); x += 1)
      for (let y = Math.floor((box.y - CLEAR) / CELL); y <= Math.floor((box.y + box.h + CLEAR) / CELL); y += 1)
        yield `${x} ${y}`;
  }

  add(box: Box): void {
    for (const cell of this.near(box)) {
      const there = this.cells.get(cell);
      if (there) there.push(box);
      else this.cells.set(cell, [box]);
    }
  }

  /** How much of the box is taken, by number of things it touches. */
  hits(box: Box): number {
    const found = new Set<Box>();
    for (const cell of this.near(box))
      for (const other of this.cells.get(cell) ?? []) if (touches(box, other, CLEAR)) found.add(other);
    return found.size;
  }
}

type Stretch = readonly [Point, Point];

const stretchesOf = (points: readonly Point[]): Stretch[] =>
  points.slice(1).flatMap((point, n): Stretch[] => {
    const before = points[n];
    return before ? [[before, point]] : [];
  });

const boxOf = ([a, b]: Stretch): Box => ({ x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), w: Math.abs(a.x - b.x), h: Math.abs(a.y - b.y) });

interface Scene {
  taken: Taken;
  borders: Box[];
  /** Stretches of all ways, with whose they are. */
  ways: { id: Id; box: Box }[];
  lane: Box | undefined;
}

/** Crosses the edge of a composite: allowed, not loved. */
const straddles = (box: Box, border: Box): boolean =>
  touches(box, border, 0) &&
  !(box.x >= border.x && box.y >= border.y && box.x + box.w <= border.x + border.w && box.y + box.h <= border.y + border.h);

function costOf(box: Box, id: Id, scene: Scene): number {
  const { lane } = scene;
  const outside = lane && (box.x < lane.x + 2 || box.x + box.w > lane.x + lane.w - 2 || box.y < lane.y + 2 || box.y + box.h > lane.y + lane.h - 2);
  return (
    (scene.taken.hits(box) + (outside ? 1 : 0)) * COST.hit +
    scene.borders.filter((border) => straddles(box, border)).length * COST.border +
    scene.ways.filter((way) => way.id !== id && touches(box, way.box, 0)).length * COST.crossing
  );
}

/** Widths worth trying on a stretch: all, what the stretch leaves free, and less. */
function widths(full: number, stretch: Stretch): number[] {
  const level = Math.abs(stretch[0].x - stretch[1].x);
  const free = Math.floor(level - 12);
  const some = [full, ...(free < full && free >= LEAST ? [free] : []), Math.round(full * 0.75), Math.round(full / 2), LEAST];
  return [...new Set(some.filter((width) => width <= full && width >= Math.min(LEAST, full)))];
}

/** The cheapest place on the way for the pill, and how wide it may be there. */
function place(view: TransitionView, route: Route, scene: Scene): { at: Point; w: number } {
  let best = { at: route.label, w: view.w };
  let least = Infinity;
  const consider = (at: Point, w: number, more: number): void => {
    if (more >= least) return;
    const cost = more + (view.w - w) * COST.cut + costOf(around(at, w, view.h), view.id, scene);
    if (cost >= least) return;
    least = cost;
    best = { at, w };
  };
  consider(route.label, view.w, 0);
  if (least < COST.crossing * 2) return best;
  const stretches = stretchesOf(route.points);
  const longest = Math.max(...stretches.map((one) => boxOf(one).w + boxOf(one).h));
  for (const stretch of stretches) {
    const [a, b] = stretch;
    const box = boxOf(stretch);
    const shorter = (longest - box.w - box.h) / 4;
    for (const w of widths(view.w, stretch)) {
      for (const part of PARTS) {
        const at = { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
        const more = shorter + Math.abs(part - 0.5) * 20;
        consider(at, w, more);
        // Beside the way, when on it there is no room.
        for (const far of [6, 16, 28]) {
          const aside = box.w > box.h ? { x: 0, y: view.h / 2 + far } : { x: w / 2 + far, y: 0 };
          consider({ x: at.x + aside.x, y: at.y + aside.y }, w, more + COST.off + 2 * far);
          consider({ x: at.x - aside.x, y: at.y - aside.y }, w, more + COST.off + 2 * far);
        }
      }
    }
  }
  return best;
}

/** Titles of lanes, states that hold nothing, and the heads of those that do: no pill lies on them. */
function solid(draft: Draft, geometry: Geometry): { taken: Taken; borders: Box[] } {
  const taken = new Taken();
  const borders: Box[] = [];
  const index = indexOf(draft);
  const views = viewsOf(draft).states;
  for (const region of draft.regions) {
    const box = geometry.absolute.get(region.id);
    if (box && region.parent === null) taken.add({ ...box, h: LANE_TITLE - 2 });
  }
  for (const state of draft.states) {
    const box = geometry.absolute.get(state.id);
    if (!box) continue;
    if (!index.regionsOf.has(state.id)) taken.add(box);
    else {
      taken.add({ ...box, h: views.get(state.id)?.h ?? box.h });
      borders.push(box);
    }
  }
  return { taken, borders };
}

/** Above this many transitions the layouter's places are taken as they are. */
const MOST = 300;

/** Gives every route a label place that is free, and a width where the text has to be cut. */
export function placeLabels(draft: Draft, geometry: Geometry, routes: Map<Id, Route>, laid: ReadonlySet<Id>): void {
  const { taken, borders } = solid(draft, geometry);
  const views = viewsOf(draft).transitions;
  const ways = [...routes].flatMap(([id, route]) => stretchesOf(route.points).map((stretch) => ({ id, box: boxOf(stretch) })));
  const few = routes.size <= MOST;
  const waiting: Id[] = [];
  for (const [id, route] of routes) {
    const view = views.get(id);
    if (!view) continue;
    const box = around(route.label, view.w, view.h);
    if (laid.has(id) && (!few || taken.hits(box) === 0)) taken.add(box);
    else waiting.push(id);
  }
  for (const id of waiting) {
    const view = views.get(id);
    const route = routes.get(id);
    if (!view || !route) continue;
    const lane = geometry.absolute.get(laneOf(draft, view.source)?.id ?? "");
    const { at, w } = place(view, route, { taken, borders, ways: few ? ways : [], lane });
    taken.add(around(at, w, view.h));
    routes.set(id, { points: route.points, label: w < view.w ? { ...at, w } : at });
  }
}
