/** Keys and tool buttons of the chart: one table of what each command does. */
import { useCallback, useEffect, useRef, type RefObject } from "react";

import { indexOf, lanes, type Box, type Draft, type Id, type Operation, type Subject } from "../../model";
import type { Desk } from "../../store/desk";
import { newId } from "../../transport/http";
import { isTyping, useKeys } from "../../ui";
import { addNext, addRegion, addSibling, addStateSomewhere, drop, removeAll, tidied, walk } from "./acts";
import { clipOf, keepClip, keptClip, paste } from "./copies";
import { allStates } from "./elements";
import { commandOf, type Command } from "./keys";
import type { Point } from "./route";
import type { Acts } from "./Tools";
import type { Picture } from "./useGeometry";
import type { View } from "./useView";

interface Around {
  root: RefObject<HTMLDivElement | null>;
  draft: Draft;
  picture: Picture;
  desk: Desk;
  design: boolean;
  acts: Acts | null;
  view: View;
  edit(operations: readonly Operation[], label: string): void;
  tidy(): Promise<Map<Id, Box>>;
}

const DRAWS = new Set<unknown>(["undo", "redo", "delete", "rename", "addState", "next", "tidy", "help", "panels", "sibling", "cut", "paste", "duplicate"]);
/** Commands whose keys mean something else in a tree, a list or a form: only with the chart or nothing in focus. */
const everywhere = (command: Command): boolean =>
  typeof command === "string" && ["undo", "redo", "find", "fit", "actual", "help", "panels", "addState", "select", "hand", "tidy"].includes(command);

const elsewhere = (target: EventTarget | null, root: HTMLElement | null): boolean =>
  target instanceof HTMLElement && target !== document.body && !(root?.contains(target) ?? false);

function focusOn(id: Id): void {
  const drawn = `.react-flow__node[data-id="${id}"], .react-flow__edge[data-id="${id}"]`;
  requestAnimationFrame(() => document.querySelector<HTMLElement>(drawn)?.focus({ preventScroll: true }));
}

/** The region a new state goes into: that of the selection, else the first lane. */
function regionFor(draft: Draft, selection: readonly Subject[]): Id | null {
  const last = selection[selection.length - 1];
  const index = indexOf(draft);
  if (last?.kind === "region") return last.id;
  if (last?.kind === "state") return index.state.get(last.id)?.region ?? null;
  return lanes(draft)[0]?.id ?? null;
}

export function useCommands(around: Around): { run(command: Command): void; addRegion(): void } {
  const now = useRef(around);
  useEffect(() => {
    now.current = around;
  });

  /** Into view, once it is drawn: a name is not typed off the screen. */
  const bringIn = useCallback((id: Id) => {
    setTimeout(() => {
      const box = now.current.picture.absolute.get(id);
      if (box) now.current.view.show(box);
    }, 60);
  }, []);

  const startNaming = useCallback((id: Id) => {
    const { desk } = now.current;
    desk.select({ kind: "state", id });
    desk.set({ naming: id });
    bringIn(id);
  }, [bringIn]);

  const draw = useCallback(
    (command: Command): boolean => {
      const { draft, picture, desk, acts, edit, tidy, view } = now.current;
      const { selection } = desk.store.getState();
      const last = selection[selection.length - 1];
      switch (command) {
        case "undo":
          acts?.undo();
          return true;
        case "redo":
          acts?.redo();
          return true;
        case "delete": {
          if (selection.length === 0) return false;
          const operations = removeAll(draft, selection);
          edit(operations, selection.length === 1 ? `Delete ${last?.kind ?? ""}` : `Delete ${selection.length} things`);
          desk.select(null);
          return true;
        }
        case "rename":
          if (last?.kind === "state" || last?.kind === "region") desk.set({ naming: last.id });
          return last !== undefined;
        case "addState": {
          const region = regionFor(draft, selection);
          const id = newId();
          if (region) edit(addStateSomewhere(draft, picture, region, id), "Add state");
          else {
            const lane = newId();
            edit([...addRegion(draft, lane), { op: "state.add", id, region: lane, fields: { key: "start", label: "Start" } }, { op: "region.update", id: lane, fields: { initial: id } }], "Add state");
          }
          startNaming(id);
          return true;
        }
        case "next": {
          if (last?.kind !== "state") return false;
          const id = newId();
          edit(addNext(draft, picture, last.id, id, newId()), "Add next state");
          startNaming(id);
          return true;
        }
        case "sibling": {
          if (last?.kind !== "state") return false;
          const id = newId();
          edit(addSibling(draft, picture, last.id, id), "Add state");
          startNaming(id);
          return true;
        }
        case "cut": {
          const clip = clipOf(draft, picture, selection);
          if (!clip) return false;
          keepClip(clip);
          edit(removeAll(draft, selection), "Cut");
          desk.select(null);
          return true;
        }
        case "paste":
        case "duplicate": {
          const clip = command === "paste" ? keptClip() : clipOf(draft, picture, selection);
          const region = regionFor(draft, selection);
          if (!clip || !region) return false;
          const { operations, ids } = paste(draft, picture, clip, region, newId);
          edit(operations, command === "paste" ? "Paste" : "Duplicate");
          desk.selectAll(ids.map((id) => ({ kind: "state", id })));
          bringIn(ids[0] ?? "");
          return true;
        }
        case "tidy":
          void tidy().then((places) => {
            if (places.size > 0) edit(tidied(draft, places), "Tidy");
            setTimeout(() => now.current.view.fit(), 60);
          });
          return true;
        case "help":
          desk.set({ help: !desk.store.getState().help });
          return true;
        case "panels": {
          const { left, right } = desk.store.getState();
          desk.set({ left: !(left || right), right: !(left || right) });
          setTimeout(() => view.fit(), 60);
          return true;
        }
        default:
          return false;
      }
    },
    [startNaming, bringIn],
  );

  const look = useCallback((command: Command): boolean => {
    const { draft, picture, desk, view, design, edit } = now.current;
    const { selection } = desk.store.getState();
    const last = selection[selection.length - 1];
    if (typeof command === "object") {
      if ("nudge" in command) {
        if (!design) return false;
        const places = new Map<Id, Point>();
        for (const one of selection) {
          const box = one.kind === "state" ? picture.boxes.get(one.id) : undefined;
          if (box) places.set(one.id, { x: box.x + command.nudge.x, y: box.y + command.nudge.y });
        }
        edit(drop(draft, picture, places), "Nudge");
        return places.size > 0;
      }
      const from = last ?? ({ kind: "state", id: "" } as const);
      const initial = lanes(draft)[0]?.initial ?? draft.states[0]?.id;
      const next = last ? walk(draft, picture, from, command.walk) : initial ? ({ kind: "state", id: initial } as const) : null;
      if (!next) return last !== undefined;
      desk.select(next);
      const box = picture.absolute.get(next.id);
      if (box) view.show(box);
      focusOn(next.id);
      return true;
    }
    switch (command) {
      case "find":
        desk.set({ find: "" });
        return true;
      case "fit":
        view.fit();
        return true;
      case "actual":
        view.actual();
        return true;
      case "zoomIn":
        view.zoomBy(1.2);
        return true;
      case "zoomOut":
        view.zoomBy(1 / 1.2);
        return true;
      case "clear":
        desk.select(null);
        desk.set({ find: null });
        return false;
      case "copy": {
        // Words that are marked somewhere are what is meant.
        const clip = getSelection()?.isCollapsed === false ? null : clipOf(draft, picture, selection);
        if (clip) keepClip(clip);
        return clip !== null;
      }
      case "all":
        desk.selectAll(allStates(draft));
        return true;
      case "select":
      case "hand":
        desk.set({ tool: command });
        return true;
      default:
        return false;
    }
  }, []);

  const run = useCallback(
    (command: Command): boolean => (DRAWS.has(command) ? now.current.design && draw(command) : look(command)),
    [draw, look],
  );

  useKeys(
    useCallback(
      (event: KeyboardEvent) => {
        if (event.defaultPrevented || isTyping(event.target)) return false;
        const focused = event.target instanceof Element ? event.target.closest<HTMLElement>(".react-flow__node, .react-flow__edge") : null;
        if ((event.key === "Enter" || event.key === " ") && focused?.dataset.id && event.target === focused) {
          const { id } = focused.dataset;
          const index = indexOf(now.current.draft);
          const { selection } = now.current.desk.store.getState();
          const again = event.key === "Enter" && selection.length === 1 && selection[0]?.id === id;
          if (again && index.state.has(id)) return run("sibling");
          const kind = index.state.has(id) ? "state" : index.region.has(id) ? "region" : "transition";
          now.current.desk.select({ kind, id });
          return true;
        }
        const command = commandOf(event);
        if (command === null) return false;
        if (elsewhere(event.target, now.current.root.current) && !everywhere(command)) return false;
        if (document.querySelector('[role="dialog"][aria-modal="true"]')) return false;
        return run(command);
      },
      [run],
    ),
  );

  return {
    run: useCallback((command: Command) => void run(command), [run]),
    addRegion: useCallback(() => {
      const id = newId();
      now.current.edit(addRegion(now.current.draft, id), "Add region");
      now.current.desk.select({ kind: "region", id });
      now.current.desk.set({ naming: id });
    }, []),
  };
}
