import { CircleCheck, CircleX, Copy, Ellipsis, PencilLine, Radio, Trash2, Workflow, type LucideIcon } from "lucide-react";
import { Link, useNavigate } from "react-router";
import type { AgentBrief } from "../../transport/resources";
import { ago, Avatar, Badge, IconButton, Menu, type Tone } from "../../ui";
import { Thumbnail } from "./Thumbnail";

const statusLook: Readonly<Record<string, { tone: Tone; icon: LucideIcon }>> = {
  active: { tone: "ok", icon: CircleCheck },
  published: { tone: "info", icon: CircleCheck },
  approved: { tone: "info", icon: CircleCheck },
  draft: { tone: "plain", icon: PencilLine },
};

function versionText(agent: AgentBrief): string {
  const latest = agent.latest_version?.number;
  if (!latest) return "not published";
  if (agent.active_version === null) return `v${latest} · none active`;
  return latest === agent.active_version ? `v${latest}` : `v${agent.active_version} · v${latest} ${agent.latest_version?.status ?? ""}`;
}

export function personName(person: AgentBrief["updated_by"]): string | null {
  return typeof person === "string" ? person : (person?.name ?? null);
}

export function AgentRow({ agent, now, onDuplicate, onDelete }: { agent: AgentBrief; now: number; onDuplicate: () => void; onDelete: () => void }) {
  const navigate = useNavigate();
  const look = statusLook[agent.status] ?? { tone: "plain" as const, icon: PencilLine };
  const person = personName(agent.updated_by);
  return (
    <tr onClick={() => void navigate(`/agents/${agent.id}`)}>
      <td>
        <div className="ui-row" style={{ gap: 12 }}>
          <Thumbnail boxes={agent.thumbnail} />
          <div style={{ minWidth: 0 }}>
            <div className="ui-row">
              <Link className="agents-name ui-trunc" to={`/agents/${agent.id}`} onClick={(event) => event.stopPropagation()}>{agent.name}</Link>
              {agent.differs && agent.active_version !== null && <span className="ui-dot" role="img" title="The draft differs from the published version" aria-label="draft differs from the published version" />}
              {agent.problems.error > 0 && <Badge tone="bad" icon={CircleX} title={`${agent.problems.error} errors in the draft`}>{agent.problems.error}</Badge>}
            </div>
            <code className="ui-muted">{agent.key}</code>
          </div>
        </div>
      </td>
      <td><Badge tone={look.tone} icon={look.icon}>{agent.status}</Badge></td>
      <td className="ui-num">{versionText(agent)}</td>
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
            <Menu.Item leftSection={<Radio size={14} />} onClick={() => void navigate(`/calls?agent=${agent.id}`)}>Its Calls</Menu.Item>
            <Menu.Item leftSection={<Copy size={14} />} onClick={onDuplicate}>Duplicate</Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<Trash2 size={14} />} onClick={onDelete}>Delete…</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </td>
    </tr>
  );
}
