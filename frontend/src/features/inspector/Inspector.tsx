/** The right panel: one page per kind of thing, the whole chart when nothing is selected. */
import "./inspector.css";

import { PanelRightClose } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";

import { indexOf, problemsById, subjectOf } from "../../model";
import { IconButton } from "../../ui";
import { ChartPage } from "./ChartPage";
import type { PageProps } from "./parts";
import { RegionPage } from "./RegionPage";
import { SlotPage } from "./SlotPage";
import { StatePage } from "./StatePage";
import { TransitionPage } from "./TransitionPage";

export type InspectorProps = Omit<PageProps, "problems">;

/** Puts the cursor into the field a problem is about. */
function useFieldFocus(desk: PageProps["desk"], root: React.RefObject<HTMLElement | null>): void {
  const wanted = useStore(desk.store, (state) => state.field);
  useEffect(() => {
    if (!wanted) return;
    const timer = setTimeout(() => {
      const [name] = wanted.field.split(".");
      const field =
        root.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(wanted.field)}"]`) ??
        root.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(name ?? "")}"]`);
      field?.scrollIntoView({ block: "center" });
      field?.focus();
    }, 80);
    return () => clearTimeout(timer);
  }, [wanted, root]);
}

function Page(props: InspectorProps) {
  const { draft, desk } = props;
  const selection = useStore(desk.store, (state) => state.selection);
  const byId = useMemo(() => problemsById(draft), [draft]);
  const own = useMemo(() => draft.problems.filter((problem) => subjectOf(problem) === null), [draft]);
  if (selection.length > 1) {
    return (
      <div className="in-many">
        <b className="ui-num">{selection.length}</b> things selected. Drag to move them, press Delete to remove them.
      </div>
    );
  }
  const [one] = selection;
  const problems = one ? (byId.get(one.id) ?? []) : own;
  const index = indexOf(draft);
  if (one?.kind === "state") {
    const state = index.state.get(one.id);
    if (state) return <StatePage key={state.id} state={state} {...props} problems={problems} />;
  }
  if (one?.kind === "transition") {
    const transition = index.transition.get(one.id);
    if (transition) return <TransitionPage key={transition.id} transition={transition} {...props} problems={problems} />;
  }
  if (one?.kind === "region") {
    const region = index.region.get(one.id);
    if (region) return <RegionPage key={region.id} region={region} {...props} problems={problems} />;
  }
  if (one?.kind === "slot") {
    const slot = draft.slots.find((row) => row.id === one.id);
    if (slot) return <SlotPage key={slot.id} slot={slot} {...props} problems={problems} />;
  }
  return <ChartPage {...props} problems={own} />;
}

export function Inspector(props: InspectorProps) {
  const root = useRef<HTMLElement>(null);
  useFieldFocus(props.desk, root);
  return (
    <aside ref={root} className="in" aria-label="Inspector">
      <span className="in-hide">
        <IconButton size="sm" icon={PanelRightClose} label="Hide the panel" onClick={() => props.desk.set({ right: false, sheet: "chart" })} />
      </span>
      <Page {...props} />
    </aside>
  );
}
