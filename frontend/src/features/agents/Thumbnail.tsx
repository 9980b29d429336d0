import { Bot, Workflow } from "lucide-react";
import type { AgentBrief } from "../../transport/resources";

const PAD = 24;

/** The chart as a few rectangles: enough to tell one agent from another in a list. */
export function Thumbnail({ boxes, states }: { boxes: AgentBrief["thumbnail"]; states: number }) {
  if (boxes.length === 0) {
    const Icon = states === 0 ? Bot : Workflow;
    return <span className="agents-thumb agents-thumb-plain" aria-hidden="true"><Icon size={18} strokeWidth={1.5} /></span>;
  }
  const left = Math.min(...boxes.map((box) => box.x));
  const top = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.w));
  const bottom = Math.max(...boxes.map((box) => box.y + box.h));
  const view = `${left - PAD} ${top - PAD} ${right - left + 2 * PAD} ${bottom - top + 2 * PAD}`;
  return (
    <svg className="agents-thumb" viewBox={view} aria-hidden="true" preserveAspectRatio="xMidYMid meet">
      {boxes.map((box, index) => (
        <rect key={index} x={box.x} y={box.y} width={box.w} height={box.h} rx={Math.min(12, box.h / 4)} data-speaker={box.speaker || undefined} />
      ))}
    </svg>
  );
}
