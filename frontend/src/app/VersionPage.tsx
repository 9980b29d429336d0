import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Phone, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { Canvas, MarkStore } from "../features/canvas";
import { moveWords, nextMove } from "../features/publish";
import { SimulatePanel } from "../features/simulate";
import { api } from "../transport/resources";
import { Button, Loading, Split, toast } from "../ui";
import { AgentBar, HomeBar } from "./Bar";
import { LoadFault, NotFound } from "./Fault";
import { modesOf } from "./modes";
import { useAgent, useMe } from "./queries";

function Actions({ agentId, number, status }: { agentId: string; number: number; status: string }) {
  const active = useAgent(agentId).data?.active_version === number;
  const roles = useMe().data?.workspace.roles ?? [];
  const move = active ? "none" : nextMove(status, roles);
  const client = useQueryClient();
  const navigate = useNavigate();
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
      {(move === "approve" || move === "activate") && <Button icon={ShieldCheck} busy={activate.isPending} onClick={() => activate.mutate()}>{moveWords[move]}</Button>}
      <Button kind="primary" icon={Phone} busy={start.isPending} onClick={() => start.mutate()}><span className="ui-hide-narrow">Start a Call</span></Button>
    </>
  );
}

/** A published version: its chart as it was frozen, to look at and to dry-run. */
export default function VersionPage() {
  const { id = "", number = "" } = useParams();
  const [params] = useSearchParams();
  const [marks] = useState(() => new MarkStore());
  const n = Number(number);
  const version = useQuery({ queryKey: ["agents", id, "versions", n], queryFn: () => api.version(id, n), enabled: Number.isInteger(n) && n > 0 });
  if (!Number.isInteger(n) || n < 1) return <NotFound what="This version" />;
  const rows = version.data?.rows;
  if (!rows) return <div className="app"><HomeBar title={`v${n}`} />{version.error ? <LoadFault error={version.error} what={`Version ${n}`} retry={() => void version.refetch()} /> : <Loading what="Reading the version…" />}</div>;
  const simulate = params.get("drawer") === "simulate";
  const canvas = <main id="main" style={{ height: "100%" }}><h1 className="ui-sr">{rows.agent.name}, version {n}</h1><Canvas draft={rows} mode="watch" marks={marks} /></main>;
  return (
    <div className="app">
      <AgentBar agentId={id} shown={n} mode={simulate ? "simulate" : "design"} to={modesOf(id, n)} right={<Actions agentId={id} number={n} status={version.data?.status ?? ""} />} />
      <div className="app-page"><div className="app-body">
        {simulate
          ? <Split label="Version" direction="vertical" parts={[{ key: "chart", content: canvas }, { key: "dry run", size: 300, min: 180, content: <SimulatePanel agentId={id} version={n} rows={rows} marks={marks} /> }]} />
          : canvas}
      </div></div>
    </div>
  );
}
