import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Phone, ShieldCheck } from "lucide-react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { moveWords, nextMove } from "../features/publish";
import { may } from "../model/roles";
import { api } from "../transport/resources";
import { Badge, Button, Loading, toast, useTitle } from "../ui";
import { AgentBar, HomeBar } from "./Bar";
import { ChartBody } from "./ChartBody";
import { LoadFault, NotFound } from "./Fault";
import { modesOf } from "./modes";
import { useAgent, useMe } from "./queries";

function Actions({ agentId, number, status }: { agentId: string; number: number; status: string }) {
  const active = useAgent(agentId).data?.active_version === number;
  const roles = useMe().data?.workspace.roles;
  const client = useQueryClient();
  const navigate = useNavigate();
  const move = active || !roles ? "none" : nextMove(status, roles);
  const activate = useMutation({
    mutationFn: async () => {
      if (move === "approve") await api.approve(agentId, number);
      return api.activate(agentId, number);
    },
    onSuccess: () => toast("ok", `v${number} is active`, "New Calls start on it."),
    onError: (error) => toast("bad", `v${number} was not activated`, error.message),
    onSettled: () => client.invalidateQueries({ queryKey: ["agents"] }),
  });
  const start = useMutation({
    mutationFn: () => api.startCall({ agent: agentId, version: number }),
    onSuccess: (call) => void navigate(`/calls/${call.id}`),
    onError: (error) => toast("bad", "The Call did not start", error.message),
  });
  return (
    <>
      {move === "wait" && <span className="ui-hide-narrow"><Badge title="Calls go on starting on the version that is active now">{moveWords.wait}</Badge></span>}
      {(move === "approve" || move === "activate") && (
        <Button icon={ShieldCheck} busy={activate.isPending} aria-label={moveWords[move]} onClick={() => activate.mutate()}><span className="ui-hide-narrow">{moveWords[move]}</span></Button>
      )}
      {may("calls.drive", roles ?? []) && <Button kind="primary" icon={Phone} busy={start.isPending} aria-label="Start a Call" onClick={() => start.mutate()}><span className="ui-hide-narrow">Start a Call</span></Button>}
    </>
  );
}

/** A published version: its chart as it was frozen, to look at and to dry-run; approved and activated from here. */
export default function VersionPage() {
  const { id = "", number = "" } = useParams();
  const [params] = useSearchParams();
  const n = Number(number);
  const real = Number.isInteger(n) && n > 0;
  const version = useQuery({ queryKey: ["agents", id, "versions", n], queryFn: () => api.version(id, n), enabled: real });
  const rows = version.data?.rows;
  useTitle(rows ? `${rows.agent.name} v${n}` : real ? null : "Not found");
  if (!real) return <div className="app"><HomeBar /><NotFound what="This version" /></div>;
  if (!rows) return <div className="app"><HomeBar title={`v${n}`} />{version.error ? <LoadFault error={version.error} what={`Version ${n}`} retry={() => void version.refetch()} /> : <Loading what="Reading the version…" />}</div>;
  const simulating = params.get("drawer") === "simulate";
  return (
    <div className="app">
      <AgentBar agentId={id} shown={n} mode={simulating ? "simulate" : "design"} to={modesOf(id, n)} right={<Actions agentId={id} number={n} status={version.data?.status ?? ""} />} />
      <ChartBody agentId={id} version={n} rows={rows} simulating={simulating} title={`${rows.agent.name}, version ${n}`} />
    </div>
  );
}
