/** The selection and the open drawer are in the address, so that every place on the chart has a link. */
import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import { useStore } from "zustand";

import { indexOf, type Draft, type Subject } from "../../model";
import type { Desk, MarkStore } from "../../store";

function subjectFor(draft: Draft, id: string): Subject | null {
  const index = indexOf(draft);
  if (index.state.has(id)) return { kind: "state", id };
  if (index.transition.has(id)) return { kind: "transition", id };
  if (index.region.has(id)) return { kind: "region", id };
  return draft.slots.some((slot) => slot.id === id) ? { kind: "slot", id } : null;
}

export function useAddress(desk: Desk, marks: MarkStore, draft: Draft): void {
  const [params, setParams] = useSearchParams();
  const selection = useStore(desk.store, (state) => state.selection);
  const drawer = useStore(desk.store, (state) => state.drawer);
  const select = params.get("select");
  const wantedDrawer = params.get("drawer");
  const latest = useRef({ draft, select, wantedDrawer });
  useEffect(() => {
    latest.current = { draft, select, wantedDrawer };
  });

  // From the address to the desk, when someone came by a link or went back.
  useEffect(() => {
    const current = desk.store.getState().selection;
    if (select === null || current[current.length - 1]?.id === select) return;
    const subject = subjectFor(latest.current.draft, select);
    if (!subject) return;
    desk.select(subject);
    const timer = setTimeout(() => marks.focus(subject.id), 400);
    return () => clearTimeout(timer);
  }, [select, desk, marks]);
  useEffect(() => {
    desk.set({ drawer: wantedDrawer });
  }, [wantedDrawer, desk]);

  // From the desk to the address. What the desk holds now counts, not what it held when this was drawn:
  // the effects above may just have changed it, and the two would answer each other for ever.
  useEffect(() => {
    const { selection } = desk.store.getState();
    const last = selection.length === 1 ? (selection[0]?.id ?? null) : null;
    if (latest.current.select === last) return;
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (last) next.set("select", last);
        else next.delete("select");
        return next;
      },
      { replace: true },
    );
  }, [selection, desk, setParams]);
  useEffect(() => {
    const { drawer } = desk.store.getState();
    if (latest.current.wantedDrawer === drawer) return;
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (drawer) next.set("drawer", drawer);
        else next.delete("drawer");
        return next;
      },
      { replace: true },
    );
  }, [drawer, desk, setParams]);
}
