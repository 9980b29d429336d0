import { useQueryClient } from "@tanstack/react-query";
import { AlertTriangle, CircleCheck, CircleX, Rocket } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { DesignScreen, type DesignParts, type DrawerTab } from "../features/design";
import { countProblems, PublishSheet } from "../features/publish";
import { SimulatePanel } from "../features/simulate";
import type { Problem, Subject } from "../model";
import { Button } from "../ui";
import { AgentBar } from "./Bar";
import { modesOf } from "./modes";
import { useAgent, useMe } from "./queries";

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
    <button type="button" className="ui-iconbtn" style={{ width: "auto", padding: "0 4px", display: "flex", gap: 4 }} aria-label={words} title={words} onClick={() => parts.desk.set({ drawer: "problems" })}>
      {error > 0 && <span className="ui-badge" data-tone="bad"><CircleX size={12} aria-hidden />{error}</span>}
      {warning > 0 && <span className="ui-badge" data-tone="warn"><AlertTriangle size={12} aria-hidden />{warning}</span>}
      {error + warning === 0 && <span className="ui-badge" data-tone="ok"><CircleCheck size={12} aria-hidden /><span className="ui-hide-narrow">checked</span></span>}
    </button>
  );
}

function DesignBar({ agentId, parts, simulating }: { agentId: string; parts: DesignParts | null; simulating: boolean }) {
  const [publishing, setPublishing] = useState(false);
  const agent = useAgent(agentId).data;
  const roles = useMe().data?.workspace.roles ?? [];
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
          <ProblemsBadge parts={parts} />
          <Button kind="primary" icon={Rocket} aria-label="Publish" onClick={() => setPublishing(true)}><span className="ui-hide-narrow">Publish</span></Button>
        </>} />
      {parts && (
        <PublishSheet open={publishing} onClose={() => setPublishing(false)} agentId={agentId} problems={parts.draft.problems} roles={roles}
          activeVersion={agent?.active_version ?? null} settled={parts.settled} onFocus={(problem) => goToProblem(parts, problem)} />
      )}
    </>
  );
}

/** The draft of one agent: drawn, checked, dry-run, published. */
export default function DesignPage() {
  const { id = "" } = useParams();
  const [params] = useSearchParams();
  const simulating = params.get("drawer") === "simulate";
  const tabs = useMemo<DrawerTab[]>(() => [{
    key: "simulate",
    label: "Simulate",
    render: (parts) => <SimulatePanel agentId={id} version="draft" rows={parts.draft} marks={parts.marks} settled={parts.settled} />,
  }], [id]);
  return <DesignScreen key={id} agentId={id} tabs={tabs} bar={(parts) => <DesignBar agentId={id} parts={parts} simulating={simulating} />} />;
}
