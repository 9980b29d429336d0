import "./admin.css";
import { Settings } from "lucide-react";
import { NavLink } from "react-router";
import { may, type Deed } from "../../model/roles";
import { EmptyState, useTitle } from "../../ui";
import { AuditLog } from "./AuditLog";
import { Members } from "./Members";
import type { Self } from "./parts";
import { Tokens } from "./Tokens";
import { WorkspaceForm } from "./WorkspaceForm";

const tabs: readonly { key: string; label: string; deed?: Deed }[] = [
  { key: "members", label: "Members" },
  { key: "tokens", label: "API tokens" },
  { key: "audit", label: "Audit log", deed: "audit.read" },
  { key: "workspace", label: "Workspace" },
];

function shown(tab: string, self: Self) {
  if (tab === "members") return <Members self={self} />;
  if (tab === "tokens") return <Tokens self={self} />;
  if (tab === "audit") return <AuditLog />;
  return <WorkspaceForm self={self} />;
}

/** Who is in the workspace, their tokens, what was done, and what an approval asks for. */
export function SettingsScreen({ tab, self }: { tab: string; self: Self }) {
  useTitle("Settings");
  const open = tabs.filter((one) => !one.deed || may(one.deed, self.roles));
  const current = open.find((one) => one.key === tab);
  return (
    <main className="admin" id="main">
      <h1>Settings</h1>
      <nav className="admin-tabs" aria-label="Settings">
        {open.map((one) => <NavLink key={one.key} to={`/settings/${one.key}`}>{one.label}</NavLink>)}
      </nav>
      {current ? shown(current.key, self) : <EmptyState icon={Settings} title="Nothing for you here">Your roles do not open this page. An admin can give you others.</EmptyState>}
    </main>
  );
}
