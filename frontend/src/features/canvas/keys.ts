/** Keys of the chart (canvas.md, section 2). Pure: from a key to the name of a command. */

export type Command =
  | "undo"
  | "redo"
  | "find"
  | "fit"
  | "actual"
  | "zoomIn"
  | "zoomOut"
  | "delete"
  | "clear"
  | "rename"
  | "addState"
  | "next"
  | "sibling"
  | "copy"
  | "cut"
  | "paste"
  | "duplicate"
  | "all"
  | "help"
  | "select"
  | "hand"
  | "tidy"
  | "panels"
  | "nextProblem"
  | "previousProblem"
  | { walk: "left" | "right" | "up" | "down" }
  | { nudge: { x: number; y: number } };

interface Key {
  key: string;
  code?: string;
  metaKey: boolean;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

const ARROWS: { [key: string]: "left" | "right" | "up" | "down" } = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};
const STEPS = { left: { x: -1, y: 0 }, right: { x: 1, y: 0 }, up: { x: 0, y: -1 }, down: { x: 0, y: 1 } } as const;

const PLAIN: { [key: string]: Command } = {
  delete: "delete",
  backspace: "delete",
  escape: "clear",
  f2: "rename",
  n: "addState",
  tab: "next",
  enter: "sibling",
  "?": "help",
  v: "select",
  h: "hand",
  "+": "zoomIn",
  "=": "zoomIn",
  "-": "zoomOut",
};
const WITH_MOD: { [key: string]: Command } = { z: "undo", y: "redo", f: "find", a: "all", ".": "panels", c: "copy", x: "cut", v: "paste", d: "duplicate" };

/** The command of a key, or null. `single` is false while someone types: only keys with ⌘ or Ctrl count then. */
export function commandOf(event: Key): Command | null {
  const key = event.key.toLowerCase();
  if (event.metaKey || event.ctrlKey) {
    if (event.altKey) return null;
    if (key === "z" && event.shiftKey) return "redo";
    return event.shiftKey ? null : (WITH_MOD[key] ?? null);
  }
  const arrow = ARROWS[event.key];
  if (arrow) {
    if (!event.altKey) return event.shiftKey ? null : { walk: arrow };
    const step = event.shiftKey ? 32 : 8;
    return { nudge: { x: STEPS[arrow].x * step, y: STEPS[arrow].y * step } };
  }
  if (event.altKey) return null;
  if (key === "f8") return event.shiftKey ? "previousProblem" : "nextProblem";
  if (event.shiftKey) {
    if (event.code === "Digit1" || key === "!") return "fit";
    if (event.code === "Digit0" || key === ")") return "actual";
    if (event.code === "KeyT") return "tidy";
    return key === "?" || key === "+" ? (PLAIN[key] ?? null) : null;
  }
  if (key === "1") return "fit";
  if (key === "0") return "actual";
  return PLAIN[key] ?? null;
}

/** What the help sheet says. */
export const SHORTCUTS: readonly { title: string; keys: readonly (readonly [string, string])[] }[] = [
  {
    title: "Draw",
    keys: [
      ["N", "Add a state"],
      ["Double-click", "Add a state there; on a state: rename it"],
      ["Tab", "Next state, connected"],
      ["Enter", "One more state beside the selected one"],
      ["Drag from a dot", "Connect; into the empty: a new state"],
      ["F2", "Rename"],
      ["⌘C / ⌘X / ⌘V", "Copy, cut, paste states"],
      ["⌘D", "Duplicate"],
      ["Del", "Delete the selection"],
      ["⌘Z / ⇧⌘Z", "Undo / redo"],
      ["⇧T", "Tidy the chart"],
    ],
  },
  {
    title: "Move about",
    keys: [
      ["← ↑ → ↓", "Walk along transitions"],
      ["Alt + arrows", "Nudge the selection"],
      ["⌘F", "Find"],
      ["⇧1 / ⇧0", "Fit all / 100 %"],
      ["+ / −", "Zoom"],
      ["F8 / ⇧F8", "Next / previous problem"],
      ["V / H", "Select tool / hand tool"],
      ["⌘A / Esc", "Select all / nothing"],
      ["⌘.", "Hide or show the panels"],
      ["?", "This help"],
    ],
  },
];
