/** Scenarios of an Agent over REST, and the suite that runs them (docs/contracts.md, section 6). */
import type { Scenario, SuiteResult, SuiteResults } from "../model/scenario";
import type { Json } from "../model/draft";
import { del, get, post, request } from "./http";
import { agentPath, once, query, type Page } from "./resources";

export interface NewScenario {
  name: string;
  description?: string;
  slots?: { [slot: string]: Json };
  lines: Json[];
}

/** A job, or the whole result where the worker was done at once. */
export type SuiteAnswer = { job: string; status: string } & Partial<SuiteResult>;

const path = (agent: string): string => `${agentPath(agent)}/scenarios`;
const one = (agent: string, id: string): string => `${path(agent)}/${encodeURIComponent(id)}`;

export const scenarios = {
  list: async (agent: string): Promise<Scenario[]> => {
    const found: Scenario[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<Scenario> = await get<Page<Scenario>>(`${path(agent)}${query({ limit: 100, cursor })}`);
      found.push(...page.results);
      cursor = page.next;
    } while (cursor !== null);
    return found;
  },
  create: (agent: string, body: NewScenario) => post<Scenario>(path(agent), body, once()),
  /** Refused with 412 when somebody else has changed it since `revision`. */
  change: async (agent: string, id: string, revision: number, body: NewScenario): Promise<Scenario> =>
    (await request<Scenario>("PUT", one(agent, id), { body, headers: { "If-Match": `"${revision}"` } })).data,
  remove: (agent: string, id: string) => del(one(agent, id)),
  record: (agent: string, call: string, name: string, until?: number) =>
    post<Scenario>(`${path(agent)}/record`, { call, name, ...(until === undefined ? {} : { until }) }, once()),

  /** Answers at once with a job; its steps come over `/ws/v1/jobs/{id}`. */
  run: (agent: string, version: number | "draft", only?: readonly string[]) =>
    post<SuiteAnswer>(`${agentPath(agent)}/versions/${version}/scenarios/run`, only ? { scenarios: only } : {}, { Prefer: "wait=0", ...once() }),
  results: (agent: string, version: number | "draft") => get<SuiteResults | null>(`${agentPath(agent)}/versions/${version}/scenarios/results`),
};
