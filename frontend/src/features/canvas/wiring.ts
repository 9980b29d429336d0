/**
 * The ways and pills of all transitions of one lane, on plain data: laid ones as they are, the others by our own
 * router, then again where a way runs over the pill of another. Around each transition only what stands near counts,
 * so that a large lane costs no more a transition than a small one.
 */
import type { Box, Id } from "../../model";
import { Cells, grown, touches, type Item } from "./cells";
import { charge, gridOf, occupy, type Grid } from "./grid";
import { boxOf, pillOf, placeLabel, stretchesOf, type Ground, type Label, type Stretch } from "./labels";
import { portsOf, type Port } from "./ports";
import { labelSpot, loops, plainRoute, type Point, type Route } from "./route";
import { search } from "./search";

export interface Stand {
  id: Id;
  box: Box;
  /** Height of the name and rows above what it holds; null when it holds nothing. */
  head: number | null;
  /** The states it stands in. */
  holders: readonly Id[];
  /** The initial mark stands at its left. */
  initial: boolean;
}

export interface Line extends Label {
  source: Id;
  target: Id;
  /** The way it has: the layouter's, or the one it had before. */
  route?: Route;
  /** Way and pill stay as they are. */
  kept: boolean;
}

/** A lane, from its own corner. */
export interface Scene {
  frame: Box;
  /** Height of the title at the top. */
  title: number;
  stands: readonly Stand[];
  lines: readonly Line[];
}

const MARGIN = 11;
const EDGE = 6;
/** How far around both ends to look for a way, and from how dear a way on to look further. */
const WINDOWS = [140, 480, Infinity];
const DETOUR = 450;
const PILL_COST = 500;
/** In a hopeless place: better through a state than no way. */
const THROUGH = 2500;
const TAKEN = 60;
const NEAR = 20;
const ROUNDS = 3;
/** Lines beside a state, by how many states stand in the window. */
const BESIDE: readonly { upTo: number; lines: readonly number[]; gap: number }[] = [
  { upTo: 24, lines: [14, 26, 38], gap: 2 },
  { upTo: 70, lines: [14, 26], gap: 4 },
  { upTo: Infinity, lines: [16], gap: 10 },
];

const union = (a: Box, b: Box): Box => {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y };
};

const clipped = (box: Box, frame: Box): Box => {
  const x = Math.max(box.x, frame.x);
  const y = Math.max(box.y, frame.y);
  return { x, y, w: Math.min(box.x + box.w, frame.x + frame.w) - x, h: Math.min(box.y + box.h, frame.y + frame.h) - y };
};

const initialMark = (box: Box): Box => ({ x: box.x - 38, y: box.y + 8, w: 38, h: 16 });
const pairKey = (a: Id, b: Id): string => (a < b ? `${a} ${b}` : `${b} ${a}`);
const portKey = ({ x, y }: Point): string => `${Math.round(x / 8)},${Math.round(y / 8)}`;

interface Drawn {
  ways: Item<Id>[];
  pill: Item<Id> | null;
}

class Wiring {
  readonly routes = new Map<Id, Route>();
  private readonly stands: ReadonlyMap<Id, Stand>;
  private readonly leaves = new Cells<Stand>();
  private readonly holders = new Cells<Stand>();
  private readonly stretches = new Map<Id, readonly Stretch[]>();
  private readonly drawn = new Map<Id, Drawn>();
  private readonly taken = new Map<string, number>();
  private readonly ground: Ground;
  private readonly scene: Scene;
  private readonly lines: ReadonlyMap<Id, Line>;
  /** How many transitions join two states. */
  private readonly pairs = new Map<string, number>();

  constructor(scene: Scene) {
    this.scene = scene;
    this.stands = new Map(scene.stands.map((stand) => [stand.id, stand]));
    this.lines = new Map(scene.lines.map((line) => [line.id, line]));
    for (const { source, target } of scene.lines) this.pairs.set(pairKey(source, target), (this.pairs.get(pairKey(source, target)) ?? 0) + 1);
    this.ground = { solid: new Cells(), pills: new Cells(), borders: new Cells(), ways: new Cells(), frame: scene.frame };
    this.ground.solid.add({ ...scene.frame, h: scene.title }, null);
    for (const stand of scene.stands) {
      const { box, head } = stand;
      (head === null ? this.leaves : this.holders).add(box, stand);
      this.ground.solid.add(head === null ? box : { ...box, h: head }, stand);
      if (stand.initial) this.ground.solid.add(initialMark(box), stand);
      if (head !== null) this.ground.borders.add(box, box);
    }
  }

  run(): Map<Id, Route> {
    const waiting: Line[] = [];
    const open: Line[] = [];
    for (const line of this.scene.lines) {
      if (!line.route) {
        open.push(line);
        continue;
      }
      this.draw(line, line.route);
      const free = line.kept || this.isFree(pillOf(line, line.route));
      if (free) this.pin(line);
      else waiting.push(line);
    }
    for (const line of this.inOrder(open)) this.draw(line, this.wayOf(line));
    for (const line of [...waiting, ...open]) this.label(line);
    for (let round = 0; round < ROUNDS && this.mend(); round += 1);
    return this.routes;
  }

  /** Loops first, then short ones: these have the least choice. */
  private inOrder(lines: readonly Line[]): Line[] {
    const far = (line: Line): number => {
      const from = this.stands.get(line.source)?.box;
      const to = this.stands.get(line.target)?.box;
      return !from || !to || line.source === line.target ? 0 : Math.abs(from.x - to.x) + Math.abs(from.y - to.y) + 1;
    };
    return lines.map((line) => [far(line), line] as const).sort((a, b) => a[0] - b[0]).map(([, line]) => line);
  }

  private isFree(pill: Box): boolean {
    return this.ground.solid.near(pill, 1).length === 0 && this.ground.pills.near(pill, 1).length === 0;
  }

  private draw(line: Line, route: Route): void {
    const stretches = stretchesOf(route.points);
    this.routes.set(line.id, route);
    this.stretches.set(line.id, stretches);
    this.drawn.set(line.id, { ways: stretches.map((one) => this.ground.ways.add(boxOf(one), line.id)), pill: null });
    this.count(route, 1);
  }

  private count(route: Route, by: number): void {
    for (const end of [route.points[0], route.points[route.points.length - 1]])
      if (end) this.taken.set(portKey(end), (this.taken.get(portKey(end)) ?? 0) + by);
  }

  private erase(line: Line): void {
    const route = this.routes.get(line.id);
    const drawn = this.drawn.get(line.id);
    if (!route || !drawn) return;
    for (const way of drawn.ways) this.ground.ways.remove(way);
    if (drawn.pill) this.ground.pills.remove(drawn.pill);
    this.drawn.delete(line.id);
    this.count(route, -1);
  }

  private pin(line: Line): void {
    const drawn = this.drawn.get(line.id);
    const route = this.routes.get(line.id);
    if (drawn && route) drawn.pill = this.ground.pills.add(pillOf(line, route), line.id);
  }

  private label(line: Line): void {
    const route = this.routes.get(line.id);
    if (!route) return;
    this.routes.set(line.id, { points: route.points, label: placeLabel(line, route, this.ground) });
    this.pin(line);
  }

  /** `avoid`: mending, and not along here, where its pill has no room; null when it has. */
  private wayOf(line: Line, avoid?: Box | null): Route {
    const from = this.stands.get(line.source);
    const to = this.stands.get(line.target);
    if (!from || !to) return line.route ?? { points: [], label: { x: 0, y: 0 } };
    if (from === to) return this.loopOf(line, from);
    let best: { points: Point[]; cost: number } | null = null;
    const straight = Math.abs(from.box.x - to.box.x) + Math.abs(from.box.y - to.box.y);
    for (const margin of WINDOWS) {
      const found = this.searchIn(line, from, to, margin, avoid);
      if (found && (!best || found.cost < best.cost)) best = found;
      if (best && best.cost < straight + DETOUR) break;
    }
    if (!best || best.points.length < 2) return plainRoute(from.box, to.box);
    return { points: best.points, label: labelSpot(best.points) };
  }

  private loopOf(line: Line, stand: Stand): Route {
    const n = this.scene.lines.filter((other) => other.source === line.source && other.target === line.source && this.drawn.has(other.id)).length;
    const some = loops(stand.box, line, n);
    const price = (route: Route): number =>
      stretchesOf(route.points).reduce((sum, one) => {
        const box = boxOf(one);
        const states = this.ground.solid.near(box, -1).filter(({ value }) => value !== stand).length;
        return sum + states * 10 + this.ground.ways.near(box).filter(({ value }) => value !== line.id).length;
      }, 0);
    const [first, ...rest] = some.map((route) => ({ route, price: price(route) }));
    let best = first;
    for (const one of rest) if (best && one.price < best.price) best = one;
    return best?.route ?? plainRoute(stand.box, stand.box);
  }

  private searchIn(line: Line, from: Stand, to: Stand, margin: number, avoid?: Box | null): { points: Point[]; cost: number } | null {
    const bounds = grown(this.scene.frame, -EDGE);
    const window = margin === Infinity ? bounds : clipped(grown(union(from.box, to.box), margin), bounds);
    const count = this.pairs.get(pairKey(line.source, line.target)) ?? 1;
    const starts = portsOf(from.box, to.box, to.holders.includes(from.id), count);
    const goals = portsOf(to.box, from.box, from.holders.includes(to.id), count);
    const grid = this.gridIn(window, line, from, to, [...starts, ...goals], margin === Infinity ? THROUGH : Infinity, avoid !== undefined);
    if (avoid) charge(grid, grown(avoid, 4), PILL_COST);
    return search(grid, starts, goals, (port: Port) => port.cost + (this.taken.get(portKey(port)) ?? 0) * TAKEN);
  }

  private gridIn(window: Box, line: Line, from: Stand, to: Stand, ports: readonly Port[], closed: number, mending: boolean): Grid {
    const leaves = this.leaves.near(window, MARGIN);
    const holders = this.holders.near(window, MARGIN);
    const pills = this.ground.pills.near(window).filter(({ value }) => value !== line.id);
    const count = leaves.length + holders.length;
    const beside = BESIDE.find((one) => count <= one.upTo) ?? { lines: [16], gap: 10 };
    const may = { xs: [] as number[], ys: [] as number[] };
    const add = (box: Box, away: number): void => {
      may.xs.push(box.x - away, box.x + box.w + away);
      may.ys.push(box.y - away, box.y + box.h + away);
    };
    for (const { box } of [...leaves, ...holders]) for (const away of beside.lines) add(box, away);
    if (mending) for (const { box } of pills) add(box, 8);
    const must = { xs: ports.map((port) => port.out.x), ys: ports.map((port) => port.out.y) };
    const grid = gridOf({ must, may, gap: beside.gap }, window);
    charge(grid, { ...this.scene.frame, h: this.scene.title }, closed);
    for (const { box, value } of leaves) {
      charge(grid, grown(box, MARGIN), closed);
      if (value.initial) charge(grid, initialMark(box), closed);
    }
    for (const { box, value } of holders) {
      const { id, head } = value;
      const through = from.holders.includes(id) || to.holders.includes(id);
      if (through) charge(grid, grown({ ...box, h: head ?? 0 }, 2), closed);
      else charge(grid, grown(box, id === from.id || id === to.id ? MARGIN : 4), closed);
      if (value.initial) charge(grid, initialMark(box), closed);
    }
    for (const { box } of pills) charge(grid, grown(box, 4), PILL_COST);
    const others = new Set(this.ground.ways.near(window).map(({ value }) => value));
    others.delete(line.id);
    for (const id of others) for (const [a, b] of this.stretches.get(id) ?? []) occupy(grid, a, b);
    return grid;
  }

  /** The pills of others that the way runs over. */
  private over(id: Id): Id[] {
    const found = new Set<Id>();
    for (const one of this.stretches.get(id) ?? [])
      for (const { value } of this.ground.pills.near(boxOf(one), -1)) if (value !== id) found.add(value);
    return [...found];
  }

  /** The ways of others that run over the pill, and what it lies on. */
  private under(id: Id): number {
    const pill = this.drawn.get(id)?.pill;
    if (!pill) return 0;
    const ways = new Set(this.ground.ways.near(pill.box, -1).map(({ value }) => value));
    ways.delete(id);
    const solid = this.ground.solid.near(pill.box, -1).length + this.ground.pills.near(pill.box, -1).length - 1;
    return ways.size + 3 * solid;
  }

  /** Through how many states the way runs. */
  private through(line: Line): number {
    return (this.stretches.get(line.id) ?? []).reduce(
      (sum, one) => sum + this.leaves.near(boxOf(one), -1).filter(({ value }) => value.id !== line.source && value.id !== line.target).length,
      0,
    );
  }

  /** Lies on a state, a title or another pill. */
  private jammed(id: Id): boolean {
    const pill = this.drawn.get(id)?.pill;
    return !!pill && (this.ground.solid.near(pill.box, -1).length > 0 || this.ground.pills.near(pill.box, -1).length > 1);
  }

  /** So far from its way that one must look for it. */
  private astray(id: Id): boolean {
    const pill = this.drawn.get(id)?.pill;
    return !!pill && !(this.stretches.get(id) ?? []).some((one) => touches(boxOf(one), pill.box, NEAR));
  }

  private badness(line: Line): number {
    const far = this.astray(line.id) ? 1 : 0;
    return far + this.over(line.id).length + this.under(line.id) + 4 * this.through(line);
  }

  private longestOf(id: Id): Box | null {
    const boxes = (this.stretches.get(id) ?? []).map(boxOf);
    return boxes.sort((a, b) => b.w + b.h - a.w - a.h)[0] ?? null;
  }

  private isBad(line: Line): boolean {
    return this.over(line.id).length > 0 || this.through(line) > 0 || this.jammed(line.id) || this.astray(line.id);
  }

  /** Draws anew what runs over a pill or a state, or whose pill has no room; false when nothing does. */
  private mend(): boolean {
    const bad = this.scene.lines.filter((line) => this.isBad(line));
    for (const line of bad) {
      if (!this.isBad(line)) continue;
      const crowded = this.jammed(line.id) || this.astray(line.id);
      const avoid = crowded ? this.longestOf(line.id) : null;
      this.retry(line, () => this.draw(line, this.wayOf(line, avoid)));
      for (const id of this.over(line.id)) {
        const other = this.lines.get(id);
        const route = this.routes.get(id);
        if (other && route) this.retry(other, () => this.draw(other, { points: route.points, label: labelSpot(route.points) }));
      }
    }
    return bad.length > 0;
  }

  /** Keeps the new way and place only when they are better. */
  private retry(line: Line, drawAnew: () => void): void {
    const before = this.routes.get(line.id);
    const worth = this.badness(line);
    this.erase(line);
    drawAnew();
    this.label(line);
    if (!before || this.badness(line) < worth) return;
    this.erase(line);
    this.draw(line, before);
    this.pin(line);
  }
}

/** Ways and pills of all lines of the scene, from its corner. */
export const wire = (scene: Scene): Map<Id, Route> => new Wiring(scene).run();

/** Whether what was drawn still holds when these boxes have come to stand there. */
export function holds(label: Label, route: Route, boxes: readonly Box[]): boolean {
  const pill = pillOf(label, route);
  return boxes.every((box) => !touches(pill, box) && stretchesOf(route.points).every((one) => !touches(boxOf(one), box, 4)));
}
