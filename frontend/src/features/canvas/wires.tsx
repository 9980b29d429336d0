/** A transition as React Flow draws it: the way, the head, and the pill `event over [guard] / effect`. */
import type { Edge, EdgeProps } from "@xyflow/react";
import { Ban, CircleX, TriangleAlert } from "lucide-react";
import { memo, type CSSProperties } from "react";
import { useStore } from "zustand";

import { useMark } from "../../store/marks";
import { colourOf, markOf, readMark } from "../../store/people";
import { useCanvas } from "./context";
import { triggerIcon } from "./icons";
import { coverOf, nowId, nowWords, signOf } from "./now";
import { pathOf, type Route } from "./route";
import { cutTo, textWidth } from "./text";
import type { TransitionView } from "./view";

export interface WireData extends Record<string, unknown> {
  view: TransitionView;
  route: Route;
}
export type Wire = Edge<WireData, "transition">;

function Pill({ view, route, refused }: { view: TransitionView; route: Route; refused: boolean }) {
  const Icon = refused ? Ban : triggerIcon[view.trigger];
  const width = Math.min(view.w, route.label.w ?? view.w);
  const height = Math.min(view.h, route.label.h ?? view.h);
  const x = Math.round(route.label.x - width / 2);
  const y = Math.round(route.label.y - height / 2);
  const left = view.order === null ? 9 : 31;
  const worst = view.worst === "error" ? CircleX : view.worst === "warning" ? TriangleAlert : null;
  const Worst = worst;
  const whole = width === view.w;
  const first = whole ? view.first : cutTo(view.first, "strong", width - left - 16 - 9 - (Worst ? 18 : 0));
  const second = whole || view.second === null ? view.second : cutTo(view.second, "code", width - 18);
  return (
    <g className="cv-pill" transform={`translate(${x} ${y})`}>
      <title>{view.full}</title>
      <rect width={width} height={height} rx={8} />
      {view.order !== null && (
        <g className="cv-order">
          <circle cx={17} cy={11} r={8} />
          <text x={17} y={15} textAnchor="middle">
            {view.order}
          </text>
        </g>
      )}
      <Icon x={left} y={5} width={12} height={12} aria-hidden />
      <text className="cv-first" x={left + 16} y={15}>
        {first}
      </text>
      {Worst && <Worst className={`cv-worst is-${view.worst}`} x={width - 18} y={5} width={12} height={12} aria-hidden />}
      {view.second !== null && height === view.h && (
        <text className={view.second.startsWith("/") ? "cv-effects" : "cv-guard"} x={9} y={30}>
          {second}
        </text>
      )}
    </g>
  );
}

export const WirePart = memo(function WirePart({ id, data, selected }: EdgeProps<Wire>) {
  const { marks, desk } = useCanvas();
  const mark = useMark(marks, "transition", id);
  const who = readMark(useStore(desk.store, (state) => markOf(state.people, id)));
  if (!data) return null;
  const { view, route } = data;
  const path = pathOf(route.points);
  const state = mark.flash ? `flash-${mark.flash}` : mark.visited ? "is-visited" : "";
  const head = selected || mark.possible ? "sel" : mark.flash === "refused" ? "bad" : mark.flash === "error" ? "fault" : mark.flash === "taken" ? "live" : mark.visited ? "seen" : (mark.change ?? "plain");
  const sign = mark.change ? signOf[mark.change] : mark.cover ? coverOf[mark.cover] : null;
  const look = [mark.change ? `is-${mark.change}` : "", mark.cover ? `cover-${mark.cover}` : ""];
  const classes = ["cv-wire", ...look, `on-${view.trigger}`, selected ? "is-selected" : "", mark.faded ? "is-faded" : "", mark.possible ? "is-possible" : "", state, view.worst ? `has-${view.worst}` : "", who ? "has-others" : ""];
  return (
    <g className={classes.join(" ")} data-transition={id} style={who ? ({ "--who": colourOf(who.hue) } as CSSProperties) : undefined}>
      <desc id={nowId(id)}>{[nowWords(mark, "taken"), who ? `Selected by ${who.names}` : ""].filter(Boolean).join(". ")}</desc>
      <path className="cv-hit" d={path} />
      <path className="cv-way" d={path} markerEnd={`url(#cv-head-${head})`} />
      <Pill view={view} route={route} refused={mark.flash === "refused"} />
      {sign && (
        <g transform={`translate(${route.label.x + Math.min(view.w, route.label.w ?? view.w) / 2} ${route.label.y - Math.min(view.h, route.label.h ?? view.h) / 2})`} className="cv-wiresign">
          <rect x={-9} y={-9} width={18} height={18} rx={5} />
          <text y={4.5} textAnchor="middle">
            {sign}
          </text>
        </g>
      )}
      {mark.visited ? (
        <g transform={`translate(${route.label.x + Math.min(view.w, route.label.w ?? view.w) / 2} ${route.label.y - Math.min(view.h, route.label.h ?? view.h) / 2})`} className="cv-count">
          <rect x={-(textWidth(String(mark.visited), "strong") + 10) / 2} y={-8} width={textWidth(String(mark.visited), "strong") + 10} height={16} rx={8} />
          <text y={4} textAnchor="middle">
            {mark.visited}
          </text>
        </g>
      ) : null}
    </g>
  );
});

const HEADS = ["plain", "sel", "bad", "fault", "live", "seen", "limit", "added", "removed", "changed", "moved"];

/** Arrow heads, once per page; the wires name them. */
export function Heads() {
  return (
    <svg className="cv-heads" aria-hidden width="0" height="0">
      <defs>
        {HEADS.map((name) => (
          <marker key={name} id={`cv-head-${name}`} className={`cv-head is-${name}`} viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto-start-reverse">
            <path d="M1 1L9 5L1 9Z" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}
