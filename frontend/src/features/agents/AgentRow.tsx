import { CircleCheck, CircleX, Copy, Ellipsis, GitCompareArrows, PencilLine, Radio, Trash2, Workflow, type LucideIcon } from "lucide-react";
import { Link, useNavigate } from "react-router";
import type { AgentBrief } from "../../transport/resources";
import { statusWords } from "../../model/lifecycle";
import { personName } from "../../model/people";
import { ago, Avatar, Badge, IconButton, Menu, type Tone } from "../../ui";
import { Thumbnail } from "./Thumbnail";

const statusLook: Readonly<Record<string, { tone: Tone; icon: LucideIcon }>> = {
  active: { tone: "ok", icon: CircleCheck },
  published: { tone: "info", icon: CircleCheck },
  approved: { tone: "info", icon: CircleCheck },
  in_review: { tone: "info", icon: GitCompareArrows },
  returned: { tone: "bad", icon: CircleX },
  draft: { tone: "plain", icon: PencilLine },
};

function VersionCell({ agent }: { agent: AgentBrief }) {
  const latest = agent.latest_version;
  if (!latest) return <span className="ui-muted">not published</span>;
  const active = agent.active_version === null ? "none active" : `v${agent.active_version}`;
  const all = <Link className="agents-link" to={`/agents/${agent.id}/versions`} onClick={(event) => event.stopPropagation()}>{active}</Link>;
  if (latest.number === agent.active_version) return all;
  const words = latest.status === "in_review" ? `v${latest.number} waits for a reviewer` : `v${latest.number} ${statusWords(latest.status)}`;
  return <>{all} · <Link className="agents-link" to={`/agents/${agent.id}/versions/${latest.number}/review`} onClick={(event) => event.stopPropagation()}>{words}</Link></>;
}

/** One agent. `changes`: who looks may duplicate and delete it. */
export function AgentRow({ agent, now, changes, onDuplicate, onDelete }: { agent: AgentBrief; now: number; changes: boolean; onDuplicate: () => void; onDelete: () => void }) {
  const navigate = useNavigate();
  const look = statusLook[agent.status] ?? { tone: "plain" as const, icon: PencilLine };
  const person = personName(agent.updated_by);
  return (
    <tr onClick={() => void navigate(`/agents/${agent.id}`)}>
      <td>
        <div className="ui-row" style={{ gap: 12 }}>
          <Thumbnail boxes={agent.thumbnail} states={agent.states} />
          <div style={{ minWidth: 0 }}>
            <div className="ui-row">
              <Link className="agents-name ui-trunc" to={`/agents/${agent.id}`} onClick={(event) => event.stopPropagation()}>{agent.name}</Link>
              {agent.differs && agent.active_version !== null && <span className="ui-dot" role="img" title="The draft differs from the published version" aria-label="draft differs from the published version" />}
              {agent.problems.error > 0 && <Badge tone="bad" icon={CircleX} title={`${agent.problems.error} ${agent.problems.error === 1 ? "error" : "errors"} in the draft`}>{agent.problems.error}<span className="ui-sr"> {agent.problems.error === 1 ? "error" : "errors"} in the draft</span></Badge>}
            </div>
            <code className="ui-muted">{agent.key}</code>
          </div>
        </div>
      </td>
      <td><Badge tone={look.tone} icon={look.icon}>{statusWords(agent.status)}</Badge></td>
      <td className="ui-num"><VersionCell agent={agent} /></td>
      <td className={agent.live_calls > 0 ? undefined : "agents-quiet"}>
        {agent.live_calls > 0
          ? <Link to={`/calls?agent=${agent.id}&status=running`} onClick={(event) => event.stopPropagation()}><Badge tone="live" icon={Radio}>{agent.live_calls}<span className="ui-sr"> running Calls</span></Badge></Link>
          : <span className="ui-muted">none</span>}
      </td>
      <td className="agents-quiet ui-num">{agent.states}</td>
      <td className="agents-quiet">
        <div className="ui-row">{person && <Avatar name={person} />}<span className="ui-second">{ago(agent.updated_at, now)}</span></div>
      </td>
      <td className="agents-more" onClick={(event) => event.stopPropagation()}>
        <Menu position="bottom-end">
          <Menu.Target><IconButton icon={Ellipsis} label={`More for ${agent.name}`} /></Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Workflow size={14} />} onClick={() => void navigate(`/agents/${agent.id}`)}>Open the draft</Menu.Item>
            <Menu.Item leftSection={<GitCompareArrows size={14} />} onClick={() => void navigate(`/agents/${agent.id}/versions`)}>Its versions</Menu.Item>
            <Menu.Item leftSection={<Radio size={14} />} onClick={() => void navigate(`/calls?agent=${agent.id}`)}>Its Calls</Menu.Item>
            {changes && <>
              <Menu.Item leftSection={<Copy size={14} />} onClick={onDuplicate}>Duplicate</Menu.Item>
              <Menu.Divider />
              <Menu.Item color="var(--bad)" leftSection={<Trash2 size={14} />} onClick={onDelete}>Delete…</Menu.Item>
            </>}
          </Menu.Dropdown>
        </Menu>
      </td>
    </tr>
  );
}
