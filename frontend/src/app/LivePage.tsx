import { useParams } from "react-router";
import { LineBadge, LiveCall, useCall } from "../features/live";
import { Loading, useTitle } from "../ui";
import { AgentBar, HomeBar } from "./Bar";
import { LoadFault } from "./Fault";
import { modesOf } from "./modes";
import { useMe } from "./queries";

function OneCall({ id }: { id: string }) {
  const { call, rows, error, feed, refetch } = useCall(id);
  const roles = useMe().data?.workspace.roles;
  useTitle(call ? `Call #${call.id.slice(-6)} of ${call.agent.name}` : error ? "Call not read" : null);
  if (!call || !rows) {
    return <div className="app"><HomeBar title="Call" />{error ? <LoadFault error={error} what="This Call" retry={refetch} /> : <Loading what="Reading the Call…" />}</div>;
  }
  const last = feed.events.at(-1)?.seq ?? 0;
  return (
    <div className="app">
      <AgentBar agentId={call.agent.id} shown={call.version} mode={call.status === "running" ? "live" : "replay"} to={modesOf(call.agent.id)} right={<LineBadge line={feed.line} last={last} />} />
      <div className="app-page"><div className="app-body"><LiveCall call={call} rows={rows} feed={feed} roles={roles} /></div></div>
    </div>
  );
}

export default function LivePage() {
  const { id = "" } = useParams();
  return <OneCall key={id} id={id} />;
}
