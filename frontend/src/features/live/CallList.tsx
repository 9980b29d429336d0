import { useQuery } from "@tanstack/react-query";
import { Ban } from "lucide-react";
import { Link } from "react-router";
import { api, type CallBrief } from "../../transport/resources";
import { Badge, clock, EmptyState, Loading, Panel, secondsBetween } from "../../ui";

/** The Calls of a filter, asked again every few seconds. */
export function useCalls(filter: { agent?: string | null; status?: string | null }) {
  return useQuery({
    queryKey: ["calls", "list", filter.agent ?? "", filter.status ?? ""],
    refetchInterval: 4_000,
    queryFn: async () => (await api.calls(filter)).results,
  });
}

export function shortId(id: string): string {
  return `#${id.slice(-6)}`;
}

export function duration(call: CallBrief, now: number): string {
  return clock(secondsBetween(call.started_at, call.ended_at ?? new Date(now).toISOString()));
}

function Row({ call, current, now }: { call: CallBrief; current: boolean; now: number }) {
  const refusals = call.counters.refusals;
  return (
    <li>
      <Link to={`/calls/${call.id}`} aria-current={current ? "page" : undefined}>
        <div className="ui-row"><code style={{ fontWeight: 600 }}>{shortId(call.id)}</code>{call.outcome && <Badge tone="ok">{call.outcome}</Badge>}<span className="ui-grow" /><span className="ui-num ui-second">{duration(call, now)}</span></div>
        <div className="ui-row"><span className="ui-grow ui-trunc ui-second">{call.active.join(", ") || "no state"}</span>
          {refusals > 0 && <span className="ui-row ui-num" style={{ gap: 4, color: "var(--bad)" }}><Ban size={12} aria-label="refusals" />{refusals}</span>}
          <span className="ui-muted ui-num">{call.counters.turns} {call.counters.turns === 1 ? "turn" : "turns"}</span>
        </div>
      </Link>
    </li>
  );
}

/** The other Calls of this agent, running ones first. */
export function CallList({ agentId, current }: { agentId: string | undefined; current: string }) {
  const calls = useCalls({ agent: agentId });
  const rows = calls.data ?? [];
  const running = rows.filter((call) => call.status === "running");
  const ended = rows.filter((call) => call.status !== "running").slice(0, 30);
  return (
    <div className="live-side ui-panel" data-edge="right">
      <Panel title={<>Calls <span className="ui-muted ui-num">{running.length} running</span></>} label="Calls of this agent">
        <div className="live-calls">
          {calls.isPending && <Loading what="Reading the Calls…" />}
          {calls.isError && <EmptyState title="The Calls could not be read">{calls.error.message}</EmptyState>}
          {running.length > 0 && <><h3>Running</h3><ul>{running.map((call) => <Row key={call.id} call={call} current={call.id === current} now={calls.dataUpdatedAt} />)}</ul></>}
          {ended.length > 0 && <><h3>Ended</h3><ul>{ended.map((call) => <Row key={call.id} call={call} current={call.id === current} now={calls.dataUpdatedAt} />)}</ul></>}
        </div>
      </Panel>
    </div>
  );
}
