import { ArrowRight, Ban, CircleX, Dot, Flag, type LucideIcon } from "lucide-react";
import { useEffect, useRef, type KeyboardEvent } from "react";
import type { Step } from "../../model/step";
import { inWords } from "./script";
import { toneOf, type StepTone } from "./steps";

const look: Readonly<Record<StepTone, { icon: LucideIcon; word: string }>> = {
  moved: { icon: ArrowRight, word: "moved" },
  refused: { icon: Ban, word: "refused" },
  unmet: { icon: CircleX, word: "expectation not met" },
  quiet: { icon: Dot, word: "nothing moved" },
};

/** Every step in a line; arrows walk, Home and End jump. Index -1 is the start, before the first line. */
export function StepList({ steps, selected, onSelect, hasStart, whereOf }: {
  steps: readonly Step[]; selected: number; onSelect: (index: number) => void; hasStart: boolean; whereOf: (active: readonly string[]) => string;
}) {
  const list = useRef<HTMLUListElement>(null);

  useEffect(() => {
    list.current?.querySelector(`[data-step="${selected}"]`)?.scrollIntoView({ block: "nearest" });
  }, [selected]);

  function onKeyDown(event: KeyboardEvent): void {
    const first = hasStart ? -1 : 0;
    const to = { ArrowDown: selected + 1, ArrowRight: selected + 1, ArrowUp: selected - 1, ArrowLeft: selected - 1, Home: first, End: steps.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onSelect(Math.max(first, Math.min(steps.length - 1, to)));
  }

  return (
    <ul className="sim-steps" role="listbox" aria-label="Steps" tabIndex={0} ref={list} onKeyDown={onKeyDown} aria-activedescendant={`sim-step-${selected}`}>
      {hasStart && (
        <li id="sim-step--1" data-step={-1} role="option" aria-selected={selected === -1} onClick={() => onSelect(-1)}>
          <Flag size={14} aria-hidden /><span className="ui-grow">start</span>
        </li>
      )}
      {steps.map((step, index) => {
        const tone = toneOf(step);
        const Icon = look[tone].icon;
        return (
          <li key={step.index} id={`sim-step-${index}`} data-step={index} data-tone={tone} role="option" aria-selected={index === selected} onClick={() => onSelect(index)}>
            <span className="ui-num ui-muted sim-step-number">{index + 1}</span>
            <Icon size={14} aria-label={look[tone].word} />
            <span className="ui-grow ui-trunc">{inWords(step.input)}</span>
            <span className="ui-muted ui-trunc sim-step-state">{whereOf(step.active)}</span>
          </li>
        );
      })}
    </ul>
  );
}
