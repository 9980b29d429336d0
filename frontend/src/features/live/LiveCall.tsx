import "./live.css";
import { Hand, List, PhoneCall, PhoneOff, Workflow } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import type { Draft, Json, Slot } from "../../model/draft";
import { lookupOf } from "../../model/lookup";
import { may } from "../../model/roles";
import type { Call, CallEvent } from "../../model/step";
import { laneOf } from "../../model/tree";
import { EmptyState, isTyping, secondsBetween, Tabs, useKeys } from "../../ui";
import { Canvas, MarkStore } from "../canvas";
import { Act } from "./Act";
import { CallHead } from "./CallHead";
import { CallList } from "./CallList";
import { EventList } from "./EventList";
import { flashOf, litAt, type Lit } from "./marks";
import { momentAt, nextRefusal, type Moment } from "./replay";
import { shownValue } from "./slotValue";
import { Track } from "./Track";
import type { Feed } from "./useCall";
import { Why } from "./Why";
import { namesOf } from "./words";

type Sheet = "chart" | "events" | "act" | "calls";

const sheets = [
  { key: "chart", label: "Chart", icon: Workflow },
  { key: "events", label: "Events", icon: List },
  { key: "act", label: "Act", icon: Hand },
  { key: "calls", label: "Calls", icon: PhoneCall },
] as const satisfies readonly { key: Sheet; label: string; icon: typeof List }[];

const FRESH = 6;
/** The chart fits itself into its room when it opens; what is said before that is lost. */
const AFTER_FIT_MS = 1000;

/** Slots as they were at a moment. Now, the server's masked values are shown; in the past, sensitive ones are masked here. */
function Slots({ slots, moment, call, following, fresh }: { slots: readonly Slot[]; moment: Moment; call: Call; following: boolean; fresh: ReadonlySet<string> }) {
  const now = new Map(call.slots.map((slot) => [slot.key, slot]));
  const valueOf = (slot: Slot): Json => (following ? (now.get(slot.key)?.value ?? null) : (moment.slots[slot.key] ?? slot.default));
  const set = slots.filter((slot) => valueOf(slot) !== null).length;
  return (
    <section className="live-slots" aria-label="Slots">
      <div className="ui-panel-head" style={{ height: 36 }}>Slots <span className="ui-muted ui-num" style={{ fontWeight: 400 }}>{set} of {slots.length} set</span></div>
      <dl>
        {slots.map((slot) => {
          const value = valueOf(slot);
          const sensitive = slot.sensitive === true;
          return (
            <div key={slot.id} data-fresh={fresh.has(slot.key) || undefined}>
              <dt><code>{slot.key}</code></dt>
              <dd className={value === null ? "ui-muted" : "mono"}>{shownValue(value, sensitive)}</dd>
              <dd className="ui-muted" style={{ fontSize: 12 }}>{sensitive ? "masked" : ""}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

/** Longer than a key held down repeats: the address then says where one came to rest. */
const REST_MS = 250;

function askedFor(at: string | null): number | null {
  return at !== null && Number.isInteger(Number(at)) ? Number(at) : null;
}

/** The moment that is looked at: the newest while following, else the one someone chose (`?at=57`, so that it can be sent on). */
function useMoment(events: readonly CallEvent[]): { moment: Moment; following: boolean; go: (seq: number) => void; follow: () => void } {
  const [params, setParams] = useSearchParams();
  const [chosen, setChosen] = useState(() => askedFor(params.get("at")));
  const last = events.at(-1)?.seq ?? 0;
  const at = chosen === null ? last : Math.max(1, Math.min(chosen, last));
  const moment = useMemo(() => momentAt(events, at), [events, at]);
  const shown = useRef(chosen);
  useEffect(() => {
    if (shown.current === chosen) return;
    const timer = setTimeout(() => {
      shown.current = chosen;
      setParams((before) => {
        if (chosen === null) before.delete("at");
        else before.set("at", String(chosen));
        return before;
      }, { replace: true });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [chosen, setParams]);
  const follow = useCallback(() => setChosen(null), []);
  return { moment, following: chosen === null, go: setChosen, follow };
}

/** Keeps the chart's marks in step with the moment; new events flash as they come. */
function useMarks(call: Call, rows: Draft, events: readonly CallEvent[], moment: Moment, following: boolean): MarkStore {
  const [marks] = useState(() => new MarkStore());
  const lookup = useMemo(() => lookupOf(rows), [rows]);
  const flashed = useRef<number | null>(null);
  useEffect(() => {
    const running = call.status === "running";
    const now = events.find((event) => event.seq === moment.seq);
    const held = now && !following ? flashOf(now, rows, lookup).map(([kind, id, mark]): Lit => [kind, id, { ...mark, hold: true }]) : [];
    marks.show([...litAt(moment, rows, lookup, following && running ? call.allowed.events : null), ...held]);
    const from = flashed.current;
    flashed.current = moment.seq;
    if (from === null || from === moment.seq) return;
    const forward = moment.seq > from && moment.seq - from <= 24;
    const news = events.filter((event) => event !== now || following).filter((event) => (forward ? event.seq > from && event.seq <= moment.seq : event.seq === moment.seq));
    for (const event of news) for (const [kind, id, mark] of flashOf(event, rows, lookup)) marks.set(kind, id, mark);
    const entered = news.filter((event) => event.type === "state.entered").flatMap((event) => lookup.state.get(String(event.data.state)) ?? []);
    // The view goes with the speaker; an observer that moves beside it lights up where it is.
    const state = entered.filter(({ id }) => laneOf(rows, id)?.role === "speaker").at(-1);
    if (state) marks.focus(state.id);
  }, [marks, rows, lookup, events, moment, following, call.allowed.events, call.status]);
  const first = useRef(moment.active.at(-1));
  useEffect(() => {
    first.current = moment.active.at(-1);
  });
  // On a narrow screen the whole chart is too small to read: begin where the Call is.
  const begun = moment.active.length > 0;
  useEffect(() => {
    if (!begun || !matchMedia("(max-width: 760px)").matches) return;
    const timer = setTimeout(() => {
      const state = lookup.state.get(first.current ?? "");
      if (state) marks.focus(state.id);
    }, AFTER_FIT_MS);
    return () => clearTimeout(timer);
  }, [marks, lookup, begun]);
  return marks;
}

/** The refusal to explain: the event looked at, or the last thing that happened while following. */
function refusalAt(events: readonly CallEvent[], moment: Moment, following: boolean): CallEvent | null {
  const index = events.findIndex((event) => event.seq === moment.seq);
  const near = following ? events.slice(Math.max(0, index - 1), index + 1) : events.slice(index, index + 1);
  return near.filter((event) => event.type === "transition.refused").at(-1) ?? null;
}

/** One Call on its chart: what is active, what was taken and refused and why, and what may be done now. */
export function LiveCall({ call, rows, feed, roles }: { call: Call; rows: Draft; feed: Feed; roles: readonly string[] | undefined }) {
  const drives = may("calls.drive", roles ?? []);
  const { events } = feed;
  const { moment, following, go, follow } = useMoment(events);
  const marks = useMarks(call, rows, events, moment, following);
  const named = useMemo(() => namesOf(rows.states), [rows]);
  const hidden = useMemo(() => new Set(rows.slots.filter((slot) => slot.sensitive === true).map((slot) => slot.key)), [rows]);
  const fresh = useMemo(() => new Set(events.filter((event) => event.type === "slot.set" && event.seq <= moment.seq && event.seq > moment.seq - FRESH).map((event) => String(event.data.slot))), [events, moment.seq]);
  const [sheet, setSheet] = useState<Sheet>("chart");
  const [log, setLog] = useState<"events" | "turns">("events");
  const [putAway, setPutAway] = useState<number | null>(null);
  const refusal = refusalAt(events, moment, following);
  const open = following ? [...call.allowed.proposals, ...call.allowed.events].filter((one) => one.allowed).map((one) => named(one.target ?? one.key)) : [];
  const spent = { ...moment.counters, seconds: secondsBetween(call.started_at, moment.at) };
  const turns = useMemo(() => events.filter((event) => event.type.startsWith("turn.")), [events]);

  useKeys(useCallback((event: KeyboardEvent) => {
    if (isTyping(event.target) || event.metaKey || event.ctrlKey) return false;
    const seq = event.key === "," ? nextRefusal(events, moment.seq, -1) : event.key === "." ? nextRefusal(events, moment.seq, 1) : null;
    if (seq === null) return false;
    go(seq);
    return true;
  }, [events, moment.seq, go]));

  return (
    <div className="live" data-sheet={sheet}>
      <CallList agentId={call.agent.id} current={call.id} />
      <main className="live-main" id="main">
        <h1 className="ui-sr">Call {call.id.slice(-6)} of {call.agent.name}</h1>
        <CallHead call={call} moment={moment} named={named} following={following} drives={drives} records={may("scenarios.record", roles ?? [])} />
        <div className="live-canvas">
          <Canvas draft={rows} mode="watch" marks={marks} spent={spent} />
          {refusal && refusal.seq !== putAway && <Why event={refusal} named={named} hidden={hidden} open={[...new Set(open)]} onClose={() => setPutAway(refusal.seq)} />}
        </div>
        <Track events={events} at={moment.seq} following={following} running={call.status === "running"} started={call.started_at} onGo={go} onFollow={follow} />
      </main>
      <div className="live-right ui-panel" data-edge="left">
        {call.status === "running" && drives && <Act call={call} slots={rows.slots} named={named} />}
        {call.status === "running" && roles && !drives && <section className="live-act" aria-label="Allowed now"><p className="ui-second">You watch this Call. Support, designers and admins can send something into it or end it.</p></section>}
        {call.status !== "running" && sheet === "act" && <section className="live-act" aria-label="Allowed now"><EmptyState icon={PhoneOff} title="This Call is over">Nothing can be sent into it any more{call.outcome ? `. Outcome: ${call.outcome}` : ""}.</EmptyState></section>}
        <section className="live-log" aria-label="What happened">
          <Tabs label="What happened" active={log} onChange={setLog} tabs={[{ key: "events", label: "Events", end: events.length }, { key: "turns", label: "Turns", end: turns.length }]} />
          <EventList events={log === "turns" ? turns : events} at={moment.seq} named={named} hidden={hidden} onGo={go} following={following} />
        </section>
        {rows.slots.length > 0 && <Slots slots={rows.slots} moment={moment} call={call} following={following} fresh={fresh} />}
      </div>
      <nav className="live-tabs" aria-label="Parts of this Call">
        {sheets.map(({ key, label, icon: Icon }) => <button key={key} type="button" aria-pressed={sheet === key} onClick={() => setSheet(key)}><Icon size={20} aria-hidden />{label}</button>)}
      </nav>
    </div>
  );
}
