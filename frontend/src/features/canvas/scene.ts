/**
 * The ways of a whole draft, lane by lane. A picture that was drawn before is kept: only what a change touches is
 * routed anew.
 */
import { indexOf, isInside, laneOf, lanes, type Box, type Draft, type Id } from "../../model";
import { LANE_TITLE, type Geometry } from "./arrange";
import type { LaidRoute } from "./elk";
import { loop, plainRoute, type Route } from "./route";
import { PILL, viewsOf, type TransitionView } from "./view";
import { holds, wire, type Line, type Scene, type Stand } from "./wiring";

/** What was drawn, to draw the next from. */
export interface Drawing {
  lanes: ReadonlyMap<Id, Lane>;
  routes: Map<Id, Route>;
}

export interface Lane {
  scene: Scene;
  /** Drawn with plain ways for now: too much to be wired at once. */
  sketched: boolean;
  /** From the corner of the lane. */
  routes: ReadonlyMap<Id, Route>;
  views: ReadonlyMap<Id, TransitionView>;
  laid: ReadonlyMap<Id, LaidRoute>;
}

const close = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < 1.5 && Math.abs(a.y - b.y) < 1.5 && Math.abs(a.w - b.w) < 1.5 && Math.abs(a.h - b.h) < 1.5;

const shifted = (route: Route, x: number, y: number): Route => ({
  points: route.points.map((point) => ({ x: point.x + x, y: point.y + y })),
  label: { ...route.label, x: route.label.x + x, y: route.label.y + y },
});

function standsOf(draft: Draft, geometry: Geometry, lane: Id, corner: Box): Stand[] {
  const index = indexOf(draft);
  const views = viewsOf(draft).states;
  const stands: Stand[] = [];
  const walk = (region: Id, holders: readonly Id[]): void => {
    for (const state of index.statesOf.get(region) ?? []) {
      const box = geometry.absolute.get(state.id);
      const view = views.get(state.id);
      if (!box || !view) continue;
      const inner = index.regionsOf.get(state.id) ?? [];
      const head = inner.length > 0 ? view.h : null;
      stands.push({ id: state.id, box: { ...box, x: box.x - corner.x, y: box.y - corner.y }, head, holders, initial: view.initial });
      for (const one of inner) walk(one.id, [...holders, state.id]);
    }
  };
  walk(lane, []);
  return stands;
}

const sameStand = (a: Stand, b: Stand | undefined): boolean =>
  b !== undefined && close(a.box, b.box) && a.head === b.head && a.initial === b.initial && a.holders.length === b.holders.length;

/** Boxes no way that was drawn before may run through now: those that are new at their place. */
function arrivals(stands: readonly Stand[], before: ReadonlyMap<Id, Stand>): Stand[] {
  return stands.filter((stand) => !sameStand(stand, before.get(stand.id)));
}

const lineOf = (view: TransitionView): Line => ({
  id: view.id,
  source: view.source,
  target: view.target,
  w: view.w,
  h: view.h,
  least: view.least,
  one: Math.min(view.h, PILL.one),
  kept: false,
});

/** More new ways in a lane than this are not wired between two frames. */
const AT_ONCE = 24;

/** Plain ways, until the right ones are there. */
function sketch({ stands, lines }: Scene): Map<Id, Route> {
  const boxes = new Map(stands.map((stand) => [stand.id, stand.box]));
  const routes = new Map<Id, Route>();
  for (const line of lines) {
    const from = boxes.get(line.source);
    const to = boxes.get(line.target);
    if (line.route) routes.set(line.id, line.route);
    else if (from && to) routes.set(line.id, from === to ? loop(from, line) : plainRoute(from, to));
  }
  return routes;
}

/** Keeps the way a transition had when nothing came to stand on it and its ends are where they were. */
function keptRoute(view: TransitionView, before: Lane, came: readonly Stand[], moved: ReadonlySet<Id>, laid: ReadonlyMap<Id, LaidRoute>, ends: ReadonlyMap<Id, Stand>): Route | null {
  const route = before.routes.get(view.id);
  if (!route || before.views.get(view.id) !== view || moved.has(view.source) || moved.has(view.target)) return null;
  if (before.laid.get(view.id) !== laid.get(view.id)) return null;
  if (came.length === 0) return route;
  const around = new Set([...(ends.get(view.source)?.holders ?? []), ...(ends.get(view.target)?.holders ?? [])]);
  const boxes = came.map(({ id, box, head }) => (head !== null && around.has(id) ? { ...box, h: head } : box));
  return holds(lineOf(view), route, boxes) ? route : null;
}

function drawLane(draft: Draft, geometry: Geometry, lane: Id, views: readonly TransitionView[], laid: ReadonlyMap<Id, LaidRoute>, before: Lane | undefined, apart: boolean): Lane | null {
  const corner = geometry.absolute.get(lane);
  if (!corner) return null;
  const stands = standsOf(draft, geometry, lane, corner);
  const boxes = new Map(stands.map((stand) => [stand.id, stand.box]));
  const old = new Map((before?.scene.stands ?? []).map((stand) => [stand.id, stand]));
  const came = before ? arrivals(stands, old) : [];
  const moved = new Set(came.map((stand) => stand.id));
  const few = before !== undefined && !before.sketched && came.length * 3 < stands.length + 6;
  const lines = views.flatMap((view): Line[] => {
    const from = boxes.get(view.source);
    const to = boxes.get(view.target);
    if (!from || !to) return [];
    const kept = few && before ? keptRoute(view, before, came, moved, laid, old) : null;
    if (kept) return [{ ...lineOf(view), route: kept, kept: true }];
    const known = laid.get(view.id);
    const fits = known && close(known.from, from) && close(known.to, to);
    return [fits ? { ...lineOf(view), route: { points: known.points, label: known.label } } : lineOf(view)];
  });
  const scene: Scene = { frame: { x: 0, y: 0, w: corner.w, h: corner.h }, title: LANE_TITLE - 2, stands, lines };
  const same = before && !before.sketched && came.length === 0 && stands.length === before.scene.stands.length && lines.length === before.scene.lines.length && lines.every((line) => line.kept);
  const sketched = !same && apart && lines.filter((line) => !line.kept).length > AT_ONCE;
  const routes = same ? before.routes : sketched ? sketch(scene) : wire(scene);
  return { scene, sketched, routes, views: new Map(views.map((view) => [view.id, view])), laid };
}

/**
 * Ways and pills of all transitions; `laid` are the layouter's, from the corner of their lane. With `apart` a lane
 * with much to wire is sketched, for somebody to wire its scene elsewhere and hand it in by `wired`.
 */
export function drawWires(draft: Draft, geometry: Geometry, laid: ReadonlyMap<Id, LaidRoute>, before: Drawing | null = null, apart = false): Drawing {
  const byLane = new Map<Id, TransitionView[]>();
  const routes = new Map<Id, Route>();
  for (const view of viewsOf(draft).transitions.values()) {
    const lane = laneOf(draft, view.source);
    if (!lane) continue;
    if (isInside(draft, view.target, lane.id)) {
      const there = byLane.get(lane.id);
      if (there) there.push(view);
      else byLane.set(lane.id, [view]);
      continue;
    }
    const from = geometry.absolute.get(view.source);
    const to = geometry.absolute.get(view.target);
    if (from && to) routes.set(view.id, plainRoute(from, to));
  }
  const drawn = new Map<Id, Lane>();
  for (const { id } of lanes(draft)) {
    const lane = drawLane(draft, geometry, id, byLane.get(id) ?? [], laid, before?.lanes.get(id), apart);
    const corner = geometry.absolute.get(id);
    if (!lane || !corner) continue;
    drawn.set(id, lane);
    const old = before?.lanes.get(id);
    for (const [transition, route] of lane.routes) {
      // What stands still keeps its identity, so that it is not drawn anew.
      const last = old?.routes.get(transition) === route ? before?.routes.get(transition) : undefined;
      const placed = shifted(route, corner.x, corner.y);
      const same = last && last.points[0]?.x === placed.points[0]?.x && last.points[0]?.y === placed.points[0]?.y;
      routes.set(transition, same ? last : placed);
    }
  }
  return { lanes: drawn, routes };
}

/** The drawing with a lane that was sketched and is wired now: the next is drawn from it. */
export const wired = (drawing: Drawing, id: Id, lane: Lane, routes: ReadonlyMap<Id, Route>): Drawing => ({
  ...drawing,
  lanes: new Map([...drawing.lanes, [id, { ...lane, sketched: false, routes }]]),
});
