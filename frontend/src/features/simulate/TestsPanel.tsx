/** The scenarios of an Agent: kept, changed, run as a suite, and what they cover of the chart. */
import "./tests.css";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, CircleX, LoaderCircle, Play, Plus, Square, Trash2 } from "lucide-react";
import { useEffect, useMemo, useState } from "react";

import type { Draft, Json } from "../../model/draft";
import { coverOf, lineWords, type Scenario, type ScenarioRun } from "../../model/scenario";
import type { MarkStore } from "../../store/marks";
import { useSuite } from "../../store/suite";
import { scenarios } from "../../transport/scenarios";
import { told } from "../../transport/told";
import { ago, Badge, Button, CheckLine, EmptyState, IconButton, Loading, Note, useNow } from "../../ui";
import { JsonEditor } from "../../ui/JsonEditor";
import { formatScript, inWords, parseScript, type Line } from "./script";

interface Props {
  agentId: string;
  rows: Draft;
  marks: MarkStore;
  /** May change scenarios, not only run them. */
  edits: boolean;
  settled?: () => Promise<void>;
}

const keyOf = (agentId: string): string[] => ["agents", agentId, "scenarios"];

type Verdict = "ok" | "bad" | "open" | "running";
const look = { ok: { icon: CircleCheck, word: "passes" }, bad: { icon: CircleX, word: "fails" }, open: { icon: CircleDashed, word: "not run" }, running: { icon: LoaderCircle, word: "waits" } } as const;

function verdictOf(scenario: Scenario, run: ScenarioRun | undefined, waits: boolean): Verdict {
  if (run) return run.ok ? "ok" : "bad";
  if (waits) return "running";
  return scenario.last ? (scenario.last.ok ? "ok" : "bad") : "open";
}

function ListItem({ scenario, verdict, failing, on, onChoose }: { scenario: Scenario; verdict: Verdict; failing: string | null; on: boolean; onChoose: () => void }) {
  const { icon: Icon, word } = look[verdict];
  return (
    <li data-verdict={verdict} data-on={on || undefined}>
      <button type="button" aria-current={on ? "true" : undefined} onClick={onChoose}>
        <Icon size={14} className={verdict === "running" ? "ui-spin" : undefined} aria-label={word} />
        <span className="ui-grow" style={{ minWidth: 0 }}><span className="ui-trunc tests-name">{scenario.name}</span>{failing && <span className="ui-trunc tests-why">{failing}</span>}</span>
        <span className="ui-muted ui-num">{scenario.lines.length}</span>
      </button>
    </li>
  );
}

function slotsText(scenario: Scenario): string {
  if (Object.keys(scenario.slots).length === 0) return formatScript(scenario.lines);
  return `${JSON.stringify({ slots: scenario.slots, script: scenario.lines }, null, 2)}\n`;
}

/** One scenario: its name, its lines, and where it failed. */
function Detail({ agentId, scenario, run, edits, onRun, onGone }: { agentId: string; scenario: Scenario; run: ScenarioRun | undefined; edits: boolean; onRun: () => void; onGone: () => void }) {
  const client = useQueryClient();
  const now = useNow(true);
  const [name, setName] = useState(scenario.name);
  const [text, setText] = useState(() => slotsText(scenario));
  const [fault, setFault] = useState<string | null>(null);
  const changed = name.trim() !== scenario.name || text !== slotsText(scenario);
  const again = (): Promise<void> => client.invalidateQueries({ queryKey: keyOf(agentId) });
  const keep = useMutation({
    mutationFn: (body: { name: string; description: string; lines: Json[]; slots: { [slot: string]: Json } }) => scenarios.change(agentId, scenario.id, scenario.revision, body),
    onSuccess: again,
    onError: (error) => setFault(told(error)),
  });
  const remove = useMutation({
    mutationFn: () => scenarios.remove(agentId, scenario.id),
    onSuccess: () => { onGone(); void again(); },
    onError: (error) => setFault(told(error)),
  });
  function save(): void {
    const parsed = parseScript(text);
    if (!parsed.ok) return setFault(parsed.message);
    setFault(null);
    keep.mutate({ name: name.trim() || scenario.name, description: scenario.description, lines: parsed.lines as Json[], slots: parsed.slots ?? {} });
  }
  const line = (n: number): string => {
    const said = scenario.lines[n] as Line | undefined;
    return said ? inWords(said) : "";
  };
  return (
    <section className="tests-detail" aria-label={`Scenario ${scenario.name}`}>
      <div className="ui-row tests-head">
        <input className="ui-input" aria-label="Name of the scenario" value={name} maxLength={200} readOnly={!edits} onChange={(event) => setName(event.target.value)} />
        <Button size="sm" icon={Play} onClick={onRun} disabled={changed}>Run</Button>
        {edits && <Button size="sm" kind="primary" busy={keep.isPending} disabled={!changed} onClick={save}>Keep</Button>}
        {edits && <IconButton size="sm" icon={Trash2} label="Delete this scenario" onClick={() => remove.mutate()} />}
      </div>
      {fault && <Note tone="bad">{fault}</Note>}
      {run && !run.ok && (
        <Note tone="bad">
          {run.failures.map((failure) => <p key={`${failure.line} ${failure.message}`}><b>{lineWords(failure)}</b>{line(failure.line) && <> ({line(failure.line)})</>}: {failure.message}</p>)}
        </Note>
      )}
      {run?.ok && <Note tone="ok">Every expectation is met, in {run.steps} {run.steps === 1 ? "step" : "steps"}.</Note>}
      <div className="tests-editor"><JsonEditor label="Lines of the scenario, as JSON" value={text} onChange={edits ? setText : () => undefined} onRun={onRun} /></div>
      <p className="ui-muted tests-foot">Changed {ago(scenario.updated_at, now)}{scenario.last ? ` · last run ${ago(scenario.last.at, now)}${scenario.last.version === "draft" ? " on the draft" : ` on v${scenario.last.version}`}` : ""}</p>
    </section>
  );
}

/** `marks` are the chart's: coverage is drawn there while this panel is open and asked to. */
export function TestsPanel({ agentId, rows, marks, edits, settled }: Props) {
  const client = useQueryClient();
  const list = useQuery({ queryKey: keyOf(agentId), queryFn: () => scenarios.list(agentId) });
  const results = useQuery({ queryKey: ["agents", agentId, "results", "draft"], queryFn: () => scenarios.results(agentId, "draft") });
  const { suite, busy, begin, cancel } = useSuite(agentId, "draft");
  const [only, setOnly] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [covering, setCovering] = useState(false);
  const all = useMemo(() => list.data ?? [], [list.data]);
  const shown = all.find((one) => one.id === chosen) ?? all[0];
  const runs = useMemo(() => new Map(suite.runs.map((run) => [run.id, run])), [suite.runs]);
  const coverage = (only === null ? suite.coverage : null) ?? results.data?.coverage ?? null;

  useEffect(() => {
    if (!covering || !coverage) {
      marks.clear();
      return;
    }
    const cover = coverOf(rows, coverage);
    marks.show([...[...cover.states].map(([id, one]) => ["state", id, { cover: one }] as const), ...[...cover.transitions].map(([id, one]) => ["transition", id, { cover: one }] as const)]);
  }, [marks, rows, coverage, covering]);
  useEffect(() => () => marks.clear(), [marks]);
  useEffect(() => {
    if (suite.status === "done") void client.invalidateQueries({ queryKey: ["agents", agentId] });
  }, [client, agentId, suite.status]);

  async function run(id: string | null): Promise<void> {
    if (busy) return;
    setOnly(id);
    await settled?.();
    await begin(id === null ? all.length : 1, id === null ? undefined : [id]);
  }
  const add = useMutation({
    mutationFn: () => scenarios.create(agentId, { name: `Scenario ${all.length + 1}`, lines: [] }),
    onSuccess: (made) => { setChosen(made.id); void client.invalidateQueries({ queryKey: keyOf(agentId) }); },
  });

  const ran = suite.runs.length;
  const failed = suite.runs.filter((one) => !one.ok).length;
  const fault = suite.fault ?? (add.error ? told(add.error) : null);
  return (
    <div className="tests">
      <section className="tests-list" aria-label="Scenarios">
        <div className="ui-row tests-head">
          <b>Scenarios</b>
          <span role="status">{suite.status === "idle" ? null : busy ? <Badge tone="info">{ran} of {suite.total ?? all.length} ran</Badge>
            : suite.status === "cancelled" ? <Badge tone="warn">stopped after {ran}</Badge>
            : <Badge tone={failed > 0 ? "bad" : "ok"} icon={failed > 0 ? CircleX : CircleCheck}>{failed > 0 ? `${failed} of ${ran} fail` : `${ran} pass`}</Badge>}</span>
          <span className="ui-grow" />
          {edits && <IconButton size="sm" icon={Plus} label="New scenario" onClick={() => add.mutate()} />}
          {busy ? <Button size="sm" icon={Square} onClick={cancel}>Stop</Button> : <Button size="sm" kind="primary" icon={Play} disabled={all.length === 0} onClick={() => void run(null)}>Run all</Button>}
        </div>
        {fault && <Note tone="bad">{fault}</Note>}
        {list.isPending && <Loading what="Reading the scenarios…" />}
        {list.error && <Note tone="bad">{list.error.message}</Note>}
        {list.data && all.length === 0 && <EmptyState icon={CircleDashed} title="No scenarios yet">Make a dry run and press “Save as test”: its steps become what is expected. On a live Call the same button records the Call.</EmptyState>}
        <ul>
          {all.map((scenario) => {
            const one = runs.get(scenario.id);
            const verdict = verdictOf(scenario, one, busy && !one && (only === null || only === scenario.id));
            return <ListItem key={scenario.id} scenario={scenario} verdict={verdict} failing={one && !one.ok ? (one.failures[0]?.message ?? null) : null} on={scenario.id === shown?.id} onChoose={() => setChosen(scenario.id)} />;
          })}
        </ul>
        {coverage && (
          <div className="tests-cover">
            <CheckLine label="Coverage on the chart" value={covering} onChange={setCovering} />
            <span className="ui-muted ui-num">{coverage.missing.states.length} states, {coverage.missing.transitions.length} transitions not covered</span>
            {results.data?.stale && !suite.coverage && <Badge tone="warn" title="The chart or the scenarios have changed since the run">of an older run</Badge>}
          </div>
        )}
      </section>
      {shown ? <Detail key={`${shown.id} ${shown.revision}`} agentId={agentId} scenario={shown} run={runs.get(shown.id)} edits={edits} onRun={() => void run(shown.id)} onGone={() => setChosen(null)} /> : <div className="tests-detail" />}
    </div>
  );
}
