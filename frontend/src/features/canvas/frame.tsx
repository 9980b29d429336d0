/** The bar above the lanes: machine-wide limits, and the way to the state they lead to. */
import { ViewportPortal } from "@xyflow/react";
import { ArrowRight, Gauge, Hourglass } from "lucide-react";

import { nameOf, type Box, type Draft } from "../../model";
import { useCanvas } from "./context";
import { pathOf } from "./route";
import { textWidth } from "./text";
import type { Picture } from "./useGeometry";

const TOP = -46;
const HEIGHT = 30;

export interface Spent {
  turns?: number;
  transitions?: number;
  refusals?: number;
  seconds?: number;
}

const minutes = (seconds: number): string => String(Math.round((seconds / 60) * 10) / 10);

function meters(draft: Draft, spent: Spent): { key: string; count: string; word: string }[] {
  const { limits } = draft;
  const all = [
    { key: "turns", allowed: limits.turns, word: "turns" },
    { key: "transitions", allowed: limits.transitions, word: "moves" },
    { key: "refusals", allowed: limits.refusals, word: "refusals" },
  ] as const;
  const out: { key: string; count: string; word: string }[] = all.flatMap(({ key, allowed, word }) =>
    allowed ? [{ key, count: `${spent[key] ?? 0}/${allowed}`, word }] : [],
  );
  if (limits.seconds) out.push({ key: "seconds", count: `${minutes(spent.seconds ?? 0)}/${minutes(limits.seconds)}`, word: "min" });
  return out;
}

function wayTo(target: Box, start: number, width: number): string {
  const right = width - 14;
  const y = TOP + HEIGHT / 2;
  const end = { x: target.x + target.w, y: target.y + Math.min(target.h / 2, 24) };
  return pathOf([{ x: start, y }, { x: right, y }, { x: right, y: end.y }, { x: end.x + 3, y: end.y }]);
}

export function LimitsFrame({ draft, picture, spent = {} }: { draft: Draft; picture: Picture; spent?: Spent }) {
  const { desk, marks } = useCanvas();
  const shown = meters(draft, spent);
  const target = draft.states.find((state) => state.id === draft.limits.target);
  if (shown.length === 0 && !target) return null;
  const width =
    shown.reduce((sum, meter) => sum + textWidth(meter.count, "strong") + textWidth(meter.word, "text") + 16, 44) +
    (target ? textWidth(nameOf(target), "text") + 44 : 0);
  const box = target && picture.absolute.get(target.id);
  return (
    <ViewportPortal>
      {box && (
        <svg className="cv-limitway" aria-hidden>
          <path d={wayTo(box, width, picture.width)} markerEnd="url(#cv-head-limit)" />
        </svg>
      )}
      <button
        type="button"
        className="cv-frame nopan"
        style={{ transform: `translate(0px, ${TOP}px)`, height: HEIGHT, width }}
        aria-label={`Limits: ${shown.map((meter) => `${meter.count} ${meter.word}`).join(", ")}${target ? `, then ${nameOf(target)}` : ""}`}
        onClick={(event) => {
          event.stopPropagation();
          if (target) marks.focus(target.id);
          desk.select(null);
        }}
      >
        <Gauge size={14} aria-hidden />
        {shown.map((meter) => (
          <span key={meter.key}>
            <b>{meter.count}</b> {meter.word}
          </span>
        ))}
        {target && (
          <span className="cv-limitto">
            <ArrowRight size={12} aria-hidden />
            <Hourglass size={12} aria-hidden />
            {nameOf(target)}
          </span>
        )}
      </button>
    </ViewportPortal>
  );
}
