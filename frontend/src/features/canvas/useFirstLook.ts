/** What is seen of a chart when it is opened. */
import { useEffect, useRef, type RefObject } from "react";

import { indexOf, laneOf, lanes, type Box, type Draft, type Id, type Subject } from "../../model";
import type { Desk } from "../../store/desk";
import type { MarkStore } from "../../store/marks";
import type { Picture } from "./useGeometry";
import { NARROW, type View } from "./useView";

/**
 * What the first look is centred on. Where a chart is drawn, a small screen begins at what is selected, else at the
 * start; where one is watched, at the state of the speaker lane that is active.
 */
export function focusOf(
  draft: Draft,
  picture: Picture,
  selection: readonly Subject[],
  lit: (state: Id) => boolean,
  design: boolean,
): Box | undefined {
  const narrow = typeof innerWidth === "number" && innerWidth < NARROW;
  if (design && !narrow) return undefined;
  const index = indexOf(draft);
  const leaves = draft.states.filter((state) => !index.regionsOf.has(state.id) && lit(state.id));
  const speaking = leaves.find((state) => laneOf(draft, state.id)?.role === "speaker");
  const lane = lanes(draft)[0];
  const initial = narrow ? lane?.initial : undefined;
  for (const id of [selection[selection.length - 1]?.id, speaking?.id ?? leaves[0]?.id, initial]) {
    const box = picture.absolute.get(id ?? "");
    if (box) return box;
  }
  return undefined;
}

interface Around {
  draft: Draft;
  picture: Picture;
  view: View;
  marks: MarkStore;
  desk: Desk;
  design: boolean;
  /** The chart can be moved now. */
  begun: boolean;
}

/**
 * The first look: when there is something to see; again when the layouter has answered and when a watched chart is
 * lit for the first time, unless somebody has begun to look around by then (set the ref to say so).
 */
export function useFirstLook({ draft, picture, view, marks, desk, design, begun }: Around): RefObject<boolean> {
  const touched = useRef(false);
  const looked = useRef("");
  useEffect(() => {
    if (!begun || touched.current) return;
    const lit = (id: Id): boolean => marks.get("state", id).active !== undefined;
    const look = (): void => {
      const focus = focusOf(draft, picture, desk.store.getState().selection, lit, design);
      const seen = `${draft.agent.id} ${picture.ready} ${!design && draft.states.some((state) => lit(state.id))}`;
      if (touched.current || looked.current === seen || looked.current.startsWith(`${draft.agent.id} true true`)) return;
      looked.current = seen;
      view.begin(focus, picture.absolute.get(lanes(draft)[0]?.id ?? ""));
    };
    look();
    if (design) return;
    // Marks come one by one: look when all that is lit now has been said.
    const soon = (): void => queueMicrotask(look);
    const stops = draft.states.map((state) => marks.subscribe("state", state.id, soon));
    return () => stops.forEach((stop) => stop());
  }, [begun, picture, view, draft, marks, desk, design]);
  return touched;
}
