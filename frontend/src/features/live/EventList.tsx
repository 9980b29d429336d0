import { ArrowRight, Ban, Bot, Circle, Database, Flag, Hourglass, MessageSquare, Phone, Timer, Wrench, Zap, type LucideIcon } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import type { CallEvent } from "../../model/step";
import { Button, clock, EmptyState, secondsBetween } from "../../ui";
import { tell, type NameOf } from "./words";

const icons: Readonly<Record<string, LucideIcon>> = {
  "call.started": Flag, "call.ended": Phone, "turn.caller": MessageSquare, "turn.agent": Bot, "transition.taken": ArrowRight,
  "transition.refused": Ban, "slot.set": Database, "guard.error": Zap, "effect.error": Zap, "machine.limit_reached": Hourglass,
  "tool.requested": Wrench, "tool.result": Wrench, "timer.started": Timer, "timer.fired": Timer, "timer.cancelled": Timer,
};

const speaker: Readonly<Record<string, string>> = { "turn.caller": "Caller", "turn.agent": "Agent" };

interface RowProps {
  event: CallEvent;
  since: string | null;
  current: boolean;
  future: boolean;
  named: NameOf;
  hidden: ReadonlySet<string>;
  onGo: (seq: number) => void;
}

const Row = memo(function Row({ event, since, current, future, named, hidden, onGo }: RowProps) {
  const told = tell(event, named, hidden);
  const Icon = icons[event.type] ?? Circle;
  const who = speaker[event.type];
  return (
    <li data-tone={told.tone} data-future={future || undefined} aria-current={current ? "step" : undefined} data-seq={event.seq}>
      <button type="button" title={`#${event.seq} ${event.type} · ${event.at}`} onClick={() => onGo(event.seq)}>
        <span className="ui-num ui-muted">{clock(secondsBetween(since, event.at))}</span>
        <Icon size={13} aria-hidden />
        <span className={who ? "live-turn" : undefined} style={{ overflowWrap: "anywhere" }}>{who && <b>{who}</b>}{told.words}</span>
      </button>
    </li>
  );
});

const WINDOW = 400;

/** The Call's events in words. A click goes to that moment. Long Calls are drawn in windows around it. */
export function EventList({ events, at, named, hidden, onGo, following }: {
  events: readonly CallEvent[]; at: number; named: NameOf; hidden: ReadonlySet<string>; onGo: (seq: number) => void; following: boolean;
}) {
  const list = useRef<HTMLUListElement>(null);
  const first = events[0];
  const place = events.findIndex((event) => event.seq >= at);
  const middle = following || place < 0 ? events.length : place;
  const from = Math.max(0, Math.min(middle - WINDOW / 2, events.length - WINDOW));
  const shown = events.slice(from, from + WINDOW);

  useEffect(() => {
    const box = list.current;
    if (!box) return;
    if (following) {
      const toEnd = (): void => { box.scrollTop = box.scrollHeight; };
      const watcher = new ResizeObserver(toEnd);
      watcher.observe(box);
      toEnd();
      return () => watcher.disconnect();
    }
    box.querySelector(`[data-seq="${at}"]`)?.scrollIntoView({ block: "center" });
  }, [at, events.length, following]);

  if (!first) return <EmptyState title="No Call events yet">They come here as they happen, numbered from 1.</EmptyState>;
  return (
    <ul className="live-events" ref={list} aria-label="Call events">
      {from > 0 && <li><Button kind="ghost" size="sm" onClick={() => onGo(events[Math.max(0, from - 1)]?.seq ?? 1)}>{from} earlier</Button></li>}
      {shown.map((event) => (
        <Row key={event.seq} event={event} since={first.at} current={event.seq === at} future={event.seq > at} named={named} hidden={hidden} onGo={onGo} />
      ))}
    </ul>
  );
}
