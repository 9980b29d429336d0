/** States, lanes and nested regions as React Flow draws them. */
import { Handle, Position, type Node, type NodeProps } from "@xyflow/react";
import { AlertTriangle, CircleX, RotateCcw, Wrench, Zap } from "lucide-react";
import { memo, useLayoutEffect, useRef, useState, type CSSProperties, type ReactNode } from "react";
import { useStore } from "zustand";

import { useMark, type Mark } from "../../store/marks";
import { colourOf, markOf, readMark } from "../../store/people";
import { useCanvas } from "./context";
import { ObserverIcon, SpeakerIcon, stateIcon, triggerIcon } from "./icons";
import { coverOf, nowId, nowWords, signOf } from "./now";
import type { Row, StateView, Worst } from "./view";
import type { TriggerKind } from "../../model";

export interface LaneData extends Record<string, unknown> {
  name: string;
  speaker: boolean;
  worst: Worst;
  moves: { id: string; text: string; full: string; trigger: TriggerKind }[];
}
export interface InnerData extends Record<string, unknown> {
  name: string;
  titled: boolean;
}
export interface StateData extends Record<string, unknown> {
  view: StateView;
}

export type LaneNode = Node<LaneData, "lane">;
export type InnerNode = Node<InnerData, "inner">;
export type StateNode = Node<StateData, "state">;
export type ChartNode = LaneNode | InnerNode | StateNode;

const SIDES = [Position.Top, Position.Right, Position.Bottom, Position.Left];

function Handles() {
  return SIDES.map((side) => <Handle key={side} id={side} type="source" position={side} className="cv-handle" />);
}

function lit(mark: Mark): string {
  return [
    mark.active ? `is-${mark.active}` : "",
    mark.faded ? "is-faded" : "",
    mark.possible ? "is-possible" : "",
    mark.flash ? `flash-${mark.flash}` : "",
    mark.visited ? "is-visited" : "",
    mark.change ? `is-${mark.change}` : "",
    mark.cover ? `cover-${mark.cover}` : "",
  ].join(" ");
}

function Problems({ worst, count }: { worst: Worst; count?: number }) {
  if (worst === null || worst === "info") return null;
  const Icon = worst === "error" ? CircleX : AlertTriangle;
  return (
    <span className={`cv-badge is-${worst}`} title={`${count ?? 1} ${worst}${count === 1 ? "" : "s"}`}>
      <Icon size={12} aria-hidden />
      {count !== undefined && count > 1 ? count : null}
    </span>
  );
}

/** The name, or while it is being typed, its field. Enter keeps it, Escape leaves it as it was. */
function Name({ kind, id, name }: { kind: "state" | "region"; id: string; name: string }) {
  const { desk, rename } = useCanvas();
  const naming = useStore(desk.store, (state) => state.naming === id);
  return naming ? <NameField name={name} done={(text) => rename(kind, id, text)} /> : <span className="cv-name">{name}</span>;
}

function NameField({ name, done }: { name: string; done: (text: string | null) => void }) {
  const [text, setText] = useState(name);
  const field = useRef<HTMLInputElement>(null);
  const over = useRef(false);
  // At once, so that no key is lost; and again for a new state, which cannot be focused before it is placed.
  useLayoutEffect(() => {
    const begin = (): void => {
      if (document.activeElement === field.current) return;
      field.current?.focus({ preventScroll: true });
      field.current?.select();
    };
    begin();
    const timer = setTimeout(begin, 0);
    return () => clearTimeout(timer);
  }, []);
  const finish = (value: string | null): void => {
    if (over.current) return;
    over.current = true;
    done(value);
  };
  return (
    <input
      ref={field}
      className="cv-namefield nodrag nopan"
      aria-label="Name"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => finish(text)}
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter" || event.key === "Tab") {
          event.preventDefault();
          finish(text);
        }
        if (event.key === "Escape") finish(null);
      }}
    />
  );
}

function BodyRow({ row }: { row: Row }): ReactNode {
  const { desk } = useCanvas();
  switch (row.row) {
    case "say":
      return <p className={`cv-say lines-${row.lines}`}>{row.text}</p>;
    case "chips":
      return (
        <div className="cv-line">
          <span className="cv-word">{row.word}</span>
          {row.chips.map((chip) => (
            <span key={chip.text} className={`cv-chip is-${chip.look}`}>
              {chip.look === "tool" && <Wrench size={11} aria-hidden />}
              {chip.text}
            </span>
          ))}
        </div>
      );
    case "effect":
      return (
        <div className="cv-line">
          <Zap size={12} aria-hidden />
          <span className="cv-word">{row.when}</span>
          <code>{row.text}</code>
        </div>
      );
    case "internal":
      return (
        <button
          type="button"
          className="cv-line cv-inline nodrag"
          onClick={(event) => {
            event.stopPropagation();
            desk.select({ kind: "transition", id: row.id });
          }}
        >
          <RotateCcw size={12} aria-hidden />
          {row.text}
        </button>
      );
    case "visits":
      return (
        <div className="cv-line">
          <RotateCcw size={12} aria-hidden />
          <span className="cv-word">{row.text}</span>
        </div>
      );
  }
}

/** A ring and a name for whoever else has this selected: a colour alone says nothing to many eyes. */
function Others({ id }: { id: string }) {
  const { desk } = useCanvas();
  const who = readMark(useStore(desk.store, (state) => markOf(state.people, id)));
  if (!who) return null;
  return (
    <span className="cv-others" style={{ "--who": colourOf(who.hue) } as CSSProperties}>
      <b>{who.names}</b>
    </span>
  );
}

function InitialMark() {
  return (
    <svg className="cv-initial" width="34" height="14" viewBox="0 0 34 14" aria-hidden>
      <circle cx="6" cy="7" r="5" />
      <path d="M11 7H27" />
      <path className="head" d="M26 3L33 7L26 11Z" />
    </svg>
  );
}

function Visits({ mark }: { mark: Mark }) {
  if (!mark.visited) return null;
  return (
    <span className="cv-visits" title={nowWords({ visited: mark.visited }, "entered")} aria-hidden>
      {mark.visited}
    </span>
  );
}

/** The sign at the corner: what became of it, or how far the scenarios cover it. */
function Sign({ mark }: { mark: Mark }) {
  const sign = mark.change ? signOf[mark.change] : mark.cover ? coverOf[mark.cover] : null;
  return sign && <span className={`cv-sign is-${mark.change ?? `cover-${mark.cover ?? ""}`}`} title={nowWords({ change: mark.change, cover: mark.cover }, "entered")} aria-hidden>{sign}</span>;
}

function Header({ view }: { view: StateView }) {
  const Icon = stateIcon(view);
  return (
    <div className="cv-head">
      <Icon size={14} aria-hidden />
      <Name kind="state" id={view.id} name={view.name} />
      <span className="cv-end">
        {view.kind === "composite" && <span className="cv-badge">{view.inner}</span>}
        <Problems worst={view.worst} count={view.problems} />
      </span>
    </div>
  );
}

export const StatePart = memo(function StatePart({ id, data, selected }: NodeProps<StateNode>) {
  const { marks, design } = useCanvas();
  const mark = useMark(marks, "state", id);
  const { view } = data;
  const classes = ["cv-state", `is-${view.kind}`, view.limit ? "is-limit" : "", selected ? "is-selected" : "", lit(mark)];
  return (
    <div className={classes.join(" ")} data-state={id}>
      {view.initial && <InitialMark />}
      <Visits mark={mark} />
      <Sign mark={mark} />
      <span id={nowId(id)} className="ui-sr">
        {nowWords(mark, "entered")}
      </span>
      {view.kind === "history" ? (
        <span className="cv-history">{view.mark}</span>
      ) : (
        <>
          <Header view={view} />
          {view.rows.length > 0 && (
            <div className="cv-body">
              {view.rows.map((row, n) => (
                <BodyRow key={n} row={row} />
              ))}
            </div>
          )}
        </>
      )}
      <Others id={id} />
      {design && <Handles />}
    </div>
  );
});

export const LanePart = memo(function LanePart({ id, data, selected }: NodeProps<LaneNode>) {
  const { marks, desk } = useCanvas();
  const mark = useMark(marks, "region", id);
  const picked = useStore(desk.store, (state) => state.selection);
  const Icon = data.speaker ? SpeakerIcon : ObserverIcon;
  return (
    <div className={`cv-lane ${data.speaker ? "is-speaker" : ""} ${selected ? "is-selected" : ""} ${lit(mark)}`}>
      <div className="cv-lanetitle">
        <Icon size={13} aria-hidden />
        <Name kind="region" id={id} name={data.name} />
        <span className="cv-role">{data.speaker ? "Speaker" : "observer"}</span>
        <Problems worst={data.worst} />
      </div>
      <Others id={id} />
      {data.moves.length > 0 && (
        <div className="cv-moves">
          <span className="cv-word">from anywhere</span>
          {data.moves.map((move) => {
            const Sign = triggerIcon[move.trigger];
            return (
              <button
                key={move.id}
                type="button"
                title={move.full}
                className={`cv-move nodrag nopan ${picked.some((one) => one.id === move.id) ? "is-selected" : ""}`}
                onClick={(event) => {
                  event.stopPropagation();
                  desk.select({ kind: "transition", id: move.id });
                }}
              >
                <Sign size={11} aria-hidden />
                {move.text}
              </button>
            );
          })}
        </div>
      )}
    </div>
  );
});

export const InnerPart = memo(function InnerPart({ id, data, selected }: NodeProps<InnerNode>) {
  return (
    <div className={`cv-inner ${data.titled ? "is-titled" : ""} ${selected ? "is-selected" : ""}`}>
      {data.titled && (
        <div className="cv-innertitle">
          <Name kind="region" id={id} name={data.name} />
        </div>
      )}
    </div>
  );
});
