import "./live.css";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, Phone, PhoneCall, Radio } from "lucide-react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { may } from "../../model/roles";
import { api } from "../../transport/resources";
import { ago, Badge, Button, EmptyState, Loading, Menu, Note, Segmented, toast, useTitle } from "../../ui";
import { duration, shortId, useCalls } from "./CallList";

type Status = "all" | "running" | "ended";

function StartCall({ agentId }: { agentId: string | null }) {
  const agents = useQuery({ queryKey: ["agents", "startable"], queryFn: async () => (await api.agents()).results });
  const navigate = useNavigate();
  const client = useQueryClient();
  const start = useMutation({
    mutationFn: (agent: string) => api.startCall({ agent }),
    onSuccess: (call) => {
      void client.invalidateQueries({ queryKey: ["calls"] });
      void navigate(`/calls/${call.id}`);
    },
    onError: (error) => toast("bad", "The Call did not start", error.message),
  });
  const ready = (agents.data ?? []).filter((agent) => agent.active_version !== null && (!agentId || agent.id === agentId));
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target><Button kind="primary" icon={Phone} busy={start.isPending}>Start a Call</Button></Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>On the active version of</Menu.Label>
        {ready.map((agent) => <Menu.Item key={agent.id} rightSection={<span className="ui-muted">v{agent.active_version}</span>} onClick={() => start.mutate(agent.id)}>{agent.name}</Menu.Item>)}
        {ready.length === 0 && <Menu.Label>No agent has an active version yet. Publish and activate one first.</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}

function noneOf(status: Status, ofAgent: boolean): string {
  const of = ofAgent ? " of this agent" : "";
  if (status === "running") return `No Call${of} is running`;
  return status === "ended" ? `No Call${of} has ended yet` : `No Calls${of} yet`;
}

/** Every Call one may see, newest first, of one agent or of all. Who may drive Calls can start one. */
export function CallsScreen({ roles }: { roles: readonly string[] | undefined }) {
  useTitle("Calls");
  const drives = may("calls.drive", roles ?? []);
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const agent = params.get("agent");
  const asked = params.get("status");
  const status: Status = asked === "running" || asked === "ended" ? asked : "all";
  const calls = useCalls({ agent, status: status === "all" ? null : status });
  const rows = calls.data ?? [];
  const agentName = agent ? rows.find((call) => call.agent.id === agent)?.agent.name : undefined;

  function choose(name: "status" | "agent", value: string | null): void {
    setParams((before) => {
      if (value === null) before.delete(name);
      else before.set(name, value);
      return before;
    }, { replace: true });
  }

  return (
    <main className="calls" id="main">
      <div className="calls-head">
        <h1>Calls</h1>
        <Segmented label="Which Calls" value={status} onChange={(next) => choose("status", next === "all" ? null : next)} options={[{ key: "all", label: "All" }, { key: "running", label: "Running" }, { key: "ended", label: "Ended" }]} />
        {agent && <Badge tone="accent">{agentName ?? "one agent"}</Badge>}
        {agent && <Button size="sm" kind="ghost" onClick={() => choose("agent", null)}>Of all agents</Button>}
        <span className="ui-grow" />
        {drives && <StartCall agentId={agent} />}
      </div>
      {calls.isPending && <Loading what="Reading the Calls…" />}
      {calls.isError && <Note tone="bad">The Calls could not be read: {calls.error.message} <Button size="sm" onClick={() => void calls.refetch()}>Try again</Button></Note>}
      {calls.isSuccess && (
        <div className="ui-card">
          {rows.length === 0 ? (
            <EmptyState icon={PhoneCall} title={noneOf(status, agent !== null)}>{drives ? "A Call runs on a published version. Start one here, or from an agent's Publish sheet." : "A Call runs on a published version. Support, designers and admins start them."}</EmptyState>
          ) : (
            <table className="calls-table">
              <thead><tr><th>Call</th><th>Agent</th><th>Status</th><th>States</th><th>Turns</th><th>Transitions</th><th>Refusals</th><th>Started</th><th>Length</th></tr></thead>
              <tbody>
                {rows.map((call) => (
                  <tr key={call.id} onClick={() => void navigate(`/calls/${call.id}`)}>
                    <td><Link to={`/calls/${call.id}`} onClick={(event) => event.stopPropagation()}><code style={{ fontWeight: 600 }}>{shortId(call.id)}</code></Link></td>
                    <td>{call.agent.name} <span className="ui-muted">v{call.version}</span></td>
                    <td>{call.status === "running" ? <Badge tone="live" icon={Radio}>running</Badge> : <Badge tone="ok" icon={CircleCheck}>{call.outcome ?? "ended"}</Badge>}</td>
                    <td className="calls-states ui-trunc ui-second">{call.active.join(", ")}</td>
                    <td className="ui-num calls-quiet">{call.counters.turns}</td>
                    <td className="ui-num calls-quiet">{call.counters.transitions}</td>
                    <td className="ui-num calls-quiet" style={call.counters.refusals ? { color: "var(--bad)" } : undefined}>{call.counters.refusals}</td>
                    <td className="ui-second calls-quiet">{ago(call.started_at, calls.dataUpdatedAt)}</td>
                    <td className="ui-num calls-quiet">{duration(call, calls.dataUpdatedAt)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      )}
    </main>
  );
}
