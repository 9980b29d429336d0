/**
 * Where everything stands. Stored places are kept; a state without one gets a free place; what holds others is
 * as large as they need. Lanes stand under each other, the speaker on top, all equally wide.
 */
import { indexOf, isSpeaker, lanes, type Box, type Draft, type Id, type Layout, type Region } from "../../model";
import { HEADER, viewsOf, type StateView } from "./view";

export interface Geometry {
  /** Relative to what holds it: a state to its region, a nested region to its state, a lane to the chart. */
  boxes: Map<Id, Box>;
  /** Relative to the chart. */
  absolute: Map<Id, Box>;
  width: number;
  height: number;
}

export const LANE_TITLE = 28;
const LANE_PAD = { left: 56, top: LANE_TITLE + 20, right: 40, bottom: 28 };
const INNER_PAD = { left: 44, top: 16, right: 24, bottom: 20 };
const SUB_TITLE = 22;
const LANE_GAP = 14;
const FREE_GAP = 56;
const EMPTY_LANE = { w: 640, h: 132 };
/** Room to begin in: a speaker lane is never smaller. */
const SPEAKER_LANE = { w: 860, h: 320 };

export const padOf = (region: Region, only: boolean): { left: number; top: number; right: number; bottom: number } =>
  region.parent === null ? LANE_PAD : only ? INNER_PAD : { ...INNER_PAD, top: INNER_PAD.top + SUB_TITLE };

const overlaps = (a: Box, b: Box, gap: number): boolean =>
  a.x < b.x + b.w + gap && b.x < a.x + a.w + gap && a.y < b.y + b.h + gap && b.y < a.y + a.h + gap;

/** A place near `wanted` that touches nothing: a little below first, then further down or to the right. */
export function freePlace(wanted: Box, taken: readonly Box[]): Box {
  for (let ring = 0; ring < 60; ring += 1) {
    for (let column = 0; column <= Math.min(3, ring); column += 1) {
      const box = { ...wanted, x: wanted.x + column * (wanted.w + FREE_GAP), y: wanted.y + (ring - column) * 44 };
      if (!taken.some((other) => overlaps(box, other, 14))) return box;
    }
  }
  return wanted;
}

class Arranger {
  readonly boxes = new Map<Id, Box>();
  private readonly layout: Layout;
  private readonly index: ReturnType<typeof indexOf>;
  private readonly states: Map<Id, StateView>;

  constructor(draft: Draft, layout: Layout) {
    this.layout = layout;
    this.index = indexOf(draft);
    this.states = viewsOf(draft).states;
  }

  /** Sizes a state, and for one that holds regions everything in it. */
  private sizeOf(id: Id): { w: number; h: number } {
    const view = this.states.get(id);
    const own = { w: view?.w ?? 160, h: view?.h ?? HEADER };
    const regions = this.index.regionsOf.get(id) ?? [];
    if (regions.length === 0) return own;
    let y = own.h - 1;
    let width = own.w;
    for (const region of regions) {
      const size = this.region(region, regions.length === 1);
      this.boxes.set(region.id, { x: 0, y, ...size });
      width = Math.max(width, size.w);
      y += size.h;
    }
    const stored = this.layout[id];
    const whole = { w: Math.max(width, stored?.w ?? 0), h: Math.max(y, stored?.h ?? 0) };
    regions.forEach((region, n) => {
      const box = this.boxes.get(region.id);
      const spare = n === regions.length - 1 ? whole.h - y : 0;
      if (box) this.boxes.set(region.id, { ...box, w: whole.w, h: box.h + spare });
    });
    return whole;
  }

  /** Places the states of a region and gives the size it needs. */
  region(region: Region, only: boolean): { w: number; h: number } {
    const pad = padOf(region, only);
    const states = this.index.statesOf.get(region.id) ?? [];
    const placed: Box[] = [];
    const waiting: { id: Id; w: number; h: number }[] = [];
    for (const state of states) {
      const size = this.sizeOf(state.id);
      const stored = this.layout[state.id];
      if (!stored) {
        waiting.push({ id: state.id, ...size });
        continue;
      }
      const box = { x: Math.max(pad.left - 24, stored.x), y: Math.max(pad.top - 8, stored.y), ...size };
      placed.push(box);
      this.boxes.set(state.id, box);
    }
    for (const one of waiting) {
      const box = freePlace({ ...this.wanted(one.id, pad), w: one.w, h: one.h }, placed);
      placed.push(box);
      this.boxes.set(one.id, box);
    }
    const right = Math.max(0, ...placed.map((box) => box.x + box.w)) + pad.right;
    const bottom = Math.max(0, ...placed.map((box) => box.y + box.h)) + pad.bottom;
    const room = isSpeaker(region) && region.parent === null ? SPEAKER_LANE : EMPTY_LANE;
    if (placed.length === 0) return region.parent === null ? room : { w: 200, h: 76 };
    // A lane keeps the room it was given; what is nested is as large as it must be.
    if (region.parent !== null) return { w: right, h: bottom };
    const given = this.layout[region.id];
    const least = isSpeaker(region) ? room : { w: 0, h: 0 };
    return { w: Math.max(right, given?.w ?? 0, least.w), h: Math.max(bottom, given?.h ?? 0, least.h) };
  }

  /** A new state stands to the right of the first placed state that leads to it. */
  private wanted(id: Id, pad: { left: number; top: number }): { x: number; y: number } {
    const region = this.index.state.get(id)?.region;
    for (const transition of this.index.into.get(id) ?? []) {
      const from = this.boxes.get(transition.source);
      if (from && this.index.state.get(transition.source)?.region === region)
        return { x: from.x + from.w + 180, y: from.y };
    }
    return { x: pad.left, y: pad.top };
  }
}

/** The geometry of a draft; `extra` are places that are not stored (yet): from the layouter. */
export function arrange(draft: Draft, extra: Layout = {}): Geometry {
  const arranger = new Arranger(draft, { ...extra, ...draft.layout });
  const { boxes } = arranger;
  const tops = lanes(draft);
  const sizes = tops.map((lane) => arranger.region(lane, false));
  const width = Math.max(EMPTY_LANE.w, ...sizes.map((size) => size.w));
  let y = 0;
  tops.forEach((lane, n) => {
    const h = sizes[n]?.h ?? EMPTY_LANE.h;
    boxes.set(lane.id, { x: 0, y, w: width, h });
    y += h + LANE_GAP;
  });
  return { boxes, absolute: absolutes(draft, boxes), width, height: Math.max(0, y - LANE_GAP) };
}

function absolutes(draft: Draft, boxes: Map<Id, Box>): Map<Id, Box> {
  const index = indexOf(draft);
  const out = new Map<Id, Box>();
  const walk = (region: Region, x: number, y: number): void => {
    const box = boxes.get(region.id);
    if (!box) return;
    const at = { ...box, x: x + box.x, y: y + box.y };
    out.set(region.id, at);
    for (const state of index.statesOf.get(region.id) ?? []) {
      const own = boxes.get(state.id);
      if (!own) continue;
      const place = { ...own, x: at.x + own.x, y: at.y + own.y };
      out.set(state.id, place);
      for (const inner of index.regionsOf.get(state.id) ?? []) walk(inner, place.x, place.y);
    }
  };
  for (const lane of lanes(draft)) walk(lane, 0, 0);
  return out;
}

/** The lane nearest to a point, for what was meant for a lane and missed it. */
export function nearestLane(draft: Draft, geometry: Geometry, point: { x: number; y: number }): Id | null {
  const away = (box: Box): number => Math.max(box.y - point.y, point.y - (box.y + box.h), 0);
  const found = lanes(draft).flatMap((lane) => {
    const box = geometry.absolute.get(lane.id);
    return box ? [{ id: lane.id, far: away(box) }] : [];
  });
  return found.sort((a, b) => a.far - b.far)[0]?.id ?? null;
}

/** The innermost region at a point of the chart, leaving out what is inside `except`. */
export function regionAt(draft: Draft, geometry: Geometry, point: { x: number; y: number }, except: ReadonlySet<Id>): Id | null {
  let found: { id: Id; area: number } | null = null;
  for (const region of draft.regions) {
    const box = geometry.absolute.get(region.id);
    if (!box || except.has(region.id)) continue;
    const inside = point.x >= box.x && point.x <= box.x + box.w && point.y >= box.y && point.y <= box.y + box.h;
    const area = box.w * box.h;
    if (inside && (found === null || area < found.area)) found = { id: region.id, area };
  }
  return found?.id ?? null;
}
