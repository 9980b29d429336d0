/** The draft and its picture as the nodes and edges React Flow wants, sizes and handles given. */
import { Position, type NodeHandle } from "@xyflow/react";

import {
  describeState,
  describeTransition,
  indexOf,
  isSpeaker,
  labelText,
  LANES,
  lanes,
  nameOf,
  problemsById,
  triggerKind,
  cut,
  type Box,
  type Draft,
  type Id,
  type Region,
} from "../../model";
import { nowId } from "./now";
import type { ChartNode, LaneData } from "./parts";
import { plainRoute, type Point } from "./route";
import type { Picture } from "./useGeometry";
import { viewsOf } from "./view";
import type { Wire } from "./wires";

const WIRE_LAYER = 40;
const STATE_LAYER = 60;

function handles(box: Box): NodeHandle[] {
  const at = (id: Position, x: number, y: number): NodeHandle => ({ id, type: "source", position: id, x: x - 5, y: y - 5, width: 10, height: 10 });
  return [
    at(Position.Top, box.w / 2, 0),
    at(Position.Right, box.w, box.h / 2),
    at(Position.Bottom, box.w / 2, box.h),
    at(Position.Left, 0, box.h / 2),
  ];
}

const sized = (box: Box) => ({ width: box.w, height: box.h, measured: { width: box.w, height: box.h } });

function laneData(draft: Draft, region: Region): LaneData {
  const problems = problemsById(draft).get(region.id);
  const moves = (indexOf(draft).outOf.get(region.id) ?? []).map((row) => {
    const target = row.target === null ? undefined : indexOf(draft).state.get(row.target);
    const text = `${cut(labelText(row), 28)}${target ? ` → ${nameOf(target)}` : ""}`;
    return { id: row.id, text, full: describeTransition(draft, row), trigger: triggerKind(row.on) };
  });
  return { name: nameOf(region), speaker: isSpeaker(region), worst: problems?.[0]?.severity ?? null, moves };
}

/** Nodes, what holds others first. `moved` are places under the hand right now, relative to the region. */
export function nodesOf(draft: Draft, picture: Picture, selected: ReadonlySet<Id>, moved: ReadonlyMap<Id, Point>, design: boolean): ChartNode[] {
  const index = indexOf(draft);
  const views = viewsOf(draft).states;
  const nodes: ChartNode[] = [];
  const walk = (region: Region, depth: number): void => {
    const box = picture.boxes.get(region.id);
    if (!box) return;
    const shared = { id: region.id, position: { x: box.x, y: box.y }, draggable: false, connectable: false, selected: selected.has(region.id), ...sized(box) };
    if (region.parent === null) {
      nodes.push({
        ...shared,
        type: "lane",
        zIndex: 0,
        ariaLabel: `${isSpeaker(region) ? "Speaker" : "Observer"} region ${nameOf(region)}`,
        domAttributes: { "aria-roledescription": "region" },
        data: laneData(draft, region),
      });
    } else {
      const titled = (index.regionsOf.get(region.parent)?.length ?? 0) > 1;
      nodes.push({
        ...shared,
        type: "inner",
        parentId: region.parent,
        zIndex: depth,
        focusable: titled,
        ...(titled ? { ariaLabel: `Region ${nameOf(region)}` } : {}),
        data: { name: nameOf(region), titled },
      });
    }
    for (const state of index.statesOf.get(region.id) ?? []) {
      const own = picture.boxes.get(state.id);
      const view = views.get(state.id);
      if (!own || !view) continue;
      const inner = index.regionsOf.get(state.id) ?? [];
      nodes.push({
        id: state.id,
        type: "state",
        parentId: region.id,
        position: moved.get(state.id) ?? { x: own.x, y: own.y },
        zIndex: inner.length > 0 ? depth + 1 : STATE_LAYER,
        draggable: design,
        selected: selected.has(state.id),
        handles: handles(own),
        ariaLabel: describeState(draft, state),
        domAttributes: { "aria-roledescription": "state", "aria-describedby": nowId(state.id) },
        data: { view },
        ...sized(own),
      });
      for (const nested of inner) walk(nested, depth + 2);
    }
  };
  for (const lane of lanes(draft)) walk(lane, 0);
  return nodes;
}

/** Where a state stands now: moved along with what is under the hand. */
function boxNow(draft: Draft, picture: Picture, id: Id, moved: ReadonlyMap<Id, Point>): Box | undefined {
  const box = picture.absolute.get(id);
  if (!box || moved.size === 0) return box;
  const index = indexOf(draft);
  let { x, y } = box;
  let current: Id | undefined | null = id;
  while (current) {
    const at = moved.get(current);
    const rest = picture.boxes.get(current);
    if (at && rest) {
      x += at.x - rest.x;
      y += at.y - rest.y;
    }
    current = index.region.get(index.state.get(current)?.region ?? "")?.parent;
  }
  return { ...box, x, y };
}

const same = (a?: Box, b?: Box): boolean => a?.x === b?.x && a?.y === b?.y;

export function wiresOf(draft: Draft, picture: Picture, selected: ReadonlySet<Id>, moved: ReadonlyMap<Id, Point>): Wire[] {
  const index = indexOf(draft);
  const wires: Wire[] = [];
  for (const view of viewsOf(draft).transitions.values()) {
    const row = index.transition.get(view.id);
    let route = picture.routes.get(view.id);
    if (!row || !route) continue;
    const from = boxNow(draft, picture, view.source, moved);
    const to = boxNow(draft, picture, view.target, moved);
    const strayed = !same(from, picture.absolute.get(view.source)) || !same(to, picture.absolute.get(view.target));
    if (strayed && from && to) route = plainRoute(from, to);
    wires.push({
      id: view.id,
      type: "transition",
      source: view.source,
      target: view.target,
      sourceHandle: Position.Right,
      targetHandle: Position.Left,
      selected: selected.has(view.id),
      zIndex: WIRE_LAYER,
      ariaLabel: describeTransition(draft, row),
      domAttributes: { "aria-roledescription": "transition", "aria-describedby": nowId(view.id) },
      data: { view, route },
    });
  }
  return wires;
}

/** All that stands in lanes, for "select all". */
export const allStates = (draft: Draft): { kind: "state"; id: Id }[] => draft.states.map((state) => ({ kind: "state", id: state.id }));

export const hasLane = (draft: Draft): boolean => (indexOf(draft).regionsOf.get(LANES) ?? []).length > 0;
