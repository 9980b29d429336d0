/** Errors in whole sentences. */
import { ProblemError } from "./http";

const MOST = 4;

function placeOf(path: string | (string | number)[] | undefined): string {
  const place = [path ?? ""].flat().join(".");
  return place ? `At ${place}: ` : "";
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/** A refusal with the places it names: "The script has faults. At events.0: expected an object." Anything else in its own words. */
export function told(error: unknown): string {
  if (!(error instanceof ProblemError)) return error instanceof Error ? error.message : String(error);
  const problems: unknown[] = Array.isArray(error.body.problems) ? error.body.problems : [];
  const faults: { path?: string | (string | number)[]; message?: unknown }[] = [...error.errors, ...problems.filter((one) => typeof one === "object" && one !== null)];
  const said = faults.filter((fault) => typeof fault.message === "string").map((fault) => sentence(`${placeOf(fault.path)}${String(fault.message)}`));
  const more = said.length > MOST ? [`And ${said.length - MOST} more.`] : [];
  // One fault, told twice: with its place is enough.
  const whole = faults.some((fault) => fault.message === error.detail) ? [] : [sentence(error.detail)];
  return [...new Set([...whole, ...said.slice(0, MOST), ...more])].join(" ");
}
