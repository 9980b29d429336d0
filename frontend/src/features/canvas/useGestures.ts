/** Mouse and touch on the chart: select, drag, connect, double-click. */
import {
  useReactFlow,
  type FinalConnectionState,
  type NodeChange,
  type OnNodeDrag,
  type ReactFlowProps,
} from "@xyflow/react";
import { useCallback, useMemo, useRef, useState, type RefObject } from "react";

import { indexOf, nameOf, type Draft, type Id, type Operation, type Subject } from "../../model";
import type { Desk } from "../../store/desk";
import { newId } from "../../transport/http";
import { addRegion, addState, connect, drop, rename, withUnstored } from "./acts";
import { nearestLane, regionAt } from "./arrange";
import type { AskProps } from "./Ask";
import type { ChartNode } from "./parts";
import type { Point } from "./route";
import type { Picture } from "./useGeometry";
import type { Wire } from "./wires";

interface Around {
  root: RefObject<HTMLDivElement | null>;
  draft: Draft;
  picture: Picture;
  desk: Desk;
  design: boolean;
  onEdit?(operations: readonly Operation[], label: string): void;
}

type Flow = Partial<ReactFlowProps<ChartNode, Wire>>;
type Asked = AskProps & { source: Id; target: Id };

export interface Gestures {
  flow: Flow;
  moved: ReadonlyMap<Id, Point>;
  connecting: boolean;
  ask: Asked | null;
  edit(operations: readonly Operation[], label: string): void;
  rename(kind: "state" | "region", id: Id, name: string | null): void;
}

const STILL: ReadonlyMap<Id, Point> = new Map();
const ASK_SIZE = { w: 346, h: 250 };
const SHORTEST_PULL = 24;

const subjectOfNode = (node: ChartNode): Subject => ({ kind: node.type === "state" ? "state" : "region", id: node.id });

const pointOf = (event: MouseEvent | TouchEvent): Point => {
  const at = "changedTouches" in event ? event.changedTouches[0] : event;
  return { x: at?.clientX ?? 0, y: at?.clientY ?? 0 };
};

/** The state under the pointer, whatever lies over it. */
function stateUnder(point: Point): Id | null {
  for (const element of document.elementsFromPoint(point.x, point.y)) {
    const node = element.closest<HTMLElement>(".react-flow__node-state");
    if (node?.dataset.id) return node.dataset.id;
  }
  return null;
}

export function useGestures({ root, draft, picture, desk, design, onEdit }: Around): Gestures {
  const flow = useReactFlow<ChartNode, Wire>();
  const [moved, setMoved] = useState<ReadonlyMap<Id, Point>>(STILL);
  const [connecting, setConnecting] = useState(false);
  const [asked, setAsked] = useState<{ at: Point; source: Id; target: Id } | null>(null);
  const lasso = useRef(false);
  const pull = useRef<Point>({ x: 0, y: 0 });
  const now = useRef({ draft, picture, moved });
  now.current = { draft, picture, moved };

  const edit = useCallback(
    (operations: readonly Operation[], label: string) => {
      if (operations.length > 0) onEdit?.(withUnstored(now.current.picture, operations), label);
    },
    [onEdit],
  );

  const addAt = useCallback(
    (client: Point) => {
      const { draft: current, picture: shown } = now.current;
      const point = flow.screenToFlowPosition(client);
      const region = regionAt(current, shown, point, new Set()) ?? nearestLane(current, shown, point);
      const id = newId();
      if (region === null) {
        const lane = newId();
        const empty = addRegion(current, lane);
        edit([...empty, { op: "state.add", id, region: lane, fields: { key: "start", label: "Start" } }, { op: "region.update", id: lane, fields: { initial: id } }, { op: "layout.set", id, fields: { x: 56, y: 48, w: 152, h: 34 } }], "Add state");
      } else {
        const box = shown.absolute.get(region) ?? { x: 0, y: 0 };
        edit(addState(current, shown, region, { x: point.x - box.x - 76, y: point.y - box.y - 17 }, id), "Add state");
      }
      desk.select({ kind: "state", id });
      desk.set({ naming: id });
      return id;
    },
    [flow, edit, desk],
  );

  const askFor = useCallback(
    (source: Id, target: Id, client: Point) => {
      const frame = root.current?.getBoundingClientRect();
      const x = client.x - (frame?.left ?? 0);
      const y = client.y - (frame?.top ?? 0);
      const right = (frame?.width ?? 900) - ASK_SIZE.w;
      const bottom = (frame?.height ?? 600) - ASK_SIZE.h;
      setAsked({ at: { x: Math.max(8, Math.min(x + 12, right)), y: Math.max(8, Math.min(y + 12, bottom)) }, source, target });
    },
    [root],
  );

  const handlers = useMemo<Flow>(() => {
    const pick = (subject: Subject, event: { shiftKey: boolean; metaKey: boolean; ctrlKey: boolean }): void =>
      event.shiftKey || event.metaKey || event.ctrlKey ? desk.toggle(subject) : desk.select(subject);
    const onNodesChange = (changes: NodeChange<ChartNode>[]): void => {
      const places = changes.flatMap((change) => (change.type === "position" && change.position ? [[change.id, change.position] as const] : []));
      if (places.length > 0 && design) setMoved((before) => new Map([...before, ...places]));
      if (!lasso.current) return;
      const picked = new Map(desk.store.getState().selection.map((one) => [one.id, one]));
      for (const change of changes) {
        if (change.type !== "select" || !indexOf(now.current.draft).state.has(change.id)) continue;
        if (change.selected) picked.set(change.id, { kind: "state", id: change.id });
        else picked.delete(change.id);
      }
      desk.selectAll([...picked.values()]);
    };
    const onNodeDragStop: OnNodeDrag<ChartNode> = () => {
      const { draft: current, picture: shown, moved: places } = now.current;
      setMoved(STILL);
      const far = new Map([...places].filter(([id, at]) => {
        const box = shown.boxes.get(id);
        return box && (Math.abs(box.x - at.x) > 1 || Math.abs(box.y - at.y) > 1);
      }));
      if (far.size > 0) edit(drop(current, shown, far), far.size === 1 ? "Move state" : `Move ${far.size} states`);
    };
    const onConnectEnd = (event: MouseEvent | TouchEvent, state: FinalConnectionState): void => {
      setConnecting(false);
      const source = state.fromNode?.id;
      const client = pointOf(event);
      const length = Math.hypot(client.x - pull.current.x, client.y - pull.current.y);
      if (!source || length < SHORTEST_PULL) return;
      const target = state.toNode?.type === "state" ? state.toNode.id : stateUnder(client);
      if (target) return askFor(source, target, client);
      const id = addAt(client);
      if (id) edit(connect(source, id, { event: "next" }, null, newId()), "Connect");
    };
    return {
      onNodesChange,
      onNodeClick: (event, node) => pick(subjectOfNode(node), event),
      onEdgeClick: (event, wire) => pick({ kind: "transition", id: wire.id }, event),
      onPaneClick: () => {
        desk.select(null);
        setAsked(null);
      },
      onSelectionStart: () => {
        lasso.current = true;
      },
      onSelectionEnd: () => {
        lasso.current = false;
      },
      onNodeDoubleClick: (event, node) => {
        if (!design) return;
        if (node.type === "state" && !(event.target as HTMLElement).closest(".cv-inner")) desk.set({ naming: node.id });
        else if (node.type !== "state" && (event.target as HTMLElement).closest(".cv-lanetitle, .cv-innertitle")) desk.set({ naming: node.id });
        else addAt({ x: event.clientX, y: event.clientY });
      },
      onDoubleClick: (event) => {
        if (design && (event.target as HTMLElement).classList.contains("react-flow__pane")) addAt({ x: event.clientX, y: event.clientY });
      },
      onEdgeDoubleClick: (_event, wire) => desk.goTo({ kind: "transition", id: wire.id }, "on"),
      onNodeDragStart: (_event, node) => {
        if (!desk.store.getState().selection.some((one) => one.id === node.id)) desk.select(subjectOfNode(node));
      },
      onNodeDragStop,
      onSelectionDragStop: (event, nodes) => nodes[0] && onNodeDragStop(event as never, nodes[0], nodes),
      onConnectStart: (event) => {
        pull.current = pointOf(event);
        setConnecting(true);
      },
      onConnectEnd,
    };
  }, [desk, design, edit, addAt, askFor]);

  const renameNow = useCallback(
    (kind: "state" | "region", id: Id, name: string | null) => {
      desk.set({ naming: null });
      if (name !== null) edit(rename(now.current.draft, kind, id, name), "Rename");
    },
    [desk, edit],
  );

  const ask = useMemo<Asked | null>(() => {
    if (!asked) return null;
    const index = indexOf(draft);
    const source = index.state.get(asked.source);
    const target = index.state.get(asked.target);
    if (!source || !target) return null;
    return {
      ...asked,
      title: `${nameOf(source)} → ${nameOf(target)}`,
      onCancel: () => setAsked(null),
      onAnswer: (on, guard) => {
        const id = newId();
        edit(connect(asked.source, asked.target, on, guard, id), "Connect");
        desk.select({ kind: "transition", id });
        setAsked(null);
      },
    };
  }, [asked, draft, edit, desk]);

  return { flow: handlers, moved, connecting, ask, edit, rename: renameNow };
}
