import { Pause, Play, Radio, SkipBack, SkipForward } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { CallEvent } from "../../model/step";
import { Badge, Button, clock, IconButton, secondsBetween, Timeline, useNow, type TickShape } from "../../ui";
import { nextRefusal, tickOf, type Tick as Kind } from "./replay";

const shapes: Readonly<Record<Kind, TickShape>> = {
  transition: "triangle", refused: "refused", decision: "diamond", handoff: "arrows", limit: "hourglass", slot: "square", other: "dot",
};
const PACE_MS = 500;

interface Props {
  events: readonly CallEvent[];
  at: number;
  following: boolean;
  running: boolean;
  started: string;
  onGo: (seq: number) => void;
  onFollow: () => void;
}

/** Any past moment of a Call: one tick per event, from one refusal to the next, played, or following what happens now. */
export function Track({ events, at, following, running, started, onGo, onFollow }: Props) {
  const [playing, setPlaying] = useState(false);
  const first = events[0];
  const last = events.at(-1);
  const now = events.find((event) => event.seq === at);
  const ticks = useMemo(() => events.filter((event) => event.type !== "state.entered" && event.type !== "state.exited").map((event) => ({ at: event.seq, shape: shapes[tickOf(event)] })), [events]);

  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => {
      if (at >= (last?.seq ?? 0)) setPlaying(false);
      else onGo(at + 1);
    }, PACE_MS);
    return () => clearTimeout(timer);
  }, [playing, at, last?.seq, onGo]);

  const present = useNow(following && running);
  const before = nextRefusal(events, at, -1);
  const after = nextRefusal(events, at, 1);
  if (!first || !last) return null;

  function play(): void {
    if (!playing && at >= (last?.seq ?? 0)) onGo(first?.seq ?? 1);
    setPlaying(!playing);
  }

  return (
    <section className="live-track" aria-label="Replay">
      <div className="ui-row">
        <IconButton size="sm" icon={SkipBack} label="Refusal before" keys="," disabled={before === null} onClick={() => before !== null && onGo(before)} />
        <Button size="sm" icon={playing ? Pause : Play} onClick={play}>{playing ? "Pause" : "Replay"}</Button>
        <IconButton size="sm" icon={SkipForward} label="Next refusal" keys="." disabled={after === null} onClick={() => after !== null && onGo(after)} />
        <span className="ui-second ui-num">event {at} of {last.seq}</span>
        <span className="ui-grow" />
        {following ? <Badge tone={running ? "live" : "plain"} icon={Radio}>{running ? "following" : "at the end"}</Badge>
          : <Button size="sm" icon={Radio} onClick={() => { setPlaying(false); onFollow(); }}>{running ? "Follow again" : "To the end"}</Button>}
      </div>
      <Timeline tone="live" label="Moment of the Call" text={`event ${at} of ${last.seq}`} ticks={ticks} min={first.seq} max={last.seq} value={at} onChange={(seq) => { setPlaying(false); onGo(seq); }} />
      <div className="live-track-end ui-num">
        <span>0:00</span>
        <b style={{ color: "var(--live)" }}>{following && running ? `${clock(secondsBetween(started, new Date(present).toISOString()))} now` : clock(secondsBetween(first.at, now?.at ?? last.at))}</b>
      </div>
    </section>
  );
}
