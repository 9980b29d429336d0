/**
 * Layout by ELK in one warm worker, one call a lane. The options are those that never crashed on nested charts
 * with self-loops (docs/decisions: layout); ELK is loaded only when something has to be laid out.
 */
import type { ElkExtendedEdge, ElkNode, ELK as ElkApi } from "elkjs/lib/elk-api";

import { indexOf, isSpeaker, type Box, type Draft, type Id, type Region, type State } from "../../model";
import { padOf } from "./arrange";
import type { Point, Route } from "./route";
import { viewsOf, type TransitionView, type Views } from "./view";

export type Direction = "RIGHT" | "DOWN";

export interface LaneLayout {
  /** States relative to their region, as stored. */
  places: Map<Id, Box>;
  /** Relative to the lane, with the ends they were made for. */
  routes: Map<Id, LaidRoute>;
  w: number;
  h: number;
}

export interface LaidRoute extends Route {
  from: Box;
  to: Box;
}

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.json.edgeCoords": "ROOT",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.considerModelOrder.strategy": "PREFER_EDGES",
  "elk.spacing.nodeNode": "36",
  "elk.spacing.edgeNode": "20",
  "elk.spacing.edgeEdge": "14",
  "elk.spacing.edgeLabel": "6",
  "elk.spacing.labelLabel": "8",
  "elk.layered.spacing.nodeNodeBetweenLayers": "36",
  "elk.layered.spacing.edgeNodeBetweenLayers": "18",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "12",
};

/** Every rung gives up something of the one above it; the grid of arrange.ts is the floor. */
const LADDER: { [option: string]: string }[] = [
  // Document order is how the story is told: what points back in it is what goes back on the chart.
  { "elk.layered.cycleBreaking.strategy": "MODEL_ORDER" },
  {},
  { "elk.layered.considerModelOrder.strategy": "NONE" },
  { "elk.layered.considerModelOrder.strategy": "NONE", "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF" },
];

let warm: Promise<ElkApi> | null = null;

function engine(): Promise<ElkApi> {
  warm ??= (async () => {
    const [{ default: Elk }, { default: url }] = await Promise.all([
      import("elkjs/lib/elk-api"),
      import("elkjs/lib/elk-worker.min.js?url"),
    ]);
    return new Elk({ workerFactory: () => new Worker(url) });
  })();
  return warm;
}

const padding = (pad: { left: number; top: number; right: number; bottom: number }): string =>
  `[top=${pad.top},left=${pad.left},bottom=${pad.bottom},right=${pad.right}]`;

class Graph {
  readonly edges: ElkExtendedEdge[] = [];
  private readonly views: Views;
  private readonly index: ReturnType<typeof indexOf>;
  private readonly inLane = new Set<Id>();

  constructor(draft: Draft) {

    this.views = viewsOf(draft);
    this.index = indexOf(draft);
  }

  lane(region: Region, direction: Direction, rung: { [option: string]: string }): ElkNode {
    const children = this.states(region);
    for (const view of this.views.transitions.values()) {
      if (this.inLane.has(view.source) && this.inLane.has(view.target)) this.edges.push(edgeOf(view));
    }
    const layoutOptions = { ...OPTIONS, "elk.direction": direction, ...rung, "elk.padding": padding(padOf(region, false)) };
    return { id: region.id, layoutOptions, children, edges: this.edges };
  }

  private states(region: Region): ElkNode[] {
    return (this.index.statesOf.get(region.id) ?? []).map((state) => this.state(state));
  }

  private state(state: State): ElkNode {
    this.inLane.add(state.id);
    const view = this.views.states.get(state.id);
    const own = { id: state.id, width: view?.w ?? 160, height: view?.h ?? 32 };
    const regions = this.index.regionsOf.get(state.id) ?? [];
    const [first] = regions;
    if (!first) return own;
    const only = regions.length === 1;
    const header = own.height - 1;
    const pad = padOf(first, only);
    const layoutOptions = {
      "elk.padding": padding(only ? { ...pad, top: pad.top + header } : { left: 0, right: 0, bottom: 0, top: header }),
      "elk.nodeSize.constraints": "MINIMUM_SIZE",
      "elk.nodeSize.minimum": `(${own.width},${header + 60})`,
    };
    const children = only ? this.states(first) : regions.map((region) => this.inner(region));
    return { id: state.id, layoutOptions, children };
  }

  private inner(region: Region): ElkNode {
    return { id: region.id, layoutOptions: { "elk.padding": padding(padOf(region, false)) }, children: this.states(region) };
  }

  /** Reads places back, relative to the region of each state. */
  read(lane: ElkNode): LaneLayout {
    const places = new Map<Id, Box>();
    const inLane = new Map<Id, Box>();
    const walk = (node: ElkNode, x: number, y: number): void => {
      for (const child of node.children ?? []) {
        const box = { x: child.x ?? 0, y: child.y ?? 0, w: child.width ?? 0, h: child.height ?? 0 };
        inLane.set(child.id, { ...box, x: x + box.x, y: y + box.y });
        const header = this.headerAbove(node);
        if (this.index.state.has(child.id)) places.set(child.id, { ...box, y: box.y - header });
        walk(child, x + box.x, y + box.y);
      }
    };
    walk(lane, 0, 0);
    return { places, routes: this.routes(lane, inLane), w: lane.width ?? 0, h: lane.height ?? 0 };
  }

  /** ELK counts from the state's corner where we count from its one region's. */
  private headerAbove(node: ElkNode): number {
    const view = this.views.states.get(node.id);
    return view ? view.h - 1 : 0;
  }

  private routes(lane: ElkNode, boxes: Map<Id, Box>): Map<Id, LaidRoute> {
    const routes = new Map<Id, LaidRoute>();
    for (const edge of (lane.edges ?? []) as ElkExtendedEdge[]) {
      const section = edge.sections?.[0];
      const from = boxes.get(edge.sources[0] ?? "");
      const to = boxes.get(edge.targets[0] ?? "");
      const label = edge.labels?.[0];
      if (!section || !from || !to || !label) continue;
      const points: Point[] = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint].map(({ x, y }) => ({ x, y }));
      const at = { x: (label.x ?? 0) + (label.width ?? 0) / 2, y: (label.y ?? 0) + (label.height ?? 0) / 2 };
      routes.set(edge.id, { points, label: at, from, to });
    }
    return routes;
  }
}

function edgeOf(view: TransitionView): ElkExtendedEdge {
  return {
    id: view.id,
    sources: [view.source],
    targets: [view.target],
    labels: [
      { id: `${view.id} label`, text: view.first, width: view.w, height: view.h, layoutOptions: { "elk.edgeLabels.inline": "true" } },
    ],
  };
}

const sound = (layout: LaneLayout): boolean =>
  [...layout.places.values()].every((box) => Number.isFinite(box.x) && Number.isFinite(box.y));

async function attempt(draft: Draft, lane: Region, direction: Direction): Promise<LaneLayout | null> {
  const elk = await engine();
  for (const rung of LADDER) {
    try {
      const graph = new Graph(draft);
      const layout = graph.read(await elk.layout(graph.lane(lane, direction, rung)));
      if (sound(layout)) return layout;
    } catch {
      // ELK throws plain strings and TypeErrors of its own: the next rung asks for less.
    }
  }
  return null;
}

const BOTH_WAYS_UP_TO = 80;

/**
 * Lays out a lane from nothing; null when ELK fails on every rung. A small speaker lane is tried in both
 * directions and the one that fills a screen of proportion `aspect` better is taken; other lanes run to the right.
 */
export async function layoutLane(draft: Draft, lane: Region, aspect: number): Promise<LaneLayout | null> {
  if (typeof Worker === "undefined") return null;
  const right = await attempt(draft, lane, "RIGHT");
  if (draft.states.length > BOTH_WAYS_UP_TO || !isSpeaker(lane)) return right;
  const down = await attempt(draft, lane, "DOWN");
  if (!right || !down) return right ?? down;
  const scale = (layout: LaneLayout): number => Math.min(aspect / layout.w, 1 / layout.h);
  return scale(down) > scale(right) * 1.15 ? down : right;
}
