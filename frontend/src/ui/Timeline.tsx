import "./timeline.css";
import { useMemo } from "react";

export type TickShape = "triangle" | "refused" | "diamond" | "square" | "arrows" | "hourglass" | "dot";

export interface Tick {
  at: number;
  shape: TickShape;
  /** A red line through the rail: something expected is not so. */
  alarm?: boolean;
}

interface Props {
  ticks: readonly Tick[];
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
  label: string;
  /** The position in words, for those who hear it. */
  text: string;
  tone?: "live" | "accent";
}

const paths: Readonly<Record<TickShape, string>> = {
  triangle: "M0 -5L5 4H-5Z",
  refused: "M0 -5A5 5 0 1 0 0.01 -5ZM-3.4 3.4L3.4 -3.4",
  diamond: "M0 -5L5 0L0 5L-5 0Z",
  square: "M-4 -4H4V4H-4Z",
  arrows: "M-5 -2H4M1 -5L4 -2L1 1M5 3H-4",
  hourglass: "M-4 -5H4L-4 5H4Z",
  dot: "M0 -2A2 2 0 1 0 0.01 -2Z",
};

const ROOM = 160;
const loudness: readonly TickShape[] = ["dot", "square", "triangle", "diamond", "arrows", "hourglass", "refused"];

/** At most `ROOM` ticks: where many share a place, the one that says most stays. */
export function thin(ticks: readonly Tick[], min: number, max: number): Tick[] {
  if (ticks.length <= ROOM) return [...ticks];
  const kept = new Map<number, Tick>();
  for (const tick of ticks) {
    const place = Math.round(((tick.at - min) / Math.max(1, max - min)) * ROOM);
    const there = kept.get(place);
    if (!there || tick.alarm || loudness.indexOf(tick.shape) > loudness.indexOf(there.shape)) kept.set(place, tick);
  }
  return [...kept.values()];
}

/** A slider over numbered moments, each with a shape. A native range under it: arrows, Home and End work. */
export function Timeline({ ticks, value, min, max, onChange, label, text, tone = "accent" }: Props) {
  const shown = useMemo(() => thin(ticks, min, max), [ticks, min, max]);
  const share = (at: number) => (max > min ? ((at - min) / (max - min)) * 100 : 0);
  return (
    <div className="ui-timeline" data-tone={tone}>
      <div className="ui-timeline-ticks" aria-hidden="true">
        {shown.map((tick) => (
          <svg key={tick.at} data-shape={tick.shape} data-alarm={tick.alarm || undefined} data-past={tick.at <= value || undefined} style={{ left: `${share(tick.at)}%` }} width="14" height="14" viewBox="-7 -7 14 14">
            <path d={paths[tick.shape]} />
          </svg>
        ))}
        {shown.filter((tick) => tick.alarm).map((tick) => <span key={tick.at} className="ui-timeline-alarm" style={{ left: `${share(tick.at)}%` }} />)}
      </div>
      <div className="ui-timeline-rail" aria-hidden="true"><div style={{ width: `${share(value)}%` }} /></div>
      <input type="range" aria-label={label} aria-valuetext={text} min={min} max={Math.max(min, max)} step={1} value={value} onChange={(event) => onChange(Number(event.target.value))} />
    </div>
  );
}
