/** One dry run: asked for over REST, its steps taken from the job's socket as they come. */
import { useCallback, useEffect, useReducer, useRef } from "react";
import type { Json } from "../../model/draft";
import type { Step } from "../../model/step";
import { follow, socketUrl, type Resume } from "../../transport";
import { api, type DryRunInput } from "../../transport/resources";
import { told } from "../../transport/told";

export interface StartReport {
  active: string[];
  slots: { [slot: string]: Json };
}

export interface Run {
  status: "idle" | "asking" | "running" | "done" | "failed" | "cancelled";
  job: string | null;
  start: StartReport | null;
  steps: readonly Step[];
  ok: boolean | null;
  fault: string | null;
}

export const idle: Run = { status: "idle", job: null, start: null, steps: [], ok: null, fault: null };

/** An item of `/ws/v1/jobs/{id}` (contracts.md, section 7). */
export interface JobItem {
  seq: number;
  type: "step" | "done" | "failed" | "cancelled";
  data: { [key: string]: unknown };
}

export type RunEvent =
  | { is: "asked" }
  | { is: "accepted"; job: string }
  | { is: "whole"; start: StartReport | null; steps: Step[]; ok: boolean }
  | { is: "items"; items: readonly JobItem[] }
  | { is: "refused"; message: string }
  | { is: "forgotten" };

function partOf(data: JobItem["data"], name: string): { [key: string]: unknown } {
  const part = data[name];
  return typeof part === "object" && part !== null && !Array.isArray(part) ? { ...part } : {};
}

/** The last item carries the job's result, `{ok, start}`. */
function startOf(data: JobItem["data"]): StartReport | null {
  const { start } = partOf(data, "result");
  return typeof start === "object" && start !== null && "active" in start ? (start as StartReport) : null;
}

function faultOf(data: JobItem["data"]): string {
  const error = partOf(data, "error");
  const said = [error.detail, error.message, error.title, data.message].find((words) => typeof words === "string" && words !== "");
  const problems: unknown[] = Array.isArray(error.problems) ? error.problems : [];
  const first = problems.slice(0, 3).flatMap((one) => (typeof one === "object" && one !== null && "message" in one ? [`${String(one.message)}.`] : []));
  return [said === undefined ? "The run stopped before its end, and the server does not say why. Run it again." : String(said), ...first].join(" ");
}

function afterItem(run: Run, item: JobItem): Run {
  switch (item.type) {
    case "step":
      return { ...run, steps: [...run.steps, item.data as unknown as Step] };
    case "done": {
      const ok = typeof partOf(item.data, "result").ok === "boolean" ? partOf(item.data, "result").ok === true : run.steps.every((step) => step.expectation?.met !== false);
      return { ...run, status: "done", ok, start: startOf(item.data) ?? run.start };
    }
    case "failed":
      return { ...run, status: "failed", fault: faultOf(item.data) };
    case "cancelled":
      return { ...run, status: "cancelled" };
  }
}

/** What a run is after one more thing happened. Pure. */
export function afterRun(run: Run, event: RunEvent): Run {
  switch (event.is) {
    case "asked":
      return { ...idle, status: "asking" };
    case "accepted":
      return { ...run, status: "running", job: event.job };
    case "whole":
      return { ...run, status: "done", start: event.start, steps: event.steps, ok: event.ok };
    case "items":
      return event.items.reduce(afterItem, run);
    case "refused":
      return { ...run, status: "failed", fault: event.message };
    case "forgotten":
      return idle;
  }
}

export function useDryRun(agentId: string, version: number | "draft"): {
  run: Run; begin: (input: DryRunInput) => Promise<void>; cancel: () => void; forget: () => void;
} {
  const [run, dispatch] = useReducer(afterRun, idle);
  const line = useRef<Resume | null>(null);
  const turn = useRef(0);

  useEffect(() => () => line.current?.close(), []);

  const begin = useCallback(async (input: DryRunInput) => {
    const mine = ++turn.current;
    line.current?.close();
    dispatch({ is: "asked" });
    try {
      const answer = await api.dryRun(agentId, version, input);
      if (mine !== turn.current) return;
      if (answer.steps) {
        dispatch({ is: "whole", start: answer.start ?? null, steps: answer.steps, ok: answer.ok ?? true });
        return;
      }
      dispatch({ is: "accepted", job: answer.job });
      line.current = follow<JobItem>(socketUrl(`/ws/v1/jobs/${encodeURIComponent(answer.job)}`), {
        items: (items) => {
          if (mine !== turn.current) return;
          dispatch({ is: "items", items });
          if (items.some((item) => item.type !== "step")) line.current?.close();
        },
        state: (state, code) => {
          if (state === "refused" && mine === turn.current) dispatch({ is: "refused", message: `The steps cannot be watched (${code ?? "closed"}). Run it again.` });
        },
      });
    } catch (error) {
      if (mine === turn.current) dispatch({ is: "refused", message: told(error) });
    }
  }, [agentId, version]);

  const job = run.job;
  const cancel = useCallback(() => {
    if (job) void api.cancelJob(job).catch(() => undefined);
  }, [job]);
  const forget = useCallback(() => {
    turn.current += 1;
    line.current?.close();
    dispatch({ is: "forgotten" });
  }, []);
  return { run, begin, cancel, forget };
}
