import { useMutation } from "@tanstack/react-query";
import { GitCompareArrows, Phone } from "lucide-react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { Decision, useVersion } from "../features/review";
import { may } from "../model/roles";
import { api, type Version } from "../transport/resources";
import { Button, Loading, toast, useTitle } from "../ui";
import { AgentBar, HomeBar } from "./Bar";
import { ChartBody } from "./ChartBody";
import { LoadFault, NotFound } from "./Fault";
import { modesOf } from "./modes";
import { useAgent, useWho } from "./queries";

function Actions({ agentId, version }: { agentId: string; version: Version }) {
  const active = useAgent(agentId).data?.active_version ?? null;
  const who = useWho();
  const navigate = useNavigate();
  const { number } = version;
  const start = useMutation({
    mutationFn: () => api.startCall({ agent: agentId, version: number }),
    onSuccess: (call) => void navigate(`/calls/${call.id}`),
    onError: (error) => toast("bad", "The Call did not start", error.message),
  });
  return (
    <>
      {who && <span className="ui-row ui-hide-narrow"><Decision agentId={agentId} version={version} active={active} who={who} only={["request", "activate"]} /></span>}
      <Link className="ui-btn" to={`/agents/${agentId}/versions/${number}/review`} aria-label={`Review v${number}`}><GitCompareArrows size={16} aria-hidden /><span className="ui-hide-narrow">Review</span></Link>
      {who && may("calls.drive", who.roles) && <Button kind="primary" icon={Phone} busy={start.isPending} aria-label="Start a Call" onClick={() => start.mutate()}><span className="ui-hide-narrow">Start a Call</span></Button>}
    </>
  );
}

/** A published version: its chart as it was frozen, to look at and to dry-run; approved and activated from here. */
export default function VersionPage() {
  const { id = "", number = "" } = useParams();
  const [params] = useSearchParams();
  const n = Number(number);
  const real = Number.isInteger(n) && n > 0;
  const version = useVersion(id, real ? n : null);
  const rows = version.data?.rows;
  useTitle(rows ? `${rows.agent.name} v${n}` : real ? null : "Not found");
  if (!real) return <div className="app"><HomeBar /><NotFound what="This version" /></div>;
  if (!rows) return <div className="app"><HomeBar title={`v${n}`} />{version.error ? <LoadFault error={version.error} what={`Version ${n}`} retry={() => void version.refetch()} /> : <Loading what="Reading the version…" />}</div>;
  const simulating = params.get("drawer") === "simulate";
  return (
    <div className="app">
      <AgentBar agentId={id} shown={n} mode={simulating ? "simulate" : "design"} to={modesOf(id, n)} right={version.data && <Actions agentId={id} version={version.data} />} />
      <ChartBody agentId={id} version={n} rows={rows} simulating={simulating} title={`${rows.agent.name}, version ${n}`} />
    </div>
  );
}
