import "./publish.css";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { AlertTriangle, CircleCheck, CircleX, Info, Phone, Rocket, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Problem } from "../../model/draft";
import { ProblemError } from "../../transport/http";
import { api, type Version } from "../../transport/resources";
import { Badge, Button, Note, Sheet, toast } from "../../ui";
import { countByKind, countProblems, problemsIn, worstFirst } from "./counts";
import { moveWords, nextMove } from "./moves";

interface Props {
  open: boolean;
  onClose: () => void;
  agentId: string;
  /** What the checker says of the draft now. */
  problems: readonly Problem[];
  activeVersion: number | null;
  roles: readonly string[];
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

function Published({ version, fresh, agentId, active, activeVersion, roles, onChanged }: {
  version: Version; fresh: boolean; agentId: string; active: boolean; activeVersion: number | null; roles: readonly string[]; onChanged: (version: Version) => void;
}) {
  const navigate = useNavigate();
  const move = active ? "none" : nextMove(version.status, roles);
  const activate = useMutation({
    mutationFn: async () => {
      if (move === "approve") await api.approve(agentId, version.number);
      return api.activate(agentId, version.number);
    },
    onSuccess: onChanged,
  });
  const start = useMutation({
    mutationFn: () => api.startCall({ agent: agentId, version: version.number }),
    onSuccess: (call) => void navigate(`/calls/${call.id}`),
  });
  const fault = activate.error ?? start.error;
  return (
    <>
      <Note tone="ok">{fresh ? <>Published as <b>v{version.number}</b>.</> : <>Nothing changed: the draft is the same as <b>v{version.number}</b>. No new version was made.</>}</Note>
      <dl className="pub-facts">
        <dt>Version</dt><dd>v{version.number} · {active ? "active" : version.status === "published" ? "waits for a reviewer" : version.status}</dd>
        <dt>Digest</dt><dd><code>{version.digest}</code></dd>
      </dl>
      {move === "wait" && <p className="ui-second">It waits for a reviewer, who approves and activates it on its page. {activeVersion === null ? "Until then no version is active, and Calls start only on a version named by number." : `Until then new Calls start on v${activeVersion}.`}</p>}
      {fault && <Note tone="bad">{fault.message}</Note>}
      <div className="pub-steps">
        {(move === "approve" || move === "activate") && <Button kind="ok" icon={ShieldCheck} busy={activate.isPending} onClick={() => activate.mutate()}>{moveWords[move]}</Button>}
        {active && <Badge tone="ok" icon={CircleCheck}>active: new Calls start on it</Badge>}
        <Button icon={Phone} kind={active ? "primary" : "plain"} busy={start.isPending} onClick={() => start.mutate()}>Start a Call on v{version.number}</Button>
        <Button onClick={() => void navigate(`/agents/${agentId}/versions/${version.number}`)}>Look at v{version.number}</Button>
      </div>
    </>
  );
}

/** From draft to version: what the check says, then publish, approve, activate, and the first Call on it. */
export function PublishSheet({ open, onClose, agentId, problems, activeVersion, roles, settled, onFocus }: Props) {
  const client = useQueryClient();
  const [done, setDone] = useState<{ version: Version; fresh: boolean } | null>(null);
  const [active, setActive] = useState<number | null>(null);
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
          <Published {...done} agentId={agentId} roles={roles} activeVersion={active ?? activeVersion} active={(active ?? activeVersion) === done.version.number}
            onChanged={(version) => {
              setDone({ ...done, version });
              setActive(version.number);
              toast("ok", `v${version.number} is active`, "New Calls start on it.");
              void client.invalidateQueries({ queryKey: ["agents"] });
            }} />
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
