/** Problems counted and put in order. Pure. */
import type { Problem } from "../../model/draft";

export interface Counts {
  error: number;
  warning: number;
  info: number;
}

const order = { error: 0, warning: 1, info: 2 } as const;

export function countProblems(problems: readonly Problem[]): Counts {
  const counts: Counts = { error: 0, warning: 0, info: 0 };
  for (const problem of problems) counts[problem.severity] += 1;
  return counts;
}

/** The worst first; within one severity as the checker gave them. */
export function worstFirst(problems: readonly Problem[]): Problem[] {
  return [...problems].sort((a, b) => order[a.severity] - order[b.severity]);
}

/** `guard.type × 2, cycle.unbounded × 1`: how often each kind of error, most often first. */
export function countByKind(problems: readonly Problem[]): [code: string, count: number][] {
  const counts = new Map<string, number>();
  for (const problem of problems) if (problem.severity === "error") counts.set(problem.code, (counts.get(problem.code) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** Reads the problems a refused publish brings in its body; anything else is no problem of the chart. */
export function problemsIn(body: { [key: string]: unknown }): Problem[] {
  const problems: unknown[] = Array.isArray(body.problems) ? body.problems : [];
  return problems.filter((one): one is Problem => typeof one === "object" && one !== null && "code" in one && "message" in one && "severity" in one);
}
