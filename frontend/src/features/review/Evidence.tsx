/** What speaks for and against a version: where it stands, its scenarios, what they cover, what can now happen. */
import { AlertTriangle, Check, CircleCheck, CircleDashed, CircleX, Lock, Play, Route, Square } from "lucide-react";
import { useMemo } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import type { Draft, Id } from "../../model/draft";
import { describeTransition } from "../../model/names";
import { personName } from "../../model/people";
import { offersOf, standing, statusWords, type Who } from "../../model/lifecycle";
import type { Behaviour, Change } from "../../model/review";
import { coverOf, lineWords, type Cover, type Coverage, type ScenarioRun, type SuiteResults } from "../../model/scenario";
import type { SuiteRunner } from "../../store/suite";
import type { Version } from "../../transport/resources";
import { scenarios } from "../../transport/scenarios";
import { ago, Badge, Button, CheckLine, Note, useNow } from "../../ui";
import { scriptName } from "./SideBySide";

export type CoverMap = { states: Map<Id, Cover>; transitions: Map<Id, Cover> };

export function useResults(agentId: string, version: number | "draft", status: string) {
  const client = useQueryClient();
  const queryKey = ["agents", agentId, "results", version];
  const asked = useQuery({ queryKey, queryFn: () => scenarios.results(agentId, version) });
  useEffect(() => {
    if (status === "done") void client.invalidateQueries({ queryKey: ["agents", agentId] });
  }, [client, agentId, status]);
  return asked;
}

function Standing({ version, active, who, now }: { version: Version; active: number | null; who: Who; now: number }) {
  const refused = [...new Set(offersOf(version, who).flatMap((offer) => offer.why ?? []))];
  const { review, decision } = version;
  return (
    <section className="rv-cardbox" aria-label="Where it stands">
      <div className="ui-row"><h2>v{version.number}</h2><span className="ui-grow" /><Badge tone={version.status === "active" || version.status === "approved" ? "ok" : version.status === "returned" ? "bad" : "info"}>{statusWords(version.status)}</Badge></div>
      <p className="ui-second">{standing(version, active)}</p>
      {version.void && <Note tone="bad">{version.void.detail}</Note>}
      {refused.map((why) => <p key={why} className="rv-why"><Lock size={12} aria-hidden />{why}</p>)}
      <dl className="rv-facts">
        <dt>Published</dt><dd>{personName(version.published_by) ?? "somebody"}, {ago(version.published_at, now)}</dd>
        {review && <><dt>Review asked</dt><dd>{personName(review.requested_by) ?? "somebody"}, {ago(review.requested_at, now)}{review.note && <q>{review.note}</q>}</dd></>}
        {decision && <><dt>{decision.what === "approved" ? "Approved" : "Returned"}</dt><dd>{personName(decision.by) ?? "somebody"}, {ago(decision.at, now)}{decision.note && <q>{decision.note}</q>}</dd></>}
        <dt>Digest</dt><dd><code title={version.digest}>{version.digest.slice(0, 4)}…{version.digest.slice(-4)}</code></dd>
      </dl>
    </section>
  );
}

/** One bar a scenario, red ones taller, in order. */
export function Strip({ runs, total, passed, failed }: { runs: readonly ScenarioRun[]; total: number; passed: number; failed: number }) {
  const bars = runs.length > 0 ? runs.map((run) => (run.ok ? "ok" : "bad")) : [...new Array<string>(passed).fill("ok"), ...new Array<string>(failed).fill("bad")];
  const rest = Math.max(0, total - bars.length);
  return <div className="rv-strip" aria-hidden>{[...bars, ...new Array<string>(rest).fill("open")].slice(0, 200).map((tone, n) => <i key={n} data-tone={tone} />)}</div>;
}

function Scenarios({ runner, results, required, number, none, onCover, covering }: {
  none: boolean; runner: SuiteRunner; results: SuiteResults | null | undefined; required: boolean; number: number; covering: boolean; onCover: (on: boolean) => void;
}) {
  const { suite, busy } = runner;
  const live = suite.status !== "idle";
  const runs = live ? suite.runs : (results?.scenarios ?? []);
  const passed = live ? runs.filter((run) => run.ok).length : (results?.passed ?? 0);
  const failed = live ? runs.filter((run) => !run.ok).length : (results?.failed ?? 0);
  const total = (live ? suite.total : null) ?? results?.total ?? runs.length;
  const known = live || Boolean(results);
  const now = useNow(true);
  return (
    <section className="rv-cardbox" aria-label="Scenarios">
      <div className="ui-row">
        <h2>Scenarios</h2>{required && <Badge tone="info" title="This workspace wants all scenarios green before a version is approved">required</Badge>}
        <span className="ui-grow" />
        {known && !busy && total > 0 && <Badge tone={failed > 0 ? "bad" : "ok"} icon={failed > 0 ? CircleX : CircleCheck}>{failed > 0 ? `${failed} ${failed === 1 ? "fails" : "fail"}` : "all pass"}</Badge>}
        {busy && <Badge tone="info">{runs.length} of {total} ran</Badge>}
      </div>
      {known && total > 0 && <p className="rv-big ui-num" role="status">{passed}<span>/{total}</span></p>}
      {known && total > 0 && <Strip runs={runs} total={total} passed={passed} failed={failed} />}
      {(none || (known && total === 0)) && !busy && <p className="ui-second">This agent has no scenarios yet. Designers keep them in the drawer Tests.</p>}
      {!known && !none && <p className="ui-second">They have not been run on v{number}.</p>}
      {!live && results?.stale && <Note tone="warn">The scenarios have changed since this run. Run them again.</Note>}
      {suite.fault && <Note tone="bad">{suite.fault}</Note>}
      {suite.status === "cancelled" && <Note tone="warn">Stopped after {runs.length} of {total}.</Note>}
      <ul className="rv-failing">
        {runs.filter((run) => !run.ok).map((run) => (
          <li key={run.id}><CircleX size={14} aria-label="fails" /><span><b>{run.name}</b>{run.failures.slice(0, 2).map((failure) => <span key={`${failure.line} ${failure.message}`} className="ui-second">{lineWords(failure)}: {failure.message}</span>)}</span></li>
        ))}
      </ul>
      <div className="ui-row">
        {busy ? <Button size="sm" icon={Square} onClick={runner.cancel}>Stop</Button> : <Button size="sm" icon={Play} disabled={none} onClick={() => void runner.begin(results?.total ?? null)}>{known ? "Run again" : `Run on v${number}`}</Button>}
        {results && !live && <span className="ui-muted">{ago(results.at, now)}</span>}
        <span className="ui-grow" />
        {(results ?? suite.coverage) && <CheckLine label="Coverage on the chart" value={covering} onChange={onCover} />}
      </div>
    </section>
  );
}

function Covered({ rows, changes, places, coverage, onShow }: { rows: Draft; changes: readonly Change[]; places: readonly Id[][]; coverage: Coverage; onShow: (id: Id) => void }) {
  const cover = useMemo(() => coverOf(rows, coverage), [rows, coverage]);
  const ways = changes.flatMap((change, n) => (change.kind === "transition" && (change.change === "added" || change.change === "changed") ? (places[n] ?? []).slice(0, 1) : []));
  if (ways.length === 0) return null;
  const open = ways.filter((id) => cover.transitions.get(id) !== "full");
  return (
    <section className="rv-cardbox" aria-label="Changed transitions covered">
      <div className="ui-row"><h2>Changed transitions covered</h2><span className="ui-grow" /><b className="ui-num">{ways.length - open.length}/{ways.length}</b></div>
      <ul className="rv-list">
        {open.map((id) => {
          const row = rows.transitions.find((one) => one.id === id);
          return row && (
            <li key={id}><button type="button" className="rv-listbtn" onClick={() => onShow(id)}><CircleDashed size={14} aria-hidden /><span>{cover.transitions.get(id) === "part" ? "Only one side of the guard: " : "No scenario takes: "}{describeTransition(rows, row).replace("Transition from ", "")}</span></button></li>
          );
        })}
        {open.length === 0 && <li><span className="rv-listbtn"><Check size={14} aria-hidden />Each of them is taken by a scenario.</span></li>}
      </ul>
    </section>
  );
}

function CanHappen({ behaviour, onChoose }: { behaviour: Behaviour; onChoose: (index: number) => void }) {
  if (behaviour.scripts.length === 0) return null;
  return (
    <section className="rv-cardbox" aria-label="What goes another way">
      <div className="ui-row"><h2>Goes another way</h2><span className="ui-grow" /><Badge tone="warn" icon={AlertTriangle}>{behaviour.scripts.length} {behaviour.scripts.length === 1 ? "script" : "scripts"}</Badge></div>
      <ul className="rv-list">
        {behaviour.scripts.map((script, n) => (
          <li key={n}><button type="button" className="rv-listbtn" onClick={() => onChoose(n)}><Route size={14} aria-hidden /><span>{scriptName(script)}{script.parts_at > 0 && <span className="ui-muted"> at line {script.parts_at + 1}</span>}</span></button></li>
        ))}
      </ul>
    </section>
  );
}

interface Props {
  agentId: string;
  version: Version;
  active: number | null;
  who: Who;
  rows: Draft;
  changes: readonly Change[];
  places: readonly Id[][];
  runner: SuiteRunner;
  results: SuiteResults | null | undefined;
  behaviour: Behaviour | undefined;
  covering: boolean;
  onCover: (on: boolean) => void;
  onShow: (id: Id) => void;
  onChoose: (script: number) => void;
}

export function Evidence({ agentId, version, active, who, rows, changes, places, runner, results, behaviour, covering, onCover, onShow, onChoose }: Props) {
  const now = useNow(true);
  const coverage = runner.suite.coverage ?? results?.coverage;
  const kept = useQuery({ queryKey: ["agents", agentId, "scenarios"], queryFn: () => scenarios.list(agentId) });
  return (
    <div className="rv-evidence">
      <Standing version={version} active={active} who={who} now={now} />
      <Scenarios none={kept.data?.length === 0} runner={runner} results={results} required={version.evidence?.required ?? false} number={version.number} covering={covering} onCover={onCover} />
      {coverage && <Covered rows={rows} changes={changes} places={places} coverage={coverage} onShow={onShow} />}
      {behaviour && <CanHappen behaviour={behaviour} onChoose={onChoose} />}
    </div>
  );
}
