/** What lies on one person's desk: selection, tool, which panels are open. Nothing of it is anyone else's business. */
import { createStore, type StoreApi } from "zustand/vanilla";

import type { Id, Subject } from "../model";
import type { Person } from "../transport";

export type Tool = "select" | "hand";
export type Sheet = "chart" | "outline" | "inspector" | "drawer";

export interface DeskState {
  /** Selected things, the one acted on last at the end. */
  selection: readonly Subject[];
  tool: Tool;
  left: boolean;
  right: boolean;
  drawer: string | null;
  /** The state or region whose name is being typed on the canvas. */
  naming: Id | null;
  /** The inspector field to put the cursor into, after a click on a problem. */
  field: { id: Id; field: string; at: number } | null;
  /** The inspector field that has the cursor, as `<row id>.<field>`. */
  typing: string | null;
  /** Who else is here. */
  people: readonly Person[];
  find: string | null;
  help: boolean;
  /** On a narrow screen: which sheet is up. */
  sheet: Sheet;
}

export interface Desk {
  store: StoreApi<DeskState>;
  select(subject: Subject | null): void;
  /** Adds to the selection, or takes out of it. */
  toggle(subject: Subject): void;
  selectAll(subjects: readonly Subject[]): void;
  set(change: Partial<DeskState>): void;
  /** Selects and puts the cursor into that field of the inspector. */
  goTo(subject: Subject, field: string | null): void;
}

export const isSelected = (selection: readonly Subject[], id: Id): boolean => selection.some((one) => one.id === id);

export function createDesk(): Desk {
  const store = createStore<DeskState>(() => ({
    selection: [],
    tool: "select",
    left: true,
    right: true,
    drawer: null,
    naming: null,
    field: null,
    typing: null,
    people: [],
    find: null,
    help: false,
    sheet: "chart",
  }));
  const selectAll = (selection: readonly Subject[]): void => store.setState({ selection });
  return {
    store,
    selectAll,
    select: (subject) => selectAll(subject ? [subject] : []),
    toggle(subject) {
      const { selection } = store.getState();
      selectAll(
        isSelected(selection, subject.id)
          ? selection.filter((one) => one.id !== subject.id)
          : [...selection, subject],
      );
    },
    set: (change) => store.setState(change),
    goTo(subject, field) {
      const at = (store.getState().field?.at ?? 0) + 1;
      store.setState({ selection: [subject], right: true, field: field ? { id: subject.id, field, at } : null });
    },
  };
}
