import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { HighlightStyle, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { linter } from "@codemirror/lint";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import { useTheme } from "./theme";

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "12px", backgroundColor: "var(--bg-panel)", color: "var(--tx-1)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "20px" },
  ".cm-content": { caretColor: "var(--accent)" },
  ".cm-gutters": { backgroundColor: "var(--bg-panel)", color: "var(--tx-3)", border: "0" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-soft)" },
  ".cm-tooltip": { backgroundColor: "var(--bg-raised)", border: "1px solid var(--ln-control)", color: "var(--tx-1)", borderRadius: "8px" },
});

const colours = syntaxHighlighting(HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--ok)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--live)" },
  { tag: tags.punctuation, color: "var(--tx-3)" },
]));

/** JSON as text, with its faults underlined. `onRun` answers the command key with Enter; Esc then Tab leaves the editor. */
export function JsonEditor({ value, onChange, onRun, label, readOnly = false }: {
  value: string; onChange: (value: string) => void; onRun?: () => void; label: string; readOnly?: boolean;
}) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ onChange, onRun });
  const first = useRef({ value, label, readOnly });
  const { theme } = useTheme();
  const dark = useRef(new Compartment());

  useEffect(() => {
    latest.current = { onChange, onRun };
  });

  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const editor = new EditorView({
      parent,
      state: EditorState.create({
        doc: first.current.value,
        extensions: [
          Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (latest.current.onRun?.(), true) }])),
          lineNumbers(), history(), drawSelection(), bracketMatching(), json(), linter(jsonParseLinter(), { delay: 400 }), look, colours,
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorView.lineWrapping,
          EditorState.readOnly.of(first.current.readOnly),
          EditorView.contentAttributes.of({ "aria-label": first.current.label, tabindex: "0" }),
          dark.current.of(EditorView.theme({}, { dark: false })),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    view.current?.dispatch({ effects: dark.current.reconfigure(EditorView.theme({}, { dark: theme === "dark" })) });
  }, [theme]);

  return <div ref={host} style={{ height: "100%", minHeight: 0, overflow: "hidden" }} />;
}
