import "./simulate.css";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { BookOpen, Check, ChevronLeft, ChevronRight, FlaskConical, Pause, Play, Plus, RotateCcw, Square } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Draft, Json } from "../../model/draft";
import { lookupOf } from "../../model/lookup";
import { nameOf } from "../../model/names";
import { recordedLines } from "../../model/scenario";
import type { Mark, MarkKind, MarkStore } from "../../store/marks";
import { api } from "../../transport/resources";
import { scenarios } from "../../transport/scenarios";
import { told } from "../../transport/told";
import { Badge, Button, EmptyState, hasMod, IconButton, Menu, mod, Note, Timeline, toast, useKeys, type Tick } from "../../ui";
import { JsonEditor } from "../../ui/JsonEditor";
import { formatScript, inWords, parseScript, suggestionsOf, withLine, type Line } from "./script";
import { StepDetail } from "./StepDetail";
import { StepList } from "./StepList";
import { marksOf, toneOf, whereIn, whereIs, type StepTone } from "./steps";
import { useDryRun, type Run } from "./useDryRun";

interface Props {
  agentId: string;
  version: number | "draft";
  /** The chart that is shown and run. */
  rows: Draft;
  marks: MarkStore;
  /** May keep a run as a scenario. */
  records?: boolean;
  /** Waits until what is on the screen is on the server; the run then sees the same chart. */
  settled?: () => Promise<void>;
}

const PACE_MS = 700;
const shapeOf: Readonly<Record<StepTone, Tick["shape"]>> = { moved: "triangle", refused: "refused", unmet: "refused", quiet: "dot" };

/** The script someone wrote for this agent, kept in this browser. */
function useScript(agentId: string): [string, (text: string) => void] {
  const key = `callchart.script.${agentId}`;
  const [text, setText] = useState(() => localStorage.getItem(key) ?? formatScript([]));
  const keep = useCallback((next: string) => {
    setText(next);
    localStorage.setItem(key, next);
  }, [key]);
  return [text, keep];
}

/** Which step is shown: the newest one while it runs, until someone chooses. */
function useCursor(run: Run): { at: number; go: (index: number) => void; playing: boolean; play: (on: boolean) => void } {
  const [chosen, setChosen] = useState<number | null>(null);
  const [playing, setPlaying] = useState(false);
  const last = run.steps.length - 1;
  const at = Math.min(chosen ?? last, last);

  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => {
      if (at >= last) setPlaying(false);
      else setChosen(at + 1);
    }, PACE_MS);
    return () => clearTimeout(timer);
  }, [playing, at, last]);

  return {
    at,
    go: setChosen,
    playing,
    play: (on) => {
      if (on && at >= last) setChosen(run.start ? -1 : 0);
      setPlaying(on);
    },
  };
}

function showOn(marks: MarkStore, rows: Draft, run: Run, at: number): void {
  const lookup = lookupOf(rows);
  const lit: [MarkKind, string, Mark][] = [];
  if (at < 0) {
    for (const key of run.start?.active ?? []) {
      const state = lookup.state.get(key);
      if (state) lit.push(["state", state.id, { active: "sim" }]);
    }
    marks.show(lit);
    return;
  }
  const now = marksOf(run.steps, at, lookup);
  for (const [id, visited] of now.visited) lit.push(["state", id, { visited }]);
  for (const id of now.active) lit.push(["state", id, { active: "sim" }]);
  for (const id of now.taken) lit.push(["transition", id, { flash: "taken", visited: 1, hold: true }]);
  for (const id of now.refused) lit.push(["transition", id, { flash: "refused", hold: true }]);
  for (const id of now.failed) lit.push(["transition", id, { flash: "error", hold: true }]);
  marks.show(lit);
  const here = whereIs(rows, lookup, run.steps[at]?.active ?? [])?.id ?? now.entered;
  if (here) marks.focus(here);
}

function AddLine({ rows, onAdd }: { rows: Draft; onAdd: (line: Line) => void }) {
  const offers = useMemo(() => suggestionsOf(rows), [rows]);
  const groups = [["Proposals of the model", offers.proposals], ["Slots", offers.slots], ["Turns, time, expectations", offers.others]] as const;
  return (
    <div className="sim-add">
      {offers.events.slice(0, 12).map((offer) => <Button key={offer.label} size="sm" onClick={() => onAdd(offer.line)}>{offer.label}</Button>)}
      <Menu position="top-start">
        <Menu.Target><Button size="sm" icon={Plus}>Add a line</Button></Menu.Target>
        <Menu.Dropdown mah={340} style={{ overflow: "auto" }}>
          {offers.events.length > 12 && <><Menu.Label>Events</Menu.Label>{offers.events.slice(12).map((offer) => <Menu.Item key={offer.label} onClick={() => onAdd(offer.line)}>{offer.label}</Menu.Item>)}</>}
          {groups.map(([title, lines]) => lines.length > 0 && (
            <div key={title}>
              <Menu.Label>{title}</Menu.Label>
              {lines.map((offer) => <Menu.Item key={offer.label} onClick={() => onAdd(offer.line)}>{offer.label}</Menu.Item>)}
            </div>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

/** The scripts that ship with the template this agent has its key from. */
function Examples({ agentKey, onChoose }: { agentKey: string; onChoose: (lines: Line[]) => void }) {
  const templates = useQuery({ queryKey: ["templates"], queryFn: api.templates, staleTime: Number.POSITIVE_INFINITY });
  const scripts = templates.data?.find((one) => one.key === agentKey)?.scripts ?? [];
  if (scripts.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target><Button size="sm" kind="ghost" icon={BookOpen}>Examples</Button></Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>In the place of what stands here</Menu.Label>
        {scripts.map(({ name, lines }) => (
          <Menu.Item key={name} rightSection={<span className="ui-muted">{lines.length} lines</span>} onClick={() => onChoose(lines as Line[])}>{name.replaceAll("_", " ")}</Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Verdict({ run }: { run: Run }) {
  if (run.status === "asking") return <Badge tone="info">waiting for the worker</Badge>;
  if (run.status === "running") return <Badge tone="info">{run.steps.length} steps so far</Badge>;
  if (run.status === "cancelled") return <Badge tone="warn">stopped</Badge>;
  if (run.status !== "done") return null;
  const refused = run.steps.filter((step) => step.refusal).length;
  const unmet = run.steps.filter((step) => step.expectation?.met === false).length;
  return <>
    <Badge tone={unmet > 0 ? "bad" : "ok"}>{unmet > 0 ? `${unmet} not as expected` : `${run.steps.length} ${run.steps.length === 1 ? "step" : "steps"}`}</Badge>
    {refused > 0 && <Badge tone="bad">{refused} refused</Badge>}
  </>;
}

/** What was run becomes a scenario that expects what came of it, by one click. */
function SaveAsTest({ agentId, rows, run }: { agentId: string; rows: Draft; run: Run }) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const first = run.steps.find((step) => !("expect" in step.input));
      const end = whereIn(rows, lookupOf(rows), run.steps.at(-1)?.active ?? []);
      const name = `${first ? inWords(first.input) : "Start"}${end ? ` → ${end}` : ""}`.slice(0, 200);
      return scenarios.create(agentId, { name, lines: recordedLines(rows, run.steps), slots: run.start?.slots ? given(rows, run.start.slots) : {} });
    },
    onSuccess: (made) => {
      toast("ok", "Saved as test", `“${made.name}” is in the drawer Tests.`);
      void client.invalidateQueries({ queryKey: ["agents", agentId, "scenarios"] });
    },
    onError: (error) => toast("bad", "It was not saved", told(error)),
  });
  return <Button size="sm" icon={save.isSuccess ? Check : FlaskConical} busy={save.isPending} disabled={save.isSuccess} onClick={() => save.mutate()}>{save.isSuccess ? "Saved" : "Save as test"}</Button>;
}

/** The slots a run was started with: those that do not hold their default. */
function given(rows: Draft, slots: { [slot: string]: Json }): { [slot: string]: Json } {
  const first = new Map(rows.slots.map((slot) => [slot.key, slot.default]));
  return Object.fromEntries(Object.entries(slots).filter(([key, value]) => value !== null && JSON.stringify(value) !== JSON.stringify(first.get(key) ?? null)));
}

/** The dry run: a script on the left, its steps in the middle, one step in full on the right; the chart shows that step. */
export function SimulatePanel({ agentId, version, rows, marks, records = false, settled }: Props) {
  const [text, setText] = useScript(agentId);
  const { run, begin, cancel, forget } = useDryRun(agentId, version);
  const cursor = useCursor(run);
  const { go } = cursor;
  const [fault, setFault] = useState<string | null>(null);
  const names = useMemo(() => new Map(rows.states.map((state) => [state.key, nameOf(state)])), [rows]);
  const lookup = useMemo(() => lookupOf(rows), [rows]);
  const busy = run.status === "asking" || run.status === "running";
  const latestRows = useRef(rows);

  useEffect(() => {
    latestRows.current = rows;
  });
  useEffect(() => {
    if (run.steps.length === 0 && !run.start) marks.clear();
    else showOn(marks, latestRows.current, run, cursor.at);
  }, [marks, run, cursor.at]);
  useEffect(() => () => marks.clear(), [marks]);

  const start = useCallback(async () => {
    const parsed = parseScript(text);
    const empty = parsed.ok && parsed.lines.length === 0 ? "The script has no lines yet. Add one with the buttons below it." : null;
    setFault(parsed.ok ? empty : parsed.message);
    if (!parsed.ok || empty || busy) return;
    go(Number.POSITIVE_INFINITY);
    await settled?.();
    await begin({ events: parsed.lines as Json[], ...(parsed.slots ? { slots: parsed.slots } : {}), ...(parsed.at ? { at: parsed.at } : {}) });
  }, [text, busy, settled, begin, go]);

  useEffect(() => {
    const asked = `callchart.play.${agentId}`;
    if (sessionStorage.getItem(asked) === null) return;
    sessionStorage.removeItem(asked);
    void start();
  }, [agentId, start]);

  useKeys(useCallback((event: KeyboardEvent) => {
    if (event.key !== "Enter" || !hasMod(event)) return false;
    void start();
    return true;
  }, [start]));

  const step = run.steps[cursor.at];
  const ticks = useMemo(() => run.steps.map((one, index): Tick => ({ at: index, shape: shapeOf[toneOf(one)], alarm: one.expectation?.met === false })), [run.steps]);
  const first = run.start ? -1 : 0;
  const last = run.steps.length - 1;

  return (
    <div className="sim">
      <section className="sim-script" aria-label="Script">
        <div className="sim-head">
          <b>Script</b><span className="ui-grow" />
          <Examples agentKey={rows.agent.key} onChoose={(lines) => setText(formatScript(lines))} />
          {busy ? <Button size="sm" icon={Square} onClick={cancel}>Stop</Button> : <Button size="sm" kind="primary" icon={Play} onClick={() => void start()}>Run <kbd className="ui-key ui-hide-narrow">{mod}↵</kbd></Button>}
        </div>
        <div className="sim-editor"><JsonEditor label="Script, as JSON" value={text} onChange={setText} onRun={() => void start()} /></div>
        <AddLine rows={rows} onAdd={(line) => setText(withLine(text, line))} />
      </section>
      <section className="sim-run" aria-label="Run">
        <div className="sim-head">
          <b>Steps</b><Verdict run={run} /><span className="ui-grow" />
          {records && run.status === "done" && run.steps.length > 0 && <SaveAsTest agentId={agentId} rows={rows} run={run} />}
          <IconButton size="sm" icon={ChevronLeft} label="Step before" disabled={cursor.at <= first} onClick={() => go(cursor.at - 1)} />
          <IconButton size="sm" icon={cursor.playing ? Pause : Play} label={cursor.playing ? "Pause" : "Play the steps"} disabled={last < 0} onClick={() => cursor.play(!cursor.playing)} />
          <IconButton size="sm" icon={ChevronRight} label="Next step" disabled={cursor.at >= last} onClick={() => go(cursor.at + 1)} />
          <IconButton size="sm" icon={RotateCcw} label="Clear the run" disabled={run.status === "idle"} onClick={forget} />
        </div>
        {(fault ?? run.fault) && <div className="sim-fault"><Note tone="bad">{fault ?? run.fault}</Note></div>}
        {run.steps.length === 0 && !run.start && !fault && !run.fault && (
          <EmptyState icon={Play} title={busy ? "The steps come here" : "Nothing has run yet"}>
            {busy ? "The first one lights up the chart." : `Add lines with the buttons, then press Run (${mod}↵). Each step shows what moved, what was refused and why.`}
          </EmptyState>
        )}
        {(run.steps.length > 0 || run.start) && (
          <div className="sim-result">
            <StepList steps={run.steps} selected={cursor.at} onSelect={go} hasStart={run.start !== null} whereOf={(active) => whereIn(rows, lookup, active)} />
            {step ? <StepDetail step={step} before={run.steps[cursor.at - 1]?.slots ?? run.start?.slots} nameOf={(key) => names.get(key) ?? key} />
              : <div className="sim-detail ui-muted">Before the first line: {(run.start?.active ?? []).map((key) => names.get(key) ?? key).join(", ")}</div>}
          </div>
        )}
        {run.steps.length > 0 && (
          <div className="sim-slider">
            <Timeline label="Step" text={step ? `step ${cursor.at + 1} of ${run.steps.length}` : "start"} ticks={ticks} min={first} max={last} value={cursor.at} onChange={go} />
          </div>
        )}
      </section>
    </div>
  );
}
