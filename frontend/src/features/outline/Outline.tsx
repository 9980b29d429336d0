/** The chart as a tree: the accessible path to everything on it, with the same selection. */
import "./outline.css";

import { AlertTriangle, ChevronDown, ChevronRight, CircleX, CornerDownRight, PanelLeftClose, Search } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useStore } from "zustand";

import {
  describeTransition,
  indexOf,
  isInside,
  isSpeaker,
  labelText,
  nameOf,
  outline,
  problemsById,
  type Draft,
  type Id,
  type Operation,
  type OutlineRow,
  type Problem,
} from "../../model";
import { atRow, facesOf, type Desk, type MarkStore } from "../../store";
import { Faces, IconButton } from "../../ui";
import { ObserverIcon, removeAll, SpeakerIcon, stateIcon, viewsOf } from "../canvas";

export interface OutlineProps {
  draft: Draft;
  desk: Desk;
  marks: MarkStore;
  onEdit(operations: readonly Operation[], label: string): void;
}

function Sign({ draft, row }: { draft: Draft; row: OutlineRow }) {
  if (row.kind === "transition") return <CornerDownRight size={14} aria-hidden />;
  if (row.kind === "region") {
    const region = indexOf(draft).region.get(row.id);
    const Icon = region && isSpeaker(region) ? SpeakerIcon : ObserverIcon;
    return <Icon size={14} aria-hidden />;
  }
  const view = viewsOf(draft).states.get(row.id);
  const Icon = view ? stateIcon(view) : CornerDownRight;
  return <Icon size={14} aria-hidden />;
}

function Flag({ problems }: { problems: Problem[] | undefined }) {
  const worst = problems?.[0];
  if (!worst || worst.severity === "info") return null;
  const Icon = worst.severity === "error" ? CircleX : AlertTriangle;
  return (
    <span className={`ol-flag is-${worst.severity}`} title={worst.message}>
      <Icon size={13} aria-label={`${problems?.length ?? 1} ${worst.severity}`} />
    </span>
  );
}

function words(draft: Draft, row: OutlineRow): { name: string; end: string; spoken: string } {
  const index = indexOf(draft);
  if (row.kind === "transition") {
    const transition = index.transition.get(row.id);
    const target = transition?.target ? index.state.get(transition.target) : undefined;
    const label = transition ? labelText(transition) : "";
    return { name: target ? `${label} → ${nameOf(target)}` : label, end: "", spoken: transition ? describeTransition(draft, transition) : "" };
  }
  if (row.kind === "region") {
    const region = index.region.get(row.id);
    const count = index.statesOf.get(row.id)?.length ?? 0;
    const end = region && isSpeaker(region) ? "Speaker" : `${count} state${count === 1 ? "" : "s"}`;
    const name = region ? nameOf(region) : "";
    return { name, end, spoken: `Region ${name}, ${end}` };
  }
  const state = index.state.get(row.id);
  const name = state ? nameOf(state) : "";
  const initial = index.region.get(state?.region ?? "")?.initial === row.id;
  return { name, end: initial ? "start" : state?.agent ? `@${state.agent}` : "", spoken: name };
}

/** The state whose transitions are listed: the selected one, or the source of the selected transition. */
function openedState(draft: Draft, id: Id | undefined): Id | null {
  const index = indexOf(draft);
  if (!id) return null;
  if (index.state.has(id)) return id;
  return index.transition.get(id)?.source ?? null;
}

export function Outline({ draft, desk, marks, onEdit }: OutlineProps) {
  const selection = useStore(desk.store, (state) => state.selection);
  const others = useStore(desk.store, (state) => state.people);
  const [closed, setClosed] = useState<ReadonlySet<Id>>(new Set());
  const tree = useRef<HTMLDivElement>(null);
  const last = selection[selection.length - 1]?.id;
  const rows = useMemo(() => outline(draft, closed, openedState(draft, last)), [draft, closed, last]);
  const problems = useMemo(() => problemsById(draft), [draft]);
  const at = Math.max(0, rows.findIndex((row) => row.id === last));

  useEffect(() => {
    tree.current?.querySelector(`[data-row="${last ?? ""}"]`)?.scrollIntoView({ block: "nearest" });
  }, [last]);

  const go = (row: OutlineRow | undefined, focus = true): void => {
    if (!row) return;
    desk.select({ kind: row.kind, id: row.id });
    marks.focus(row.id);
    if (focus) requestAnimationFrame(() => tree.current?.querySelector<HTMLElement>(`[data-row="${row.id}"]`)?.focus());
  };
  const fold = (id: Id, shut: boolean): void =>
    setClosed((before) => {
      const next = new Set(before);
      if (shut) next.add(id);
      else next.delete(id);
      return next;
    });

  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at];
    const run = (act: () => void): void => {
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    switch (event.key) {
      case "ArrowDown":
        return run(() => go(rows[at + 1]));
      case "ArrowUp":
        return run(() => go(rows[at - 1]));
      case "Home":
        return run(() => go(rows[0]));
      case "End":
        return run(() => go(rows[rows.length - 1]));
      case "ArrowRight":
        return run(() => (row?.parent && closed.has(row.id) ? fold(row.id, false) : go(rows[at + 1])));
      case "ArrowLeft":
        return run(() => {
          if (row?.parent && !closed.has(row.id)) return fold(row.id, true);
          go(rows.slice(0, at).findLast((one) => row !== undefined && one.depth < row.depth));
        });
      case "Enter":
      case " ":
        return run(() => desk.set({ sheet: "inspector", right: true }));
      case "Delete":
      case "Backspace":
        return run(() => {
          const next = rows.slice(at + 1).find((one) => row !== undefined && one.depth <= row.depth) ?? rows[at - 1];
          onEdit(removeAll(draft, selection), `Delete ${row?.kind ?? ""}`);
          if (next && row && !isInside(draft, next.id, row.id)) go(next);
        });
      case "F2":
        return run(() => row && row.kind !== "transition" && desk.set({ naming: row.id }));
    }
  };

  return (
    <section className="ol" aria-label="Outline">
      <div className="ui-panel-head">
        <span className="ui-grow">Outline</span>
        <IconButton size="sm" icon={Search} label="Find" keys="⌘F" onClick={() => desk.set({ find: "", sheet: "chart" })} />
        <IconButton size="sm" icon={PanelLeftClose} label="Hide the panel" onClick={() => desk.set({ left: false })} />
      </div>
      <div ref={tree} role="tree" tabIndex={-1} aria-label="Regions, states and transitions" className="ol-tree" onKeyDown={onKeyDown}>
        {rows.length === 0 && <p className="ui-hint ol-none">Press N to add the first state.</p>}
        {rows.map((row, n) => {
          const { name, end, spoken } = words(draft, row);
          const selected = selection.some((one) => one.id === row.id);
          return (
            <div
              key={row.id}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-selected={selected}
              aria-expanded={row.parent ? !closed.has(row.id) : undefined}
              aria-label={spoken}
              tabIndex={n === at ? 0 : -1}
              data-row={row.id}
              className={`ol-row is-${row.kind}`}
              style={{ paddingLeft: 4 + row.depth * 16 + (row.parent ? 0 : 18) }}
              onClick={(event) => (event.shiftKey || event.metaKey || event.ctrlKey ? desk.toggle({ kind: row.kind, id: row.id }) : go(row, false))}
              onDoubleClick={() => row.kind !== "transition" && desk.set({ naming: row.id })}
            >
              {row.parent && (
                <button
                  type="button"
                  className="ol-fold"
                  tabIndex={-1}
                  aria-label={closed.has(row.id) ? "Open" : "Close"}
                  onClick={(event) => {
                    event.stopPropagation();
                    fold(row.id, !closed.has(row.id));
                  }}
                >
                  {closed.has(row.id) ? <ChevronRight size={12} aria-hidden /> : <ChevronDown size={12} aria-hidden />}
                </button>
              )}
              <Sign draft={draft} row={row} />
              <span className="ui-trunc">{name}</span>
              <span className="ol-end">
                {end}
                {others.length > 0 && <Faces faces={facesOf(atRow(others, row.id))} label="Selected by" />}
                <Flag problems={problems.get(row.id)} />
              </span>
            </div>
          );
        })}
      </div>
    </section>
  );
}
