import { ChevronRight, CircleCheck, GitBranch, History, PenTool, Play, Radio, Workflow, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { statusWords } from "../model/lifecycle";
import { Badge, Menu, TopBar } from "../ui";
import { AccountMenu, ThemeToggle } from "./Account";
import { useAgent, useMe, useVersions } from "./queries";

function Logo() {
  return <Link to="/" className="ui-logo" aria-label="Callchart: all agents"><Workflow size={14} aria-hidden /></Link>;
}

/** The bar of pages that are about no single agent. */
export function HomeBar({ title }: { title?: string }) {
  const { data: me } = useMe();
  return (
    <TopBar
      left={<><Logo /><span className="ui-crumb"><b className="ui-trunc">{me?.workspace.name ?? "Callchart"}</b>{title && <><ChevronRight size={14} aria-hidden /><span>{title}</span></>}</span></>}
      right={<><AccountMenu /><ThemeToggle /></>}
    />
  );
}

/** Draft or a version. `changes` is how much the draft differs, where the page knows it. */
function VersionPicker({ agentId, shown, note }: { agentId: string; shown: number | "draft"; note?: string }) {
  const agent = useAgent(agentId).data;
  const versions = useVersions(agentId).data ?? [];
  const navigate = useNavigate();
  const active = agent?.active_version ?? null;
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <button type="button" className="ui-pick">
          <GitBranch size={14} aria-hidden /><span className="ui-sr">Version: </span>
          {shown === "draft" ? <>Draft {agent?.differs !== false && <span className="ui-dot" aria-hidden />}<span className="ui-second ui-hide-narrow">{note ?? (agent?.differs === false ? "as published" : "changed")}</span></>
            : <><Badge tone={shown === active ? "ok" : "plain"} icon={shown === active ? CircleCheck : undefined}>v{shown}</Badge><span className="ui-hide-narrow">{statusWords(versions.find((one) => one.number === shown)?.status ?? "")}</span></>}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void navigate(`/agents/${agentId}`)}>Draft{agent?.differs ? " · differs from the last version" : ""}</Menu.Item>
        {versions.length > 0 && <Menu.Divider />}
        {versions.map((version) => (
          <Menu.Item key={version.number} onClick={() => void navigate(`/agents/${agentId}/versions/${version.number}`)}
            rightSection={<span className="ui-muted">{statusWords(version.status)}</span>}>v{version.number}</Menu.Item>
        ))}
        {versions.length > 0 && <><Menu.Divider /><Menu.Item onClick={() => void navigate(`/agents/${agentId}/versions`)}>All versions</Menu.Item></>}
        {versions.length === 0 && <Menu.Label>Nothing is published yet</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}

export type Mode = "design" | "simulate" | "live" | "replay";

const modes: readonly { key: Mode; label: string; icon: LucideIcon }[] = [
  { key: "design", label: "Design", icon: PenTool },
  { key: "simulate", label: "Simulate", icon: Play },
  { key: "live", label: "Live", icon: Radio },
  { key: "replay", label: "Replay", icon: History },
];

interface AgentBarProps {
  agentId: string;
  shown: number | "draft";
  mode: Mode;
  /** Where each mode is, for this page; a mode without an address cannot be chosen here. */
  to: Readonly<Partial<Record<Mode, string>>>;
  note?: string;
  right?: ReactNode;
}

/** The bar of every page about one agent: where you are, which version, which mode, and what can be done. */
export function AgentBar({ agentId, shown, mode, to, note, right }: AgentBarProps) {
  const { data: me } = useMe();
  const agent = useAgent(agentId).data;
  return (
    <TopBar
      left={<>
        <Logo />
        <nav className="ui-crumb ui-hide-narrow" aria-label="Where you are">
          <Link className="ui-trunc" to="/">{me?.workspace.name ?? "Agents"}</Link>
          <ChevronRight size={14} aria-hidden />
          <b className="ui-trunc" aria-current="page">{agent?.name ?? "…"}</b>
        </nav>
        <VersionPicker agentId={agentId} shown={shown} note={note} />
      </>}
      middle={
        <nav className="ui-seg" aria-label="Mode">
          {modes.map(({ key, label, icon: Icon }) => {
            const address = to[key];
            return address === undefined ? null : (
              <Link key={key} to={address} aria-current={key === mode ? "page" : undefined} title={label}>
                <Icon size={14} aria-hidden /><span className="ui-hide-narrow">{label}</span><span className="ui-only-narrow ui-sr">{label}</span>
              </Link>
            );
          })}
        </nav>
      }
      right={<>{right}<AccountMenu /><span className="ui-hide-narrow"><ThemeToggle /></span></>}
    />
  );
}

/** The bar of a page that is about an agent without being one of its modes. */
export function PlainBar({ agentId, title, middle, right }: { agentId: string; title: string; middle?: ReactNode; right?: ReactNode }) {
  const { data: me } = useMe();
  const agent = useAgent(agentId).data;
  return (
    <TopBar
      left={<>
        <Logo />
        <nav className="ui-crumb" aria-label="Where you are">
          <Link className="ui-trunc ui-hide-narrow" to="/">{me?.workspace.name ?? "Agents"}</Link>
          <ChevronRight className="ui-hide-narrow" size={14} aria-hidden />
          <Link className="ui-trunc ui-hide-narrow" to={`/agents/${agentId}`}>{agent?.name ?? "…"}</Link>
          <ChevronRight className="ui-hide-narrow" size={14} aria-hidden />
          <b aria-current="page">{title}</b>
        </nav>
      </>}
      middle={middle}
      right={<>{right}<AccountMenu /><span className="ui-hide-narrow"><ThemeToggle /></span></>}
    />
  );
}
