/** An expression: slot names are offered while typing, the server's problems are underlined where they are. */
import { acceptCompletion, autocompletion, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap, placeholder as hintText } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useId, useMemo, useRef } from "react";

import type { Draft, Problem } from "../../model";
import { Faults, type Fault } from "../../ui";

export interface ExpressionProps {
  label: string;
  value: string;
  draft: Draft;
  problems: readonly Problem[];
  placeholder?: string;
  /** Name of the field, for the problems panel to find it. */
  name: string;
  onCommit(text: string): void;
}

/** Colours only: what an expression means is the server's business. */
const language = StreamLanguage.define({
  token(stream) {
    if (stream.match(/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?/)) return "string";
    if (stream.match(/\d+(?:\.\d+)?/)) return "number";
    if (stream.match(/\b(?:true|false|null|in)\b/)) return "keyword";
    if (stream.match(/\b(?:slots|event|machine|visits|decision)\b/)) return "namespace";
    if (stream.match(/[a-zA-Z_]\w*(?=\()/)) return "function";
    if (stream.match(/[a-zA-Z_]\w*/)) return "variable";
    if (stream.match(/[&|!=<>+*-]+/)) return "operator";
    stream.next();
    return null;
  },
  tokenTable: { namespace: tags.namespace, function: tags.function(tags.variableName), variable: tags.variableName },
});

const colours = HighlightStyle.define([
  { tag: tags.string, color: "var(--ok)" },
  { tag: tags.number, color: "var(--info)" },
  { tag: tags.keyword, color: "var(--fault)" },
  { tag: tags.namespace, color: "var(--tx-3)" },
  { tag: tags.operator, color: "var(--tx-2)" },
]);

const look = EditorView.theme({
  "&": { fontSize: "13px", backgroundColor: "var(--bg-raised)", color: "var(--tx-1)", border: "1px solid var(--ln-control)", borderRadius: "8px" },
  "&.cm-focused": { outline: "3px solid var(--accent-halo)", borderColor: "var(--accent)" },
  ".cm-content": { fontFamily: "var(--font-code)", padding: "6px 0", caretColor: "var(--accent)", fontFeatureSettings: '"calt" 0' },
  ".cm-line": { padding: "0 10px" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  ".cm-tooltip": { backgroundColor: "var(--bg-raised)", border: "1px solid var(--ln-control)", borderRadius: "8px", color: "var(--tx-1)", overflow: "hidden" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--tx-1)" },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-code)", fontSize: "12px" },
  ".cm-completionDetail": { float: "right", fontStyle: "normal", color: "var(--tx-3)", fontFamily: "var(--font-ui)", paddingLeft: "12px" },
  ".cm-placeholder": { color: "var(--tx-3)" },
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": { backgroundColor: "var(--accent-halo) !important" },
});

const WORDS: readonly Completion[] = [
  { label: "slots.", type: "namespace", detail: "memory" },
  { label: "event.name", type: "property", detail: "string" },
  { label: "event.data.", type: "property", detail: "of the event" },
  { label: "event.confidence", type: "property", detail: "number" },
  { label: "machine.turns", type: "property", detail: "number" },
  { label: "machine.refusals", type: "property", detail: "number" },
  { label: "machine.transitions", type: "property", detail: "number" },
  { label: "machine.elapsed", type: "property", detail: "seconds" },
  { label: "has(", type: "function", detail: "is it set?" },
  { label: "active('", type: "function", detail: "is the state active?" },
  { label: "true", type: "keyword" },
  { label: "false", type: "keyword" },
  { label: "null", type: "keyword" },
];

/** What can stand at the cursor. */
export function completionsFor(draft: Draft): (context: CompletionContext) => CompletionResult | null {
  const slots = draft.slots.map((slot): Completion => ({ label: slot.key, detail: slot.type, type: "variable" }));
  const states = draft.states.map((state): Completion => ({ label: state.key, detail: "state", type: "variable" }));
  return (context) => {
    const slot = context.matchBefore(/\bslots\.\w*/);
    if (slot) return { from: slot.from + "slots.".length, options: slots, validFor: /^\w*$/ };
    const visits = context.matchBefore(/\bvisits\.\w*/);
    if (visits) return { from: visits.from + "visits.".length, options: states, validFor: /^\w*$/ };
    const active = context.matchBefore(/\bactive\(["']\w*/);
    if (active) return { from: active.from + "active('".length, options: states, validFor: /^\w*$/ };
    const word = context.matchBefore(/[\w.]+/);
    if (!word && !context.explicit) return null;
    const direct = slots.map((one): Completion => ({ ...one, label: `slots.${one.label}` }));
    return { from: word?.from ?? context.pos, options: [...direct, ...WORDS], validFor: /^[\w.]*$/ };
  };
}

const within = (length: number, at: number): number => Math.max(0, Math.min(length, at));

function diagnosticsOf(problems: readonly Problem[], length: number): Diagnostic[] {
  return problems.map((problem) => {
    const [from, to] = problem.span ?? [0, length];
    return {
      from: within(length, from),
      to: within(length, Math.max(to, from)),
      severity: problem.severity,
      message: problem.hint ? `${problem.message} ${problem.hint}` : problem.message,
    };
  });
}

export function Expression({ label, value, draft, problems, placeholder, name, onCommit }: ExpressionProps) {
  const id = useId();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const offers = useRef(new Compartment());
  const commit = useRef<() => void>(() => {});
  useEffect(() => {
    commit.current = () => {
      const text = view.current?.state.doc.toString().trim() ?? "";
      if (text !== value) onCommit(text);
    };
  });

  useEffect(() => {
    if (!host.current) return;
    const keep = (): boolean => {
      commit.current();
      return true;
    };
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: "",
        extensions: [
          history(),
          language,
          syntaxHighlighting(colours),
          look,
          EditorView.lineWrapping,
          hintText(placeholder ?? ""),
          offers.current.of([]),
          autocompletion({ icons: false, aboveCursor: false }),
          Prec.high(keymap.of([...completionKeymap, { key: "Tab", run: acceptCompletion }, { key: "Enter", run: keep }])),
          keymap.of([...historyKeymap, ...defaultKeymap]),
          EditorView.domEventHandlers({
            blur: () => {
              commit.current();
            },
          }),
          EditorView.contentAttributes.of({ "aria-labelledby": id, "data-field": name }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [id, name, placeholder]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    view.current?.dispatch({ effects: offers.current.reconfigure(EditorState.languageData.of(() => [{ autocomplete: completionsFor(draft) }])) });
  }, [draft]);

  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(problems, editor.state.doc.length)));
  }, [problems, value]);

  const faults = useMemo(
    () => problems.map((problem): Fault => ({ tone: problem.severity === "error" ? "bad" : "warn", text: problem.hint ? `${problem.message} ${problem.hint}` : problem.message })),
    [problems],
  );
  return (
    <div className="ui-field">
      <span className="ui-label" id={id}>
        {label}
      </span>
      <div ref={host} />
      <Faults faults={faults} />
    </div>
  );
}
