/** The right panel: one page per kind of thing, the whole chart when nothing is selected. */
import "./inspector.css";

import { PanelRightClose } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";

import { indexOf, problemsById, subjectOf } from "../../model";
import { atRow, colourOf, facesOf, hueOfPerson, nameOfPerson, typingIn } from "../../store";
import { Faces, IconButton } from "../../ui";
import { ChartPage } from "./ChartPage";
import type { PageProps } from "./parts";
import { RegionPage } from "./RegionPage";
import { SlotPage } from "./SlotPage";
import { StatePage } from "./StatePage";
import { TransitionPage } from "./TransitionPage";

/** What the page of the whole chart is called where rows go by id. */
const CHART = "chart";

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
      for (let around = field?.closest("details"); around; around = around.parentElement?.closest("details")) around.open = true;
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

/** Says which field has the cursor here, and shows which ones others are typing in. */
function useTypists(desk: PageProps["desk"], root: React.RefObject<HTMLElement | null>): { onFocus(event: React.FocusEvent): void; onBlur(): void } {
  const people = useStore(desk.store, (state) => state.people);
  const id = useStore(desk.store, (state) => state.selection[state.selection.length - 1]?.id ?? CHART);
  useEffect(() => {
    const marked = typingIn(people, id).flatMap((person) => {
      const name = person.field?.slice(id.length + 1) ?? "";
      const field = root.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`);
      if (!field) return [];
      field.dataset.typed = nameOfPerson(person);
      field.title = `${nameOfPerson(person)} is typing here`;
      field.style.setProperty("--who", colourOf(hueOfPerson(person)));
      return [field];
    });
    return () => {
      for (const field of marked) {
        delete field.dataset.typed;
        field.removeAttribute("title");
      }
    };
  }, [people, id, root]);
  return {
    onFocus: (event) => {
      const name = (event.target as HTMLElement).closest<HTMLElement>("[data-field]")?.dataset.field;
      if (name) desk.set({ typing: `${id}.${name}` });
    },
    onBlur: () => desk.set({ typing: null }),
  };
}

/** Others who look at the same thing. */
function AlsoHere({ desk }: { desk: PageProps["desk"] }) {
  const people = useStore(desk.store, (state) => state.people);
  const id = useStore(desk.store, (state) => state.selection[state.selection.length - 1]?.id);
  const here = id ? atRow(people, id) : [];
  if (!id || here.length === 0) return null;
  const typing = typingIn(people, id).map(nameOfPerson);
  return (
    <p className="in-here" role="status">
      <Faces faces={facesOf(here)} />
      {here.map(nameOfPerson).join(", ")} {here.length === 1 ? "is" : "are"} here too{typing.length > 0 ? `; ${typing.join(", ")} typing` : ""}
    </p>
  );
}

export function Inspector(props: InspectorProps) {
  const root = useRef<HTMLElement>(null);
  useFieldFocus(props.desk, root);
  const typists = useTypists(props.desk, root);
  return (
    <aside ref={root} className="in" aria-label="Inspector" {...typists}>
      <span className="in-hide">
        <IconButton size="sm" icon={PanelRightClose} label="Hide the panel" onClick={() => props.desk.set({ right: false, sheet: "chart" })} />
      </span>
      <Page {...props} />
      <AlsoHere desk={props.desk} />
    </aside>
  );
}
