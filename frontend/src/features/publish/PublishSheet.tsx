import "./publish.css";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { AlertTriangle, CircleCheck, CircleX, GitCompareArrows, Info, Phone, Rocket } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import type { Problem } from "../../model/draft";
import { standing, statusWords } from "../../model/lifecycle";
import { ProblemError } from "../../transport/http";
import { api, type Version } from "../../transport/resources";
import { Badge, Button, Note, Sheet } from "../../ui";
import { countByKind, countProblems, problemsIn, worstFirst } from "./counts";

interface Props {
  open: boolean;
  onClose: () => void;
  agentId: string;
  /** What the checker says of the draft now. */
  problems: readonly Problem[];
  activeVersion: number | null;
  /** The buttons that move a version. */
  decide(version: Version): ReactNode;
  /** Waits until what is on the screen is on the server. */
  settled?: () => Promise<void>;
  onFocus: (problem: Problem) => void;
}

const severityIcon = { error: CircleX, warning: AlertTriangle, info: Info } as const;

function ProblemList({ problems, onFocus }: { problems: readonly Problem[]; onFocus: (problem: Problem) => void }) {
  return (
    <ul className="pub-problems" aria-label="Problems">
      {worstFirst(problems).map((problem, index) => {
        const Icon = severityIcon[problem.severity];
        return (
          <li key={index}>
            <button type="button" data-severity={problem.severity} onClick={() => onFocus(problem)} style={{ width: "100%" }}>
              <Icon size={14} aria-label={problem.severity} />
              <span className="ui-grow">{problem.message}{problem.hint && <span className="ui-muted"><br />{problem.hint}</span>}</span>
              <code className="ui-muted">{problem.code}</code>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Published({ version, fresh, agentId, activeVersion, decide }: { version: Version; fresh: boolean; agentId: string; activeVersion: number | null; decide: Props["decide"] }) {
  const navigate = useNavigate();
  // What became of it since, by whoever it was.
  const now = useQuery({ queryKey: ["agents", agentId, "versions", version.number], queryFn: () => api.version(agentId, version.number) });
  const shown = now.data ?? version;
  const active = shown.status === "active";
  const start = useMutation({
    mutationFn: () => api.startCall({ agent: agentId, version: version.number }),
    onSuccess: (call) => void navigate(`/calls/${call.id}`),
  });
  return (
    <>
      <Note tone="ok">{fresh ? <>Published as <b>v{version.number}</b>.</> : <>Nothing changed: the draft is the same as <b>v{version.number}</b>. No new version was made.</>}</Note>
      <dl className="pub-facts">
        <dt>Version</dt><dd>v{version.number} · {statusWords(shown.status)}</dd>
        <dt>Digest</dt><dd><code>{version.digest}</code></dd>
      </dl>
      <p className="ui-second">{standing(shown, activeVersion)}</p>
      {start.error && <Note tone="bad">{start.error.message}</Note>}
      <div className="pub-steps">
        {decide(shown)}
        {active && <Badge tone="ok" icon={CircleCheck}>active: new Calls start on it</Badge>}
      </div>
      <div className="pub-steps">
        <Button icon={GitCompareArrows} onClick={() => void navigate(`/agents/${agentId}/versions/${version.number}/review`)}>Open its review</Button>
        <Button icon={Phone} kind={active ? "primary" : "plain"} busy={start.isPending} onClick={() => start.mutate()}>Start a Call on v{version.number}</Button>
        <Button kind="ghost" onClick={() => void navigate(`/agents/${agentId}/versions`)}>All versions</Button>
      </div>
    </>
  );
}

/** From draft to version: what the check says, then publish, the way to its review, and the first Call on it. */
export function PublishSheet({ open, onClose, agentId, problems, activeVersion, decide, settled, onFocus }: Props) {
  const client = useQueryClient();
  const [done, setDone] = useState<{ version: Version; fresh: boolean } | null>(null);
  const publish = useMutation({
    mutationFn: async () => {
      await settled?.();
      return api.publish(agentId);
    },
    onSuccess: (answer) => {
      setDone(answer);
      void client.invalidateQueries({ queryKey: ["agents"] });
    },
    onError: (error) => {
      const first = error instanceof ProblemError ? worstFirst(problemsIn(error.body))[0] : undefined;
      if (first) onFocus(first);
    },
  });

  const refused = publish.error instanceof ProblemError ? problemsIn(publish.error.body) : [];
  const shown = refused.length > 0 ? refused : problems;
  const counts = countProblems(shown);
  const blocked = counts.error > 0;

  function close(): void {
    setDone(null);
    publish.reset();
    onClose();
  }

  function focus(problem: Problem): void {
    onFocus(problem);
    close();
  }

  return (
    <Sheet open={open} onClose={close} title="Publish">
      <div className="pub">
        {done ? (
          <Published {...done} agentId={agentId} activeVersion={activeVersion} decide={decide} />
        ) : (
          <>
            <p className="ui-second">A version is frozen: its chart, prompts and slots never change. Calls that run stay on the version they started on.</p>
            <div className="pub-counts" role="status">
              <Badge tone={counts.error > 0 ? "bad" : "ok"} icon={counts.error > 0 ? CircleX : CircleCheck}>{counts.error === 0 ? "no errors" : `${counts.error} ${counts.error === 1 ? "error" : "errors"}`}</Badge>
              {counts.warning > 0 && <Badge tone="warn" icon={AlertTriangle}>{counts.warning} {counts.warning === 1 ? "warning" : "warnings"}</Badge>}
              {counts.info > 0 && <Badge tone="info" icon={Info}>{counts.info} for information</Badge>}
            </div>
            {blocked && <Note tone="bad">It cannot be published with errors: {countByKind(shown).map(([code, count]) => `${code} × ${count}`).join(", ")}. Choose one to go to it.</Note>}
            {publish.isError && !blocked && <Note tone="bad">{publish.error.message}</Note>}
            {shown.length > 0 && <ProblemList problems={shown} onFocus={focus} />}
            <div className="pub-steps">
              <Button kind="primary" icon={Rocket} data-autofocus busy={publish.isPending} disabled={blocked} onClick={() => publish.mutate()}>Publish the draft</Button>
              <Button onClick={close}>Not now</Button>
            </div>
          </>
        )}
      </div>
    </Sheet>
  );
}
