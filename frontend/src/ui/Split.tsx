import type { ReactNode } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";

export interface SplitPart {
  key: string;
  /** Pixels at first; none = takes what is left. */
  size?: number;
  min?: number;
  max?: number;
  content: ReactNode;
}

/** Panels beside (`horizontal`) or above (`vertical`) each other; the bars between them move by mouse and by arrow key. */
export function Split({ direction, parts, label }: { direction: "horizontal" | "vertical"; parts: readonly SplitPart[]; label: string }) {
  return (
    <Group className="ui-split" orientation={direction}>
      {parts.flatMap((part, index) => {
        const panel = (
          <Panel key={part.key} id={part.key} defaultSize={part.size} minSize={part.min ?? 160} maxSize={part.max}>
            {part.content}
          </Panel>
        );
        const bar = <Separator key={`${part.key}-bar`} className="ui-split-bar" aria-label={`${label}: resize ${part.key}`} />;
        return index === 0 ? [panel] : [bar, panel];
      })}
    </Group>
  );
}
