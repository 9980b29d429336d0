/** The review of one version: what changed, on one chart; what speaks for it; what was said; and the decision. */
import "./review.css";

import { MessageCircle } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { useSearchParams } from "react-router";
import { useStore } from "zustand";

import type { Id, Subject } from "../../model/draft";
import type { Who } from "../../model/lifecycle";
import { coverOf } from "../../model/scenario";
import { createDesk } from "../../store/desk";
import { useSuite } from "../../store/suite";
import type { Version } from "../../transport/resources";
import { Badge, isTyping, Loading, Note, Tabs, useKeys } from "../../ui";
import { MarkStore } from "../canvas";
import { ChangeList } from "./ChangeList";
import { Comments } from "./Comments";
import { Decision } from "./Decision";
import { Evidence, useResults } from "./Evidence";
import { Pins } from "./Pins";
import { ReviewChart, type Playing } from "./ReviewChart";
import { SideBySide } from "./SideBySide";
import type { Me } from "./Thread";
import { threadsOf } from "./threads";
import { useBehaviour, useComments, useComparison, useMerged } from "./useReview";
import { Versions } from "./Versions";

type Page = "evidence" | "comments" | "versions";

interface Props {
  agentId: string;
  version: Version;
  /** The version it is held against; null for the first one. */
  before: Version | null;
  active: number | null;
  versions: readonly Version[];
  who: Who;
  two: boolean;
}

const kindOf = (rows: { states: { id: Id }[]; regions: { id: Id }[] }, id: Id): Subject["kind"] =>
  rows.states.some((row) => row.id === id) ? "state" : rows.regions.some((row) => row.id === id) ? "region" : "transition";

/** Which change is looked at: in the address, so that it can be sent on. Kept here too, so that a held key walks on. */
function useChange(count: number): { at: number; now: RefObject<number>; go: (index: number) => void } {
  const [params, setParams] = useSearchParams();
  const [asked, setAsked] = useState(() => Number(params.get("change") ?? 0) - 1);
  const at = Number.isInteger(asked) && asked >= 0 && asked < count ? asked : -1;
  const now = useRef(at);
  useEffect(() => {
    now.current = at;
  }, [at]);
  const go = useCallback((index: number) => {
    now.current = index;
    setAsked(index);
    setParams((before) => {
      if (index < 0) before.delete("change");
      else before.set("change", String(index + 1));
      return before;
    }, { replace: true });
  }, [setParams]);
  return { at, now, go };
}

export function ReviewScreen({ agentId, version, before, active, versions, who, two }: Props) {
  const number = version.number;
  const comparison = useComparison(agentId, before?.number ?? null, number);
  const behaviour = useBehaviour(agentId, before?.number ?? null, number);
  const picture = useMerged(before ?? undefined, version, comparison.data);
  const talk = useComments(agentId);
  const runner = useSuite(agentId, number);
  const results = useResults(agentId, number, runner.suite.status).data;
  const [desk] = useState(createDesk);
  const [marks] = useState(() => new MarkStore());
  const [page, setPage] = useState<Page>("evidence");
  const [script, setScript] = useState(0);
  const [playing, setPlaying] = useState<Playing | null>(null);
  const [covering, setCovering] = useState(false);
  const [thread, setThread] = useState<string | null>(null);
  const [writing, setWriting] = useState(0);
  const selected = useStore(desk.store, (state) => state.selection.at(-1)?.id ?? null);

  const changes = useMemo(() => picture?.changes ?? [], [picture]);
  const { at, now, go } = useChange(changes.length);
  const rows = version.rows;
  const threads = useMemo(() => (rows ? threadsOf(talk.comments, rows, version.anchors) : []), [talk.comments, rows, version.anchors]);
  const open = threads.filter((one) => !one.resolved).length;
  const coverage = runner.suite.coverage ?? results?.coverage;
  const cover = useMemo(() => (covering && coverage && rows ? coverOf(rows, coverage) : null), [covering, coverage, rows]);

  const show = useCallback((id: Id) => {
    if (picture) desk.select({ kind: kindOf(picture.merged.rows, id), id });
    marks.focus(id);
  }, [desk, marks, picture]);

  const choose = useCallback((index: number) => {
    go(index);
    const place = picture?.merged.places[index]?.[0];
    if (place) show(place);
    else desk.select(null);
  }, [go, picture, show, desk]);

  // Who comes by a link to a change sees it.
  const linked = picture?.merged.places[at]?.[0];
  useEffect(() => {
    if (!linked || desk.store.getState().selection.at(-1)?.id === linked) return;
    const timer = setTimeout(() => show(linked), 500);
    return () => clearTimeout(timer);
  }, [linked, desk, show]);

  useKeys(useCallback((event: KeyboardEvent) => {
    if (isTyping(event.target) || event.metaKey || event.ctrlKey || event.altKey) return false;
    const key = event.key.toLowerCase();
    if (key === "j" && changes.length > 0) choose(Math.min(changes.length - 1, now.current + 1));
    else if (key === "k" && changes.length > 0) choose(Math.max(0, now.current - 1));
    else if (key === "c") {
      setPage("comments");
      setWriting((n) => n + 1);
    } else return false;
    return true;
  }, [changes.length, now, choose]));

  const onSelect = useCallback((subject: Subject | null) => {
    if (!subject || !picture) return;
    const own = picture.merged.places[now.current] ?? [];
    if (own.includes(subject.id)) return;
    const index = picture.merged.places.findIndex((one) => one.includes(subject.id));
    if (index >= 0) go(index);
  }, [picture, now, go]);
  useEffect(() => desk.store.subscribe((state, was) => {
    if (state.selection !== was.selection) onSelect(state.selection.at(-1) ?? null);
  }), [desk, onSelect]);

  if (!rows || !picture) return <Loading what="Reading the version…" />;
  const me: Me = { id: who.id, roles: who.roles };
  const names = { before: before ? `v${before.number}${before.number === active ? " active" : ""}` : "", after: `v${number}` };
  const chartRows = [rows, ...(before?.rows ? [before.rows] : [])];
  return (
    <div className="rv">
      <ChangeList changes={changes} at={at} rows={chartRows} onGo={choose} foot={
        <footer className="rv-foot">
          {!before && <p className="ui-second">This is the first version: there is nothing to hold it against.</p>}
          <div className="ui-row"><span>Digest</span><span className="ui-grow" /><code title={version.digest}>{version.digest.slice(0, 4)}…{version.digest.slice(-4)}</code></div>
        </footer>
      } />
      <main className="rv-main" id="main">
        <h1 className="ui-sr">Review of {rows.agent.name}, version {number}</h1>
        <div className="rv-canvas">
          {comparison.error && <div className="rv-pad"><Note tone="bad">{comparison.error.message}</Note></div>}
          <ReviewChart before={before?.rows ?? null} after={rows} merged={picture.merged} desk={desk} marks={marks} two={two} playing={playing} cover={cover} names={names}
            above={(drawn) => <Pins threads={threads} picture={drawn} open={thread} onOpen={setThread} me={me} talk={talk} number={number} />} />
          {selected && me.roles.length > 0 && (
            <button type="button" className="ui-btn rv-commenthere" data-size="sm" onClick={() => { setPage("comments"); setWriting((n) => n + 1); }}><MessageCircle size={14} aria-hidden />Comment on this <kbd className="ui-key ui-hide-narrow">C</kbd></button>
          )}
        </div>
        {before?.rows && <SideBySide behaviour={behaviour.data} pending={behaviour.pending} error={behaviour.error} before={before.rows} after={rows} names={names} at={script} onChoose={setScript} onPlay={setPlaying} />}
      </main>
      <aside className="rv-right ui-panel" aria-label="Evidence and comments">
        <Tabs<Page> label="About this version" active={page} onChange={setPage} tabs={[
          { key: "evidence", label: "Evidence" },
          { key: "comments", label: "Comments", end: open },
          { key: "versions", label: "Versions", end: versions.length },
        ]} />
        <div className="rv-rightbody">
          {page === "evidence" && <Evidence agentId={agentId} version={version} active={active} who={who} rows={rows} changes={changes} places={picture.merged.places} runner={runner} results={results} behaviour={behaviour.data} covering={covering} onCover={setCovering} onShow={show} onChoose={setScript} />}
          {page === "comments" && <Comments threads={threads} rows={rows} selected={selected} me={me} talk={talk} number={number} writing={writing} onShow={(one) => { if (one.place) { show(one.place); setThread(one.id); } }} />}
          {page === "versions" && <Versions agentId={agentId} versions={versions} active={active} who={who} shown={number} />}
        </div>
      </aside>
      <div className="rv-thumbs ui-only-narrow">
        <Decision agentId={agentId} version={version} active={active} who={who} />
        {version.status === "active" && <Badge tone="ok">active</Badge>}
      </div>
    </div>
  );
}
