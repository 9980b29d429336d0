/** Problems that a script shows can be played: the drawer "Simulate" opens with that script and runs it. */
import { useEffect, useMemo, useState } from "react";

import type { Json, Problem } from "../../model";
import type { Desk, Sync } from "../../store";
import { fetchFindings } from "../../transport";

const REST_MS = 1500;

const keyOf = ({ code, path }: Pick<Problem, "code" | "path">): string => `${code} ${path.join("/")}`;

export interface Play {
  has(problem: Problem): boolean;
  run(problem: Problem): void;
}

export function usePlay(agent: string, revision: number, problems: number, sync: Sync, desk: Desk): Play {
  const [scripts, setScripts] = useState<ReadonlyMap<string, Json[]>>(new Map());
  useEffect(() => {
    if (sync !== "saved" || problems === 0) return;
    let here = true;
    const timer = setTimeout(() => {
      fetchFindings(agent)
        .then(({ findings }) => here && setScripts(new Map(findings.map((one) => [keyOf(one), one.script]))))
        .catch(() => undefined); // without scripts the list is as useful as before
    }, REST_MS);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [agent, revision, problems, sync]);
  return useMemo(
    () => ({
      has: (problem) => scripts.has(keyOf(problem)),
      run: (problem) => {
        const script = scripts.get(keyOf(problem));
        if (!script) return;
        localStorage.setItem(`callchart.script.${agent}`, JSON.stringify(script, null, 2));
        sessionStorage.setItem(`callchart.play.${agent}`, "asked");
        desk.set({ drawer: "simulate" });
      },
    }),
    [agent, scripts, desk],
  );
}
