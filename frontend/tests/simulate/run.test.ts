import { describe, expect, it } from "vitest";
import { afterRun, idle, type JobItem } from "../../src/features/simulate/useDryRun";
import { thin } from "../../src/ui/Timeline";

const step = (index: number, met?: boolean): JobItem => ({ seq: index + 1, type: "step", data: { index, expectation: met === undefined ? null : { met, message: "" } } });

describe("a dry run as it comes", () => {
  const running = afterRun(afterRun(idle, { is: "asked" }), { is: "accepted", job: "j" });

  it("gathers steps until the job says it is done", () => {
    const half = afterRun(running, { is: "items", items: [step(0), step(1)] });
    expect(half).toMatchObject({ status: "running", job: "j" });
    expect(half.steps).toHaveLength(2);
    expect(afterRun(half, { is: "items", items: [{ seq: 3, type: "done", data: {} }] })).toMatchObject({ status: "done", ok: true });
  });

  it("is not well when an expectation was not met, whoever says so", () => {
    const done = { seq: 2, type: "done", data: {} } as const;
    expect(afterRun(running, { is: "items", items: [step(0, false), done] }).ok).toBe(false);
    expect(afterRun(running, { is: "items", items: [step(0), { ...done, data: { result: { ok: false } } }] }).ok).toBe(false);
  });

  it("knows where it began when the job's result says so", () => {
    const start = { active: ["greeting"], slots: { verified: false } };
    expect(afterRun(running, { is: "items", items: [step(0), { seq: 2, type: "done", data: { result: { ok: true, start } } }] }).start).toEqual(start);
  });

  it("keeps the steps of a run that failed or was stopped", () => {
    const failed = afterRun(running, { is: "items", items: [step(0), { seq: 2, type: "failed", data: { result: null, error: { code: "run.too_long", detail: "too long" } } }] });
    expect(failed).toMatchObject({ status: "failed", fault: "too long" });
    expect(failed.steps).toHaveLength(1);
  });
});

describe("the slider", () => {
  it("thins a long run but keeps what was refused and every alarm", () => {
    const ticks = Array.from({ length: 2000 }, (_, at) => ({ at, shape: at === 777 ? ("refused" as const) : ("dot" as const), alarm: at === 1500 }));
    const shown = thin(ticks, 0, 1999);
    expect(shown.length).toBeLessThan(200);
    expect(shown.some((tick) => tick.at === 777)).toBe(true);
    expect(shown.some((tick) => tick.alarm)).toBe(true);
  });
});
