import { Bot, Radio, Settings, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { NavLink } from "react-router";
import { HomeBar } from "./Bar";
import { useMe } from "./queries";

const places: readonly { to: string; label: string; icon: LucideIcon; end?: boolean }[] = [
  { to: "/", label: "Agents", icon: Bot, end: true },
  { to: "/calls", label: "Live Calls", icon: Radio },
  { to: "/settings", label: "Settings", icon: Settings },
];

/** The frame of the pages that list things: bar, places on the left, or at the bottom of a narrow screen. */
export function Home({ children }: { children: ReactNode }) {
  const { data: me } = useMe();
  return (
    <div className="app">
      <a className="ui-skip" href="#main">To the content</a>
      <HomeBar />
      <div className="app-page">
        <nav className="app-side" aria-label="Places">
          {places.map(({ to, label, icon: Icon, end }) => <NavLink key={to} to={to} end={end}><Icon size={16} aria-hidden />{label}</NavLink>)}
          <a className="app-side-end" href="/v1/docs"><span className="ui-muted">API · {me?.mode ?? ""}</span></a>
        </nav>
        <div className="app-body">{children}</div>
        <nav className="app-tabs" aria-label="Places">
          {places.map(({ to, label, icon: Icon, end }) => <NavLink key={to} to={to} end={end}><Icon size={20} aria-hidden />{label}</NavLink>)}
        </nav>
      </div>
    </div>
  );
}
