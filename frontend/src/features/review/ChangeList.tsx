/** What changed, in groups, and the selected change in full. */
import { ArrowRight, Bot, Move, TextQuote, Users, Workflow, Wrench, type LucideIcon } from "lucide-react";
import { useEffect, useRef } from "react";

import type { Draft, Effect, Json, Trigger } from "../../model/draft";
import { effectsText, triggerText } from "../../model/names";
import { inGroups, titleOf, wordDiff, type Change, type ChangeField, type ChangeGroup, type ChangeWhat } from "../../model/review";
import { Badge, KeyHint } from "../../ui";

const groupLook: Readonly<Record<ChangeGroup, { label: string; icon: LucideIcon }>> = {
  behaviour: { label: "Behaviour", icon: Workflow },
  words: { label: "Words", icon: TextQuote },
  tools: { label: "Tools", icon: Wrench },
  squad: { label: "Squad", icon: Users },
  cosmetic: { label: "Cosmetic", icon: Move },
};

export const signs: Readonly<Record<ChangeWhat, { sign: string; word: string }>> = {
  added: { sign: "+", word: "added" },
  removed: { sign: "−", word: "removed" },
  changed: { sign: "~", word: "changed" },
  moved: { sign: "↔", word: "moved only" },
};

export function Sign({ what }: { what: ChangeWhat }) {
  return <i className="rv-sign" data-what={what} aria-hidden>{signs[what].sign}</i>;
}

const fieldWords: Readonly<Record<string, string>> = {
  on: "waits for", guard: "only if", max_visits: "at most visits", max_takes: "may repeat", min_confidence: "least confidence", text: "text",
  prompt: "says", agent: "speaks", tools: "uses", ask: "asks", entry: "on entry", exit: "on exit", effects: "does", within: "is in", place: "order", layout: "stands at",
  initial: "begins in", target: "leads to", when: "only when", effect: "policy", x: "left", y: "top",
};

const wordOf = (name: string): string => fieldWords[name] ?? name.replaceAll("_", " ");

const isList = (value: Json): value is Json[] => Array.isArray(value);

function valueText(name: string, value: Json): string {
  if (value === null) return "none";
  if (name === "on" && typeof value === "object" && !isList(value)) return triggerText(value as Trigger);
  if ((name === "effects" || name === "entry" || name === "exit") && isList(value)) return effectsText(value as Effect[]) || "nothing";
  if (name === "layout" && typeof value === "object" && !isList(value)) return `${String(Math.round(Number(value.x)))}, ${String(Math.round(Number(value.y)))}`;
  if (isList(value) && value.every((one) => typeof one === "string")) return value.join(", ") || "none";
  if (name === "place" && typeof value === "number") return `number ${value + 1}`;
  return typeof value === "string" ? value : JSON.stringify(value);
}

const WORDY = new Set(["text", "instructions", "description", "message", "notes", "label"]);

function Words({ before, after }: { before: string; after: string }) {
  return (
    <p className="rv-words">
      {wordDiff(before, after).map((word, n) => (word.is === "same" ? <span key={n}>{word.text}</span> : word.is === "added" ? <ins key={n}>{word.text}</ins> : <del key={n}>{word.text}</del>))}
    </p>
  );
}

function Field({ field }: { field: ChangeField }) {
  const { name, before, after } = field;
  const wordy = WORDY.has(name) && (typeof before === "string" || before === null) && (typeof after === "string" || after === null);
  return (
    <div className="rv-field">
      <dt>{wordOf(name)}{field.same_logic === true && <Badge tone="ok" title="Both say the same, whatever the slots hold">same logic</Badge>}{field.same_logic === false && name === "guard" && <Badge tone="warn">other logic</Badge>}</dt>
      <dd>
        {wordy ? <Words before={before ?? ""} after={after ?? ""} /> : (
          <>
            <del>{valueText(name, before)}</del>
            <ArrowRight size={12} aria-label="is now" />
            <ins>{valueText(name, after)}</ins>
          </>
        )}
      </dd>
    </div>
  );
}

/** The change in a few words, for the line under its name. */
function inShort(change: Change): string {
  const first = change.fields[0];
  if (!first) return change.change === "moved" ? "not part of the digest" : "";
  const more = change.fields.length > 1 ? ` and ${change.fields.length - 1} more` : "";
  if (change.change === "moved") return first.name === "within" ? `from ${valueText("within", first.before)}` : first.name === "place" ? `${valueText("place", first.before)} → ${valueText("place", first.after)}` : "not part of the digest";
  if (WORDY.has(first.name)) return `${wordOf(first.name)}${more}`;
  const text = `${wordOf(first.name)} ${valueText(first.name, first.before)} → ${valueText(first.name, first.after)}`;
  return `${text}${more}`;
}

function Row({ change, on, rows, onChoose }: { change: Change; on: boolean; rows: readonly Draft[]; onChoose: () => void }) {
  const title = titleOf(change, rows);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (on) item.current?.scrollIntoView({ block: "nearest" });
  }, [on]);
  const short = inShort(change);
  return (
    <li ref={item} className="rv-change" data-on={on || undefined}>
      <button type="button" aria-current={on ? "true" : undefined} onClick={onChoose}>
        <Sign what={change.change} />
        <span className="rv-what">
          <span className="rv-name">{title.kind} <b>{title.name}</b><span className="ui-sr"> {signs[change.change].word}</span></span>
          {!on && short && <span className="rv-short ui-trunc">{short}</span>}
        </span>
      </button>
      {on && change.fields.length > 0 && <dl className="rv-fields">{change.fields.map((field) => <Field key={field.name} field={field} />)}</dl>}
      {on && change.fields.length === 0 && <p className="rv-nothing">{change.change === "moved" ? "Only its place on the drawing. Not part of the digest." : `It was ${signs[change.change].word}.`}</p>}
    </li>
  );
}

interface Props {
  changes: readonly Change[];
  at: number;
  rows: readonly Draft[];
  onGo: (index: number) => void;
  foot?: React.ReactNode;
}

/** `changes` in the order they are walked; `at` is the selected one, -1 for none. */
export function ChangeList({ changes, at, rows, onGo, foot }: Props) {
  return (
    <nav className="rv-left ui-panel" aria-label="Changes">
      <div className="ui-panel-head rv-lefthead">
        <span>Changes <span className="ui-muted ui-num" role="status">{at < 0 ? changes.length : `${at + 1} of ${changes.length}`}</span></span>
        <span className="ui-grow" />
        <span className="ui-muted ui-hide-narrow" title="K: the change before. J: the next one."><KeyHint>K</KeyHint> <KeyHint>J</KeyHint></span>
      </div>
      <div className="rv-groups">
        {changes.length === 0 && <p className="rv-nothing ui-second"><Bot size={14} aria-hidden /> Nothing is different.</p>}
        {inGroups(changes).map(({ group, changes: own }) => {
          const { label, icon: Icon } = groupLook[group];
          return (
            <section key={group} aria-label={label}>
              <h2 className="rv-group"><Icon size={14} aria-hidden />{label} <span className="ui-muted ui-num">{own.length}</span></h2>
              <ul>
                {own.map((change) => {
                  const index = changes.indexOf(change);
                  return <Row key={index} change={change} on={index === at} rows={rows} onChoose={() => onGo(index)} />;
                })}
              </ul>
            </section>
          );
        })}
      </div>
      {foot}
    </nav>
  );
}
