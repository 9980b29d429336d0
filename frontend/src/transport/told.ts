/** Errors in whole sentences. */
import { ProblemError } from "./http";

const MOST = 4;

function placeOf(path: string | (string | number)[] | undefined): string {
  const place = [path ?? ""].flat().join(".");
  return place ? `At ${place}: ` : "";
}

/** A refusal with the places it names: "The script has faults. At events.0: expected an object." Anything else in its own words. */
export function told(error: unknown): string {
  if (!(error instanceof ProblemError)) return error instanceof Error ? error.message : String(error);
  const problems: unknown[] = Array.isArray(error.body.problems) ? error.body.problems : [];
  const faults: { path?: string | (string | number)[]; message?: unknown }[] = [...error.errors, ...problems.filter((one) => typeof one === "object" && one !== null)];
  const said = faults.filter((fault) => typeof fault.message === "string").map((fault) => `${placeOf(fault.path)}${String(fault.message)}`);
  const more = said.length > MOST ? [`And ${said.length - MOST} more.`] : [];
  return [...new Set([error.detail, ...said.slice(0, MOST), ...more])].join(" ");
}
