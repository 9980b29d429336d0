/** The tool pill and the corner controls of the chart. */
import { Copy, CornerDownRight, Hand, LayoutDashboard, Maximize, MousePointer2, PencilLine, Redo2, Rows2, SquarePlus, Trash2, Undo2, ZoomIn, ZoomOut, CircleHelp, Search } from "lucide-react";
import { useStore } from "zustand";
import { useStore as useFlow } from "@xyflow/react";

import { IconButton } from "../../ui";
import type { Command } from "./keys";
import { useCanvas } from "./context";

export interface Acts {
  undo(): void;
  redo(): void;
  /** What would be undone, in words; null when nothing. */
  undoLabel: string | null;
  redoLabel: string | null;
}

type Run = (command: Command) => void;

export function Tools({ run, addRegion }: { run: Run; addRegion: () => void }) {
  const { desk } = useCanvas();
  const tool = useStore(desk.store, (state) => state.tool);
  const kind = useStore(desk.store, (state) => state.selection[state.selection.length - 1]?.kind);
  return (
    <div className="cv-tools" role="toolbar" aria-label="Drawing tools">
      <IconButton className="is-pointer" icon={MousePointer2} label="Select" keys="V" pressed={tool === "select"} onClick={() => run("select")} />
      <IconButton className="is-pointer" icon={Hand} label="Hand" keys="H" pressed={tool === "hand"} onClick={() => run("hand")} />
      <IconButton icon={SquarePlus} label="Add state" keys="N" onClick={() => run("addState")} />
      <IconButton icon={Rows2} label="Add region" onClick={addRegion} />
      <IconButton icon={LayoutDashboard} label="Tidy" keys="⇧T" onClick={() => run("tidy")} />
      {kind === "state" && (
        <>
          <span className="cv-split" aria-hidden />
          <IconButton icon={CornerDownRight} label="Add next state, connected" keys="Tab" onClick={() => run("next")} />
          <IconButton icon={PencilLine} label="Rename" keys="F2" onClick={() => run("rename")} />
          <IconButton icon={Copy} label="Duplicate" keys="⌘D" onClick={() => run("duplicate")} />
        </>
      )}
      {(kind === "state" || kind === "transition") && <IconButton icon={Trash2} label="Delete" keys="Del" onClick={() => run("delete")} />}
    </div>
  );
}

export function Corner({ run, acts }: { run: Run; acts: Acts | null }) {
  const zoom = useFlow((state) => Math.round(state.transform[2] * 100));
  return (
    <>
      <div className="cv-corner" role="toolbar" aria-label="View">
        {acts && (
          <>
            <IconButton size="sm" icon={Undo2} label={acts.undoLabel ? `Undo ${acts.undoLabel}` : "Undo"} keys="⌘Z" disabled={acts.undoLabel === null} onClick={acts.undo} />
            <IconButton size="sm" icon={Redo2} label={acts.redoLabel ? `Redo ${acts.redoLabel}` : "Redo"} keys="⇧⌘Z" disabled={acts.redoLabel === null} onClick={acts.redo} />
          </>
        )}
        <IconButton size="sm" icon={Maximize} label="Fit" keys="⇧1" onClick={() => run("fit")} />
        <IconButton size="sm" icon={ZoomOut} label="Zoom out" keys="−" onClick={() => run("zoomOut")} />
        <button type="button" className="cv-zoom" title="100 % (⇧0)" onClick={() => run("actual")}>
          {zoom} %
        </button>
        <IconButton size="sm" icon={ZoomIn} label="Zoom in" keys="+" onClick={() => run("zoomIn")} />
      </div>
      <div className="cv-corner is-left" role="toolbar" aria-label="Find and help">
        <IconButton size="sm" icon={Search} label="Find" keys="⌘F" onClick={() => run("find")} />
        {acts && <IconButton size="sm" icon={CircleHelp} label="Shortcuts" keys="?" onClick={() => run("help")} />}
      </div>
    </>
  );
}
