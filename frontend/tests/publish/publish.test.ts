import { describe, expect, it } from "vitest";
import { countByKind, countProblems, problemsIn, worstFirst } from "../../src/features/publish/counts";
import type { Problem } from "../../src/model/draft";

const problem = (severity: Problem["severity"], code: string): Problem => ({ severity, code, message: code, path: [], hint: null, span: null, subject: null, field: null });
const some = [problem("warning", "a"), problem("error", "guard.type"), problem("error", "slot.unknown"), problem("error", "guard.type")];

describe("publishing", () => {
  it("counts by severity and by kind, the worst first", () => {
    expect(countProblems(some)).toEqual({ error: 3, warning: 1, info: 0 });
    expect(countByKind(some)).toEqual([["guard.type", 2], ["slot.unknown", 1]]);
    expect(worstFirst(some).map((one) => one.severity)).toEqual(["error", "error", "error", "warning"]);
  });

  it("reads the problems of a refused publish and nothing else", () => {
    expect(problemsIn({ problems: [some[0], "no", null] })).toEqual([some[0]]);
    expect(problemsIn({})).toEqual([]);
  });
});
