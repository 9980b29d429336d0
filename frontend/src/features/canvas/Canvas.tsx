/**
 * The chart, as all screens show it. In `design` mode gestures become operations that are handed to `onEdit`;
 * in `watch` mode nothing moves and the marks light up what a dry run or a Call does.
 */
import "@xyflow/react/dist/base.css";
import "./canvas.css";

import {
  Background,
  BackgroundVariant,
  ConnectionLineType,
  ConnectionMode,
  ReactFlow,
  ReactFlowProvider,
  ViewportPortal,
  useStore as useFlow,
  useStoreApi,
} from "@xyflow/react";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useStore } from "zustand";

import { type Draft, type Operation, type Subject } from "../../model";
import { createDesk, type Desk } from "../../store/desk";
import type { MarkStore } from "../../store/marks";
import { Ask } from "./Ask";
import { CanvasProvider } from "./context";
import { hasLane, nodesOf, wiresOf } from "./elements";
import { Find } from "./Find";
import { LimitsFrame, type Spent } from "./frame";
import { InnerPart, LanePart, StatePart } from "./parts";
import { Corner, Tools, type Acts } from "./Tools";
import { useCommands } from "./useCommands";
import { usePicture, type Picture } from "./useGeometry";
import { useGestures } from "./useGestures";
import { useFirstLook } from "./useFirstLook";
import { useLinked, type ViewLink } from "./linked";
import { useView } from "./useView";
import { Heads, WirePart } from "./wires";

export interface CanvasProps {
  draft: Draft;
  mode: "design" | "watch";
  marks: MarkStore;
  /** Who selects what; one of its own when absent. */
  desk?: Desk;
  onEdit?(operations: readonly Operation[], label: string): void;
  acts?: Acts;
  /** Told of every change of the selection made by anyone. */
  onSelect?(subject: Subject | null): void;
  /** What a running Call has used up, for the limits bar. */
  spent?: Spent;
  /** Another chart of the same thing: both show the same part. */
  linked?: ViewLink;
  /** Drawn on the chart, in its own coordinates: `picture` says where each thing stands. */
  over?(picture: Picture): ReactNode;
  /** Drawn over the chart, in pixels of the screen. */
  above?(picture: Picture): ReactNode;
  children?: ReactNode;
}

const NODE_TYPES = { lane: LanePart, inner: InnerPart, state: StatePart };
const EDGE_TYPES = { transition: WirePart };
const FAR = 0.42;
const CULL_ABOVE = 120;
const NO_ACTS = null;

export function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Chart {...props} />
    </ReactFlowProvider>
  );
}

function useAspect(root: React.RefObject<HTMLDivElement | null>): number {
  const [aspect, setAspect] = useState(1.5);
  useEffect(() => {
    const box = root.current;
    if (box && box.clientHeight > 0) setAspect(box.clientWidth / box.clientHeight);
  }, [root]);
  return aspect;
}

/** `--px`: what one pixel of the screen is on the chart, for marks that must be seen from afar. */
function usePixel(root: React.RefObject<HTMLDivElement | null>): void {
  const flow = useStoreApi();
  useEffect(() => {
    const tell = (): void => {
      const zoom = flow.getState().transform[2];
      root.current?.style.setProperty("--px", String(Math.max(1, Math.round(8 / zoom) / 8)));
    };
    tell();
    return flow.subscribe((now, before) => {
      if (now.transform[2] !== before.transform[2]) tell();
    });
  }, [flow, root]);
}

function Chart({ draft, mode, marks, desk: given, onEdit, acts, onSelect, spent, linked, over, above, children }: CanvasProps) {
  const root = useRef<HTMLDivElement>(null);
  const [own] = useState(createDesk);
  const desk = given ?? own;
  const design = mode === "design" && onEdit !== undefined;
  const aspect = useAspect(root);
  usePixel(root);
  useLinked(linked);
  const { picture, tidy } = usePicture(draft, aspect);
  const view = useView(root, picture);
  const gestures = useGestures({ root, draft, picture, desk, design, onEdit });
  const { run, addRegion } = useCommands({ root, draft, picture, desk, design, acts: acts ?? NO_ACTS, view, edit: gestures.edit, tidy });

  const selection = useStore(desk.store, (state) => state.selection);
  const tool = useStore(desk.store, (state) => state.tool);
  const find = useStore(desk.store, (state) => state.find);
  const far = useFlow((state) => state.transform[2] < FAR);
  const selected = useMemo(() => new Set(selection.map((one) => one.id)), [selection]);
  const nodes = useMemo(
    () => nodesOf(draft, picture, selected, gestures.moved, design),
    [draft, picture, selected, gestures.moved, design],
  );
  const wires = useMemo(() => wiresOf(draft, picture, selected, gestures.moved), [draft, picture, selected, gestures.moved]);

  useEffect(() => onSelect?.(selection[selection.length - 1] ?? null), [onSelect, selection]);

  const [begun, setBegun] = useState(false);
  const touched = useFirstLook({ draft, picture, view, marks, desk, design, begun });

  useEffect(
    () =>
      marks.onFocus((id) => {
        const transition = picture.routes.get(id)?.label;
        const box = picture.absolute.get(id) ?? (transition ? { x: transition.x - 60, y: transition.y - 20, w: 120, h: 40 } : undefined);
        if (box) view.show(box);
      }),
    [marks, picture, view],
  );

  const context = useMemo(
    () => ({ desk, marks, design, rename: gestures.rename, edit: gestures.edit }),
    [desk, marks, design, gestures.rename, gestures.edit],
  );

  return (
    <CanvasProvider value={context}>
      <div
        ref={root}
        className={`cv ${gestures.connecting ? "is-connecting" : ""}`}
        data-zoom={far ? "far" : "near"}
        data-tool={tool}
        role="region"
        aria-label={`Chart of ${draft.agent.name}`}
      >
        <Heads />
        <ReactFlow
          nodes={nodes}
          edges={wires}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          minZoom={0.08}
          maxZoom={2.5}
          connectionMode={ConnectionMode.Loose}
          connectionLineType={ConnectionLineType.SmoothStep}
          connectionRadius={28}
          connectOnClick={false}
          nodesConnectable={design}
          nodesDraggable={design && tool === "select"}
          elementsSelectable
          zoomOnDoubleClick={false}
          deleteKeyCode={null}
          selectionKeyCode="Shift"
          multiSelectionKeyCode={null}
          panActivationKeyCode="Space"
          panOnScroll
          zoomActivationKeyCode={["Meta", "Control"]}
          disableKeyboardA11y
          elevateNodesOnSelect={false}
          elevateEdgesOnSelect={false}
          zIndexMode="manual"
          onlyRenderVisibleElements={draft.states.length > CULL_ABOVE}
          nodeDragThreshold={3}
          autoPanSpeed={6}
          attributionPosition="top-right"
          onInit={() => setBegun(true)}
          onMoveStart={(event) => {
            if (event) touched.current = true;
          }}
          {...gestures.flow}
        >
          <Background variant={BackgroundVariant.Dots} gap={16} size={1.2} color="var(--dot)" bgColor="transparent" />
          <LimitsFrame draft={draft} picture={picture} spent={spent} />
          {over && <ViewportPortal>{over(picture)}</ViewportPortal>}
        </ReactFlow>
        {!picture.ready && (
          <p className="cv-laying" role="status">
            Arranging the chart…
          </p>
        )}
        {!hasLane(draft) && <p className="cv-empty">Nothing is drawn yet. Press N or double-click to add a state.</p>}
        {design && <Tools run={run} addRegion={addRegion} />}
        <Corner run={run} acts={design ? (acts ?? NO_ACTS) : NO_ACTS} />
        {find !== null && (
          <Find
            draft={draft}
            onClose={() => desk.set({ find: null })}
            onGo={(subject) => {
              desk.select(subject);
              marks.focus(subject.id);
            }}
          />
        )}
        {gestures.ask && <Ask key={`${gestures.ask.source} ${gestures.ask.target}`} {...gestures.ask} />}
        {above?.(picture)}
        {children}
      </div>
    </CanvasProvider>
  );
}
