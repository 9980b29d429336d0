/** What is wrong with the chart, worst first: a click goes to the culprit and to the very field. */
import "./problems.css";

import { AlertTriangle, CircleCheck, CircleX, Info, Play, Wrench } from "lucide-react";
import { useCallback, useMemo, useRef } from "react";

import { indexOf, labelText, nameOf, subjectOf, withFreshIds, type Draft, type Operation, type Problem } from "../../model";
import type { Desk, MarkStore } from "../../store";
import { newId } from "../../transport";
import { Button, isTyping, useKeys } from "../../ui";

const RANK = { error: 0, warning: 1, info: 2 } as const;
const ICONS = { error: CircleX, warning: AlertTriangle, info: Info };

export const ordered = (draft: Draft): Problem[] =>
  [...draft.problems].sort((a, b) => RANK[a.severity] - RANK[b.severity]);

/** Where a problem sits, in words. */
export function placeOf(draft: Draft, problem: Problem): string {
  const subject = subjectOf(problem);
  const index = indexOf(draft);
  if (!subject) return problem.subject?.kind === "limits" ? "Limits" : problem.subject?.kind === "settings" ? "Settings" : "Chart";
  const { kind, id } = subject;
  if (kind === "state") return nameOf(index.state.get(id) ?? { key: "state", label: null });
  if (kind === "region") return nameOf(index.region.get(id) ?? { key: "region", label: null });
  if (kind === "slot") return draft.slots.find((slot) => slot.id === id)?.key ?? "Slots";
  const transition = index.transition.get(id);
  if (!transition) return "Transition";
  const source = index.state.get(transition.source) ?? index.region.get(transition.source);
  return `${source ? nameOf(source) : ""} · ${labelText(transition)}`;
}

export function goToProblem(draft: Draft, problem: Problem, desk: Desk, marks: MarkStore): void {
  const subject = subjectOf(problem);
  if (!subject) {
    desk.select(null);
    const field = fieldBeside(problem);
    desk.set({ right: true, sheet: "inspector", field: field ? { id: "", field, at: Date.now() } : null });
    return;
  }
  desk.goTo(subject, problem.field);
  marks.focus(subject.id);
  const around = indexOf(draft).transition.get(subject.id)?.source;
  if (around && !indexOf(draft).transition.get(subject.id)?.target) marks.focus(around);
}

/** F8 and ⇧F8: the next and the previous problem, from wherever one is. */
export function useProblemKeys(draft: Draft, desk: Desk, marks: MarkStore): void {
  const at = useRef(-1);
  useKeys(
    useCallback(
      (event: KeyboardEvent) => {
        if (event.key !== "F8" || isTyping(event.target)) return false;
        const all = ordered(draft);
        if (all.length === 0) return false;
        const selected = desk.store.getState().selection[0]?.id;
        if (all[at.current]?.subject?.id !== selected) at.current = event.shiftKey ? 0 : -1;
        at.current = (at.current + (event.shiftKey ? -1 : 1) + all.length) % all.length;
        const problem = all[at.current];
        if (problem) goToProblem(draft, problem, desk, marks);
        return true;
      },
      [draft, desk, marks],
    ),
  );
}

/** The inspector's field for a problem of what stands beside the machine: `policies.0.when`. */
function fieldBeside({ path, field }: Problem): string | null {
  const [list, n, name] = path;
  return typeof n === "number" ? `${String(list)}.${n}.${String(name ?? "key")}` : field;
}

/** One click, one batch, one step back. */
function FixButton({ problem, fix, onEdit }: { problem: Problem; fix: NonNullable<Problem["fix"]>; onEdit: ListProps["onEdit"] }) {
  return (
    <Button
      size="sm"
      icon={Wrench}
      title={fix.label}
      aria-label={`Fix: ${fix.label} (${problem.message})`}
      onClick={() => onEdit(withFreshIds(fix.operations as unknown as Operation[], newId), fix.label)}
    >
      <span className="pr-fix ui-trunc">{fix.label}</span>
    </Button>
  );
}

interface ListProps {
  draft: Draft;
  desk: Desk;
  marks: MarkStore;
  onEdit(operations: readonly Operation[], label: string): void;
  /** Plays the script that shows a problem, for problems that have one. */
  play?: { has(problem: Problem): boolean; run(problem: Problem): void };
}

export function ProblemList({ draft, desk, marks, onEdit, play }: ListProps) {
  const problems = useMemo(() => ordered(draft), [draft]);
  if (problems.length === 0) {
    return (
      <p className="pr-none">
        <CircleCheck size={16} aria-hidden /> No problems. This chart can be published.
      </p>
    );
  }
  return (
    <ul className="pr" aria-label="Problems">
      {problems.map((problem, n) => {
        const Icon = ICONS[problem.severity];
        return (
          <li key={`${problem.code} ${problem.path.join("/")} ${n}`} className="pr-item">
            <button type="button" className="pr-row" onClick={() => goToProblem(draft, problem, desk, marks)}>
              <Icon size={16} aria-label={problem.severity} className={`pr-sign is-${problem.severity}`} />
              <span className="pr-words">
                <span className="pr-message">{problem.message}</span>
                {problem.hint && <small>{problem.hint}</small>}
              </span>
              <span className="pr-where ui-trunc">{placeOf(draft, problem)}</span>
              <code className="pr-code">{problem.code}</code>
            </button>
            {play?.has(problem) && (
              <Button size="sm" icon={Play} aria-label={`Play what shows it: ${problem.message}`} onClick={() => play.run(problem)}>
                Play
              </Button>
            )}
            {problem.fix && <FixButton problem={problem} fix={problem.fix} onEdit={onEdit} />}
          </li>
        );
      })}
    </ul>
  );
}
