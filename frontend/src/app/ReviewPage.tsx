import { ArrowRight, CircleCheck, Columns2, GitPullRequestArrow, Layers } from "lucide-react";
import { useParams, useSearchParams } from "react-router";

import { Decision, ReviewScreen, useVersion, Versions } from "../features/review";
import { statusWords } from "../model/lifecycle";
import { personName } from "../model/people";
import type { Version } from "../transport/resources";
import { ago, Badge, Loading, Menu, Segmented, useNow, useTitle } from "../ui";
import { PlainBar, HomeBar } from "./Bar";
import { LoadFault, NotFound } from "./Fault";
import { Home } from "./Home";
import { useAgent, useVersions, useWho } from "./queries";

/** What a version is held against: what the address says, else the version that was active, else the one before it. */
export function baseOf(version: Version, versions: readonly Version[], active: number | null, asked: number | null): number | null {
  const known = new Set(versions.map((one) => one.number));
  const offered = [asked, active, version.base ?? null].find((one) => one !== null && one !== version.number && known.has(one));
  if (offered !== undefined) return offered;
  return versions.map((one) => one.number).filter((one) => one < version.number).sort((a, b) => b - a)[0] ?? null;
}

function Against({ version, before, active, versions, onChoose }: { version: Version; before: number | null; active: number | null; versions: readonly Version[]; onChoose: (number: number) => void }) {
  const now = useNow(true);
  return (
    <span className="ui-row ui-hide-narrow">
      {before !== null && (
        <>
          <Menu position="bottom-start">
            <Menu.Target><button type="button" className="ui-pick"><span className="ui-sr">Held against </span><Badge tone={before === active ? "ok" : "plain"} icon={before === active ? CircleCheck : undefined}>v{before}</Badge><span className="ui-second">{before === active ? "active" : statusWords(versions.find((one) => one.number === before)?.status ?? "")}</span></button></Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>Hold it against</Menu.Label>
              {versions.filter((one) => one.number !== version.number).map((one) => <Menu.Item key={one.number} onClick={() => onChoose(one.number)} rightSection={<span className="ui-muted">{statusWords(one.status)}</span>}>v{one.number}</Menu.Item>)}
            </Menu.Dropdown>
          </Menu>
          <ArrowRight size={14} aria-label="to" />
        </>
      )}
      <span className="ui-pick" style={{ cursor: "default" }}><Badge tone="info" icon={GitPullRequestArrow}>v{version.number}</Badge><span className="ui-second">by {personName(version.published_by) ?? "somebody"}, {ago(version.published_at, now)}</span></span>
    </span>
  );
}

export function ReviewPage() {
  const { id = "", number = "" } = useParams();
  const n = Number(number);
  const real = Number.isInteger(n) && n > 0;
  const [params, setParams] = useSearchParams();
  const agent = useAgent(id).data;
  const versions = useVersions(id).data;
  const who = useWho();
  const version = useVersion(id, real ? n : null);
  const active = agent?.active_version ?? null;
  const asked = Number(params.get("against")) || null;
  const before = version.data && versions && agent ? baseOf(version.data, versions, active, asked) : null;
  const old = useVersion(id, before);
  useTitle(agent && real ? `Review v${n} of ${agent.name}` : real ? null : "Not found");
  if (!real) return <div className="app"><HomeBar /><NotFound what="This version" /></div>;
  const fault = version.error ?? old.error;
  if (fault) return <div className="app"><HomeBar title={`Review v${n}`} /><LoadFault error={fault} what={`Version ${n}`} retry={() => void version.refetch()} /></div>;
  const two = params.get("charts") === "two";
  const set = (name: string, value: string | null): void => setParams((now) => {
    if (value === null) now.delete(name);
    else now.set(name, value);
    return now;
  }, { replace: true });
  const ready = version.data && versions && agent && who && (before === null || old.data);
  return (
    <div className="app">
      <PlainBar agentId={id} title={`Review v${n}`}
        middle={version.data && versions && <>
          <Against version={version.data} before={before} active={active} versions={versions} onChoose={(one) => set("against", String(one))} />
          {before !== null && <Segmented label="Charts" value={two ? "two" : "one"} onChange={(key) => set("charts", key === "two" ? "two" : null)} options={[
            { key: "one", label: <><Layers size={14} aria-hidden /><span className="ui-hide-narrow">One chart</span><span className="ui-only-narrow ui-sr">One chart</span></> },
            { key: "two", label: <><Columns2 size={14} aria-hidden /><span className="ui-hide-narrow">Two</span><span className="ui-only-narrow ui-sr">Two</span></> },
          ]} />}
        </>}
        right={version.data && who && <span className="ui-row ui-hide-narrow"><Decision agentId={id} version={version.data} active={active} who={who} narrow /></span>} />
      {ready && version.data
        ? <ReviewScreen key={`${id} ${n} ${before ?? ""}`} agentId={id} version={version.data} before={old.data ?? null} active={active} versions={versions} who={who} two={two} />
        : <Loading what="Reading the version…" />}
    </div>
  );
}

/** All versions of an Agent. */
export function VersionsPage() {
  const { id = "" } = useParams();
  const agent = useAgent(id);
  const versions = useVersions(id);
  const who = useWho();
  useTitle(agent.data ? `Versions of ${agent.data.name}` : null);
  const fault = agent.error ?? versions.error;
  return (
    <Home>
      <main className="rv-scroll" id="main"><div className="rv-page">
        {fault ? <LoadFault error={fault} what="This agent" retry={() => void versions.refetch()} />
          : agent.data && versions.data && who ? <><h1>Versions of {agent.data.name}</h1><p className="ui-second">Each is frozen. Calls that run stay on the version they started on.</p><Versions agentId={id} versions={versions.data} active={agent.data.active_version} who={who} /></>
          : <Loading what="Reading the versions…" />}
      </div></main>
    </Home>
  );
}

export default ReviewPage;
