/** One run of an Agent's scenarios: asked for over REST, each scenario's result taken from the job's socket as it comes. */
import { useCallback, useEffect, useReducer, useRef } from "react";

import type { Coverage, ScenarioRun, SuiteResult } from "../model/scenario";
import { follow, socketUrl, type Resume } from "../transport";
import { api } from "../transport/resources";
import { scenarios } from "../transport/scenarios";
import { told } from "../transport/told";

export interface Suite {
  status: "idle" | "asking" | "running" | "done" | "failed" | "cancelled";
  job: string | null;
  /** In the order they ended. */
  runs: readonly ScenarioRun[];
  /** How many there are to run; null until that is known. */
  total: number | null;
  coverage: Coverage | null;
  fault: string | null;
}

export const noSuite: Suite = { status: "idle", job: null, runs: [], total: null, coverage: null, fault: null };

export interface SuiteItem {
  seq: number;
  type: "scenario" | "step" | "done" | "failed" | "cancelled";
  data: { [key: string]: unknown };
}

export type SuiteEvent =
  | { is: "asked"; total: number | null }
  | { is: "accepted"; job: string; total: number | null }
  | { is: "whole"; job: string; runs: readonly ScenarioRun[]; coverage: Coverage | null }
  | { is: "items"; items: readonly SuiteItem[] }
  | { is: "refused"; message: string }
  | { is: "forgotten" };

const isObject = (value: unknown): value is { [key: string]: unknown } => typeof value === "object" && value !== null && !Array.isArray(value);

function faultOf(data: SuiteItem["data"]): string {
  const error = isObject(data.error) ? data.error : data;
  const said = [error.detail, error.message, error.title].find((words) => typeof words === "string" && words !== "");
  return said === undefined ? "The run stopped before its end, and the server does not say why. Run it again." : String(said);
}

/** The last item carries the job's result, in `result` or as itself. */
function resultOf(data: SuiteItem["data"]): Partial<SuiteResult> {
  return (isObject(data.result) ? data.result : data) as Partial<SuiteResult>;
}

function afterItem(suite: Suite, item: SuiteItem): Suite {
  switch (item.type) {
    case "scenario":
    case "step": {
      const run = item.data as unknown as ScenarioRun;
      // A worker that was lost begins again: the newest word on a scenario counts.
      return { ...suite, runs: [...suite.runs.filter((one) => one.id !== run.id), run] };
    }
    case "done": {
      const result = resultOf(item.data);
      return { ...suite, status: "done", total: result.total ?? suite.runs.length, coverage: result.coverage ?? null };
    }
    case "failed":
      return { ...suite, status: "failed", fault: faultOf(item.data) };
    case "cancelled":
      return { ...suite, status: "cancelled" };
  }
}

/** What a suite is after one more thing happened. Pure. */
export function afterSuite(suite: Suite, event: SuiteEvent): Suite {
  switch (event.is) {
    case "asked":
      return { ...noSuite, status: "asking", total: event.total };
    case "accepted":
      return { ...suite, status: "running", job: event.job, total: event.total ?? suite.total };
    case "whole":
      return { ...noSuite, status: "done", job: event.job, runs: event.runs, total: event.runs.length, coverage: event.coverage };
    case "items":
      return event.items.reduce(afterItem, suite);
    case "refused":
      return { ...suite, status: "failed", fault: event.message };
    case "forgotten":
      return noSuite;
  }
}

export interface SuiteRunner {
  suite: Suite;
  busy: boolean;
  begin(total: number | null, only?: readonly string[]): Promise<void>;
  cancel(): void;
  forget(): void;
}

export function useSuite(agentId: string, version: number | "draft"): SuiteRunner {
  const [suite, dispatch] = useReducer(afterSuite, noSuite);
  const line = useRef<Resume | null>(null);
  const turn = useRef(0);
  useEffect(() => () => line.current?.close(), []);

  const begin = useCallback(async (total: number | null, only?: readonly string[]) => {
    const mine = ++turn.current;
    line.current?.close();
    dispatch({ is: "asked", total });
    try {
      const answer = await scenarios.run(agentId, version, only);
      if (mine !== turn.current) return;
      const { job } = answer;
      if (answer.status === "done" && answer.scenarios) {
        dispatch({ is: "whole", job, runs: answer.scenarios, coverage: answer.coverage ?? null });
        return;
      }
      dispatch({ is: "accepted", job, total: answer.total ?? null });
      line.current = follow<SuiteItem>(socketUrl(`/ws/v1/jobs/${encodeURIComponent(job)}`), {
        items: (items) => {
          if (mine !== turn.current) return;
          dispatch({ is: "items", items });
          if (items.some((item) => item.type === "done" || item.type === "failed" || item.type === "cancelled")) line.current?.close();
        },
        state: (state, code) => {
          if (state === "refused" && mine === turn.current) dispatch({ is: "refused", message: `The run cannot be watched (${code ?? "closed"}). Run it again.` });
        },
      });
    } catch (error) {
      if (mine === turn.current) dispatch({ is: "refused", message: told(error) });
    }
  }, [agentId, version]);

  const job = suite.job;
  const cancel = useCallback(() => {
    if (job) void api.cancelJob(job).catch(() => undefined);
  }, [job]);
  const forget = useCallback(() => {
    turn.current += 1;
    line.current?.close();
    dispatch({ is: "forgotten" });
  }, []);
  return { suite, busy: suite.status === "asking" || suite.status === "running", begin, cancel, forget };
}
