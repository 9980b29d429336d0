import type { Mode } from "./Bar";

/** Where each mode of an agent is. */
export function modesOf(agentId: string, version?: number): Record<Mode, string> {
  const base = version === undefined ? `/agents/${agentId}` : `/agents/${agentId}/versions/${version}`;
  return {
    design: base,
    simulate: `${base}?drawer=simulate`,
    live: `/calls?agent=${agentId}&status=running`,
    replay: `/calls?agent=${agentId}&status=ended`,
  };
}
