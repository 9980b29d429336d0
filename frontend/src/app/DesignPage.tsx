import { useQuery, useQueryClient } from "@tanstack/react-query";
import { AlertTriangle, CircleCheck, CircleX, Eye, Rocket } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { useStore } from "zustand";
import { DesignScreen, type DesignParts, type DrawerTab } from "../features/design";
import { countProblems, PublishSheet } from "../features/publish";
import { Decision } from "../features/review";
import { SimulatePanel, TestsPanel } from "../features/simulate";
import type { Problem, Subject } from "../model";
import { may } from "../model/roles";
import { facesOf } from "../store";
import { fetchDraft } from "../transport";
import { ProblemError } from "../transport/http";
import { Badge, Button, Faces, Loading, useTitle } from "../ui";
import { AgentBar, HomeBar } from "./Bar";
import { ChartBody } from "./ChartBody";
import { LoadFault, NotFound } from "./Fault";
import { modesOf } from "./modes";
import { useAgent, useMe, useWho } from "./queries";

function subjectOf(problem: Problem): Subject | null {
  const { subject } = problem;
  if (!subject?.id) return null;
  const { kind, id } = subject;
  return kind === "state" || kind === "region" || kind === "transition" || kind === "slot" ? { kind, id } : null;
}

function goToProblem(parts: DesignParts, problem: Problem): void {
  const subject = subjectOf(problem);
  if (!subject) {
    parts.desk.set({ drawer: "problems" });
    return;
  }
  parts.desk.goTo(subject, problem.field);
  parts.marks.focus(subject.id);
}

/** How the draft stands with the checker; a click opens the list. */
function ProblemsBadge({ parts }: { parts: DesignParts }) {
  const { error, warning } = countProblems(parts.draft.problems);
  const words = error + warning === 0 ? "No problems" : `${error} errors, ${warning} warnings: show them`;
  return (
    <button type="button" className="ui-iconbtn" style={{ width: "auto", padding: "0 4px", display: "flex", gap: 4 }} title={words} onClick={() => parts.desk.set({ drawer: "problems" })}>
      <span className="ui-sr">{words}</span>
      {error > 0 && <span className="ui-badge" data-tone="bad" aria-hidden><CircleX size={12} aria-hidden />{error}</span>}
      {warning > 0 && <span className="ui-badge" data-tone="warn" aria-hidden><AlertTriangle size={12} aria-hidden />{warning}</span>}
      {error + warning === 0 && <span className="ui-badge" data-tone="ok" aria-hidden><CircleCheck size={12} aria-hidden /><span className="ui-hide-narrow">checked</span></span>}
    </button>
  );
}

function OthersHere({ desk }: Pick<DesignParts, "desk">) {
  return <Faces faces={facesOf(useStore(desk.store, (state) => state.people))} />;
}

function DesignBar({ agentId, parts, simulating }: { agentId: string; parts: DesignParts | null; simulating: boolean }) {
  const [publishing, setPublishing] = useState(false);
  const agent = useAgent(agentId).data;
  const who = useWho();
  const client = useQueryClient();
  const revision = parts?.draft.revision;
  const saved = parts?.sync === "saved";

  const desk = parts?.desk;
  // On a narrow screen the drawer is one of the sheets: going to Simulate brings it up.
  useEffect(() => {
    if (simulating) desk?.set({ sheet: "drawer" });
  }, [simulating, desk]);

  useEffect(() => {
    if (saved) void client.invalidateQueries({ queryKey: ["agents", agentId], exact: true });
  }, [client, agentId, saved, revision]);

  return (
    <>
      {parts && <h1 className="ui-sr">{parts.draft.agent.name}, draft</h1>}
      <AgentBar agentId={agentId} shown="draft" mode={simulating ? "simulate" : "design"} to={modesOf(agentId)}
        right={parts && <>
          <OthersHere desk={parts.desk} />
          <ProblemsBadge parts={parts} />
          <Button kind="primary" icon={Rocket} aria-label="Publish" onClick={() => setPublishing(true)}><span className="ui-hide-narrow">Publish</span></Button>
        </>} />
      {parts && (
        <PublishSheet open={publishing} onClose={() => setPublishing(false)} agentId={agentId} problems={parts.draft.problems}
          decide={(version) => who && <Decision agentId={agentId} version={version} active={agent?.active_version ?? null} who={who} />}
          activeVersion={agent?.active_version ?? null} settled={parts.settled} onFocus={(problem) => goToProblem(parts, problem)} />
      )}
    </>
  );
}

/** The draft for those who may look and try, not change. */
function ReadDraft({ agentId, simulating }: { agentId: string; simulating: boolean }) {
  const draft = useQuery({ queryKey: ["agents", agentId, "draft"], queryFn: () => fetchDraft(agentId), refetchInterval: 10_000 });
  const rows = draft.data;
  if (!rows) return <div className="app"><HomeBar />{draft.error ? <LoadFault error={draft.error} what="The draft" retry={() => void draft.refetch()} /> : <Loading what="Reading the draft…" />}</div>;
  return (
    <div className="app">
      <AgentBar agentId={agentId} shown="draft" mode={simulating ? "simulate" : "design"} to={modesOf(agentId)}
        right={<Badge icon={Eye} title="Designers change the draft. You can look at it and try it in a dry run."><span className="ui-hide-narrow">to look at</span><span className="ui-only-narrow ui-sr">to look at</span></Badge>} />
      <ChartBody agentId={agentId} version="draft" rows={rows} simulating={simulating} title={`${rows.agent.name}, draft`} />
    </div>
  );
}

/** The draft of one agent: drawn, checked, dry-run, published. Who does not edit gets it to look at. */
export default function DesignPage() {
  const { id = "" } = useParams();
  const [params] = useSearchParams();
  const simulating = params.get("drawer") === "simulate";
  const me = useMe();
  const agent = useAgent(id);
  const absent = agent.error instanceof ProblemError && agent.error.status === 404;
  useTitle(absent ? "Not found" : agent.data ? `${agent.data.name}, draft` : null);
  const tabs = useMemo<DrawerTab[]>(() => [{
    key: "simulate",
    label: "Simulate",
    render: (parts) => <SimulatePanel agentId={id} version="draft" rows={parts.draft} marks={parts.marks} settled={parts.settled} records />,
  }, {
    key: "tests",
    label: "Tests",
    render: (parts) => <TestsPanel agentId={id} rows={parts.draft} marks={parts.marks} settled={parts.settled} edits />,
  }], [id]);
  if (absent) return <div className="app"><HomeBar /><NotFound what="This agent" /></div>;
  if (me.isPending) return <div className="app"><HomeBar /><Loading what="Reading the draft…" /></div>;
  if (me.data && !may("drafts.edit", me.data.workspace.roles)) return <ReadDraft key={id} agentId={id} simulating={simulating} />;
  return <DesignScreen key={id} agentId={id} tabs={tabs} bar={(parts) => <DesignBar agentId={id} parts={parts} simulating={simulating} />} />;
}
