/** What is wrong with the chart, worst first: a click goes to the culprit and to the very field. */
import "./problems.css";

import { AlertTriangle, CircleCheck, CircleX, Info } from "lucide-react";
import { useCallback, useMemo, useRef } from "react";

import { indexOf, labelText, nameOf, subjectOf, type Draft, type Problem } from "../../model";
import type { Desk, MarkStore } from "../../store";
import { isTyping, useKeys } from "../../ui";

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
    desk.set({ right: true });
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

export function ProblemList({ draft, desk, marks }: { draft: Draft; desk: Desk; marks: MarkStore }) {
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
          <li key={`${problem.code} ${problem.path.join("/")} ${n}`}>
            <button type="button" className="pr-row" onClick={() => goToProblem(draft, problem, desk, marks)}>
              <Icon size={16} aria-label={problem.severity} className={`pr-sign is-${problem.severity}`} />
              <span className="pr-words">
                <span className="pr-message">{problem.message}</span>
                {problem.hint && <small>{problem.hint}</small>}
              </span>
              <span className="pr-where ui-trunc">{placeOf(draft, problem)}</span>
              <code className="pr-code">{problem.code}</code>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
