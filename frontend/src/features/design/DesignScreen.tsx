/** The Design screen: outline and slots, the chart, the inspector, and a drawer of problems and whatever else is handed in. */
import "./design.css";

import { Cloud, CloudOff, LoaderCircle } from "lucide-react";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { useStore } from "zustand";

import type { Draft } from "../../model";
import { MarkStore, type Desk, type Editor, type Sync } from "../../store";
import { Button, EmptyState, Loading, Split, Tabs } from "../../ui";
import { Canvas } from "../canvas";
import { Inspector } from "../inspector";
import { Outline } from "../outline";
import { ProblemList, useProblemKeys } from "../problems";
import { Slots } from "../slots";
import { Help } from "./Help";
import { useAddress } from "./useAddress";
import { useDraft } from "./useDraft";
import { usePlay } from "./usePlay";

/** What is handed to the bar and to extra drawer tabs. */
export interface DesignParts {
  draft: Draft;
  marks: MarkStore;
  desk: Desk;
  sync: Sync;
  /** Resolves when the server has everything that is on the screen. */
  settled(): Promise<void>;
  reload(): Promise<void>;
}

export interface DrawerTab {
  key: string;
  label: ReactNode;
  end?: ReactNode;
  render(parts: DesignParts): ReactNode;
}

export interface DesignScreenProps {
  agentId: string;
  /** The bar above everything; `parts` is null until the draft is read. */
  bar?(parts: DesignParts | null): ReactNode;
  tabs?: readonly DrawerTab[];
}

export function DesignScreen({ agentId, bar, tabs = [] }: DesignScreenProps) {
  const { editor, desk, error, again } = useDraft(agentId);
  if (editor) return <Opened key={agentId} editor={editor} desk={desk} bar={bar} tabs={tabs} />;
  return (
    <div className="ds">
      {bar?.(null)}
      {error ? (
        <EmptyState title="The draft could not be read" action={<Button onClick={again}>Try again</Button>}>
          {error.message}
        </EmptyState>
      ) : (
        <Loading what="Reading the draft…" />
      )}
    </div>
  );
}

const SYNC: { [sync in Sync]: { words: string; icon: typeof Cloud } } = {
  saved: { words: "Saved", icon: Cloud },
  saving: { words: "Saving…", icon: LoaderCircle },
  offline: { words: "Not saved: the server cannot be reached. Trying again.", icon: CloudOff },
};

function SyncNote({ sync }: { sync: Sync }) {
  const { words, icon: Icon } = SYNC[sync];
  return (
    <span className={`ds-sync is-${sync}`} role="status">
      <Icon size={13} aria-hidden className={sync === "saving" ? "ui-spin" : ""} />
      {words}
    </span>
  );
}

const NARROW = "(max-width: 860px)";

function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const read = (): void => setNarrow(query.matches);
    query.addEventListener("change", read);
    return () => query.removeEventListener("change", read);
  }, []);
  return narrow;
}

function Opened({ editor, desk, bar, tabs }: { editor: Editor; desk: Desk; bar: DesignScreenProps["bar"]; tabs: readonly DrawerTab[] }) {
  const [marks] = useState(() => new MarkStore());
  const draft = useStore(editor.store, (state) => state.draft);
  const sync = useStore(editor.store, (state) => state.sync);
  const history = useStore(editor.store, (state) => state.history);
  const help = useStore(desk.store, (state) => state.help);
  const narrow = useNarrow();
  useAddress(desk, marks, draft);
  useProblemKeys(draft, desk, marks);
  useLeaveGuard(sync);

  const acts = useMemo(
    () => ({
      undo: editor.undo,
      redo: editor.redo,
      undoLabel: history.undo[history.undo.length - 1]?.label ?? null,
      redoLabel: history.redo[history.redo.length - 1]?.label ?? null,
    }),
    [editor, history],
  );
  const parts = useMemo<DesignParts>(
    () => ({ draft, marks, desk, sync, settled: editor.settled, reload: editor.reload }),
    [draft, marks, desk, sync, editor],
  );
  const chart = (
    <main id="main" className="ds-chart">
      <Canvas draft={draft} mode="design" marks={marks} desk={desk} onEdit={editor.edit} acts={acts} />
    </main>
  );
  const panels = { chart, editor, draft, desk, marks, parts, tabs, sync };
  return (
    <div className="ds">
      {bar?.(parts)}
      {narrow ? <Narrow {...panels} /> : <Wide {...panels} />}
      <Help open={help} onClose={() => desk.set({ help: false })} />
    </div>
  );
}

/** A closing tab asks first while something is not on the server yet. */
function useLeaveGuard(sync: Sync): void {
  useEffect(() => {
    if (sync === "saved") return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [sync]);
}

interface Panels {
  chart: ReactNode;
  editor: Editor;
  draft: Draft;
  desk: Desk;
  marks: MarkStore;
  parts: DesignParts;
  tabs: readonly DrawerTab[];
  sync: Sync;
}

function Left({ draft, desk, marks, editor }: Panels) {
  return (
    <aside className="ds-left" aria-label="Outline and slots">
      <Outline draft={draft} desk={desk} marks={marks} onEdit={editor.edit} />
      <Slots draft={draft} desk={desk} onEdit={editor.edit} />
    </aside>
  );
}

function Drawer({ draft, desk, marks, editor, parts, tabs, sync }: Panels) {
  const drawer = useStore(desk.store, (state) => state.drawer);
  const play = usePlay(draft.agent.id, draft.revision, draft.problems.length, sync, desk);
  const all = [
    { key: "problems", label: "Problems", end: draft.problems.length, render: () => <ProblemList draft={draft} desk={desk} marks={marks} onEdit={editor.edit} play={play} /> },
    ...tabs,
  ];
  const active = all.find((tab) => tab.key === drawer) ?? all[0];
  return (
    <section className="ds-drawer" aria-label="Drawer">
      <Tabs
        label="Drawer"
        tabs={all}
        active={active?.key ?? "problems"}
        onChange={(key) => desk.set({ drawer: key })}
        end={<SyncNote sync={sync} />}
      />
      <div className="ds-drawerbody">{active?.render(parts)}</div>
    </section>
  );
}

function Wide(panels: Panels) {
  const { desk, draft, editor, chart, tabs } = panels;
  const left = useStore(desk.store, (state) => state.left);
  const right = useStore(desk.store, (state) => state.right);
  const drawer = useStore(desk.store, (state) => state.drawer);
  const tall = tabs.some((tab) => tab.key === drawer);
  const centre = (
    <Split
      key={tall ? "tall" : "low"}
      label="Chart"
      direction="vertical"
      parts={[
        { key: "chart", content: chart, min: 200 },
        { key: "drawer", size: tall ? 340 : 156, min: 41, content: <Drawer {...panels} /> },
      ]}
    />
  );
  return (
    <div className="ds-body">
      <Split
        key={`${left} ${right}`}
        label="Design"
        direction="horizontal"
        parts={[
          ...(left ? [{ key: "outline", size: 232, min: 180, max: 420, content: <Left {...panels} /> }] : []),
          { key: "centre", min: 320, content: centre },
          ...(right ? [{ key: "inspector", size: 320, min: 260, max: 520, content: <Inspector draft={draft} desk={desk} marks={panels.marks} onEdit={editor.edit} /> }] : []),
        ]}
      />
    </div>
  );
}

/** 390 px: the chart stays; the panels are sheets over its lower half. */
function Narrow(panels: Panels) {
  const { desk, chart, draft, editor, marks, tabs } = panels;
  const sheet = useStore(desk.store, (state) => state.sheet);
  const drawer = useStore(desk.store, (state) => state.drawer);
  const below = tabs.find((tab) => tab.key === drawer)?.label ?? `Problems ${draft.problems.length || ""}`;
  const sheets = [
    { key: "chart", label: "Chart" },
    { key: "outline", label: "Outline" },
    { key: "inspector", label: "Details" },
    { key: "drawer", label: below },
  ] as const;
  return (
    <div className="ds-narrow">
      {chart}
      {sheet !== "chart" && (
        <div className="ds-sheet">
          {sheet === "outline" && <Left {...panels} />}
          {sheet === "inspector" && <Inspector draft={draft} desk={desk} marks={marks} onEdit={editor.edit} />}
          {sheet === "drawer" && <Drawer {...panels} />}
        </div>
      )}
      <nav className="ds-switch" aria-label="Panels">
        {sheets.map((one) => (
          <button key={one.key} type="button" aria-pressed={sheet === one.key} onClick={() => desk.set({ sheet: one.key })}>
            {one.label}
          </button>
        ))}
      </nav>
    </div>
  );
}
