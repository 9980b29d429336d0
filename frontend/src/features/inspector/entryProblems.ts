/** Problems of what stands beside the machine: they are known by their path. */
import type { EntryList, Problem } from "../../model";
import type { Fault } from "../../ui";

export const ENTRY_LISTS: readonly EntryList[] = ["prompts", "tools", "outcomes", "squad", "policies", "question_sets"];

export const entryProblems = (problems: readonly Problem[], list: EntryList, n: number): Problem[] =>
  problems.filter((problem) => problem.path[0] === list && problem.path[1] === n);

/** Those of one field of an entry, as notes under it. */
export const faultsAt = (problems: readonly Problem[], ...path: (string | number)[]): Fault[] =>
  problems
    .filter((problem) => path.every((part, n) => problem.path[n + 2] === part))
    .map((problem) => ({ tone: problem.severity === "error" ? "bad" : "warn", text: problem.hint ? `${problem.message} ${problem.hint}` : problem.message }));

/** The name of the inspector's field that a problem beside the machine is about, or null. */
export function fieldOf(problem: Problem): string | null {
  const [list, n, field] = problem.path;
  if (!ENTRY_LISTS.includes(list as EntryList) || n === undefined) return null;
  return `${String(list)}.${n}.${String(field ?? "key")}`;
}
