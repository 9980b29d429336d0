/** Threads pinned to what they are about; the open one is beside its pin. */
import { X } from "lucide-react";
import { useEffect, useRef } from "react";

import type { Id } from "../../model/draft";
import { IconButton } from "../../ui";
import { useToScreen, type Picture } from "../canvas";
import { ThreadView, type Me } from "./Thread";
import type { Thread } from "./threads";
import type { Talk } from "./useReview";

const CARD = 300;
const EDGE = 8;

function cornerOf(place: Id, picture: Picture): { x: number; y: number } | null {
  const box = picture.absolute.get(place);
  if (box) return { x: box.x + box.w, y: box.y + Math.min(box.h, 400) };
  const label = picture.routes.get(place)?.label;
  return label ? { x: label.x + 40, y: label.y + 16 } : null;
}

interface Props {
  threads: readonly Thread[];
  picture: Picture;
  open: string | null;
  onOpen: (thread: string | null) => void;
  me: Me;
  talk: Talk;
  number: number;
}

export function Pins({ threads, picture, open, onOpen, me, talk, number }: Props) {
  const toScreen = useToScreen();
  const layer = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLElement>(null);
  const shown = threads.filter((thread) => thread.place !== null && (!thread.resolved || thread.id === open));
  const byPlace = new Map<Id, Thread[]>();
  for (const thread of shown) byPlace.set(thread.place ?? "", [...(byPlace.get(thread.place ?? "") ?? []), thread]);
  const opened = shown.find((thread) => thread.id === open);

  useEffect(() => {
    if (open) card.current?.focus({ preventScroll: true });
  }, [open]);

  const room = { w: layer.current?.clientWidth ?? 900, h: layer.current?.clientHeight ?? 600 };
  const corner = opened?.place ? cornerOf(opened.place, picture) : null;
  const at = corner && toScreen(corner);
  return (
    <div className="rv-pins" ref={layer}>
      {[...byPlace].map(([place, own]) => {
        const point = cornerOf(place, picture);
        if (!point) return null;
        const { x, y } = toScreen(point);
        const count = own.reduce((sum, thread) => sum + thread.comments.length, 0);
        const mine = own.find((thread) => thread.id === open) ?? own[0];
        const next = own[(own.findIndex((thread) => thread.id === open) + 1) % own.length] ?? own[0];
        return (
          <button key={place} type="button" className="rv-pin" style={{ left: x, top: y }} aria-expanded={own.some((thread) => thread.id === open)}
            aria-label={`${count} ${count === 1 ? "comment" : "comments"} on ${mine?.about ?? ""}`} onClick={() => onOpen(mine?.id === open && next?.id === open ? null : (next?.id ?? null))}>{count}</button>
        );
      })}
      {opened && at && (
        <section ref={card} tabIndex={-1} className="rv-card nowheel" aria-label={`Comments on ${opened.about}`} onKeyDown={(event) => { if (event.key === "Escape") onOpen(null); }}
          style={{ left: Math.max(EDGE, Math.min(at.x + 12, room.w - CARD - EDGE)), top: Math.max(EDGE, Math.min(at.y + 12, room.h - 240)), width: CARD }}>
          <div className="ui-row"><span className="ui-grow ui-trunc ui-muted">{opened.about}</span><IconButton size="sm" icon={X} label="Close" onClick={() => onOpen(null)} /></div>
          <ThreadView thread={opened} me={me} talk={talk} number={number} />
        </section>
      )}
    </div>
  );
}
