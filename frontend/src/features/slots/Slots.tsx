/** The slots of the conversation: at most 32. A row opens into its fields; its key may be renamed, references follow. */
import "./slots.css";

import { AlertTriangle, Calendar, CircleX, Clock, EyeOff, Hash, List, Mail, Phone, Plus, Sigma, Tags, ToggleLeft, Trash2, Type, type LucideIcon } from "lucide-react";
import { useMemo } from "react";
import { useStore } from "zustand";

import { problemsById, SLOT_LIMIT, SLOT_TYPES, slug, uniqueKey, type Draft, type Json, type Operation, type Problem, type Slot, type SlotType } from "../../model";
import type { Desk } from "../../store";
import { newId } from "../../transport";
import { Button, CheckLine, Choice, IconButton, Line, NumberLine, type Fault } from "../../ui";

const ICONS: { [type in SlotType]: LucideIcon } = {
  string: Type,
  integer: Hash,
  number: Sigma,
  boolean: ToggleLeft,
  enum: Tags,
  date: Calendar,
  time: Clock,
  datetime: Calendar,
  duration: Clock,
  email: Mail,
  phone: Phone,
  list: List,
};

/** Fields that show their own problems; the others are listed below. */
const FIELDS = new Set(["key", "type", "choices", "default", "pattern"]);
const TEXTUAL: readonly SlotType[] = ["string", "email", "phone", "list"];
const NUMERIC: readonly SlotType[] = ["integer", "number"];

const WRITERS = [
  ["model", "the model"],
  ["effect", "effects"],
  ["host", "the host"],
] as const;

/** What was typed as a default, as the slot's type has it; undefined when it cannot be read. */
export function defaultOf(type: SlotType, text: string): Json | undefined {
  const words = text.trim();
  if (words === "") return null;
  if (type === "boolean") return words === "true" ? true : words === "false" ? false : undefined;
  if (NUMERIC.includes(type)) return Number.isFinite(Number(words)) ? Number(words) : undefined;
  if (type === "list") return words.split(",").map((one) => one.trim());
  return words;
}

const defaultText = (value: Json): string =>
  value === null ? "" : Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : JSON.stringify(value);

function SlotFields({ slot, draft, edit, problems }: { slot: Slot; draft: Draft; edit(fields: Partial<Slot>): void; problems: Problem[] }) {
  const of = (field: string): Fault[] =>
    problems
      .filter((problem) => problem.field === field)
      .map((problem) => ({ tone: problem.severity === "error" ? "bad" : "warn", text: problem.message }));
  return (
    <div className="sl-fields">
      <Line
        label="Key"
        code
        value={slot.key}
        faults={of("key")}
        onCommit={(text) => {
          const taken = draft.slots.filter((other) => other.id !== slot.id).map((other) => other.key);
          if (text.trim()) edit({ key: uniqueKey(slug(text, "slot"), taken) });
        }}
      />
      <Choice label="Type" value={slot.type} options={SLOT_TYPES.map((type) => [type, type])} onChange={(type) => edit({ type: type as SlotType })} faults={of("type")} />
      {slot.type === "enum" && (
        <Line label="Choices, with commas" value={slot.choices.join(", ")} faults={of("choices")} onCommit={(text) => edit({ choices: text.split(",").map((one) => one.trim()).filter(Boolean) })} />
      )}
      <Line
        label="Default"
        value={defaultText(slot.default)}
        faults={of("default")}
        onCommit={(text) => {
          const value = defaultOf(slot.type, text);
          if (value !== undefined) edit({ default: value });
        }}
      />
      {TEXTUAL.includes(slot.type) && <Line label="Pattern" code value={slot.pattern ?? ""} faults={of("pattern")} onCommit={(text) => edit({ pattern: text || null })} />}
      {NUMERIC.includes(slot.type) && (
        <div className="sl-pair">
          <NumberLine label="At least" value={slot.minimum} onCommit={(minimum) => edit({ minimum })} />
          <NumberLine label="At most" value={slot.maximum} onCommit={(maximum) => edit({ maximum })} />
        </div>
      )}
      <Line label="Description" value={slot.description ?? ""} onCommit={(text) => edit({ description: text || null })} />
      {TEXTUAL.includes(slot.type) && <NumberLine label="Letters at most" value={slot.max_length} onCommit={(max_length) => edit({ max_length })} />}
      <fieldset className="sl-writers">
        <legend className="ui-label">May be written by</legend>
        {WRITERS.map(([writer, words]) => {
          const now = slot.writers ?? WRITERS.map(([one]) => one);
          const next = (on: boolean): Slot["writers"] => WRITERS.map(([one]) => one).filter((one) => (one === writer ? on : now.includes(one)));
          return <CheckLine key={writer} label={words} value={now.includes(writer)} onChange={(on) => edit({ writers: next(on)?.length === WRITERS.length ? null : next(on) })} />;
        })}
      </fieldset>
      <CheckLine label="Sensitive: masked where people read Calls" value={slot.sensitive === true} onChange={(sensitive) => edit({ sensitive })} />
    </div>
  );
}

export interface SlotsProps {
  draft: Draft;
  desk: Desk;
  onEdit(operations: readonly Operation[], label: string): void;
}

export function Slots({ draft, desk, onEdit }: SlotsProps) {
  const selection = useStore(desk.store, (state) => state.selection);
  const problems = useMemo(() => problemsById(draft), [draft]);
  const full = draft.slots.length >= SLOT_LIMIT;
  const add = (): void => {
    const id = newId();
    const key = uniqueKey("slot", draft.slots.map((slot) => slot.key));
    onEdit([{ op: "slot.add", id, fields: { key, type: "string" } }], "Add slot");
    desk.select({ kind: "slot", id });
  };
  return (
    <section className="sl" aria-label="Slots">
      <div className="ui-panel-head sl-head">
        <span>Slots</span>
        <span className={`ui-num sl-count ${full ? "is-full" : ""}`}>
          {draft.slots.length} / {SLOT_LIMIT}
        </span>
        <span className="ui-grow" />
        <IconButton size="sm" icon={Plus} label={full ? "There is no room for more slots" : "Add a slot"} disabled={full} onClick={add} />
      </div>
      <ul className="sl-list">
        {draft.slots.length === 0 && <li className="ui-hint sl-none">What the conversation remembers: a name, a number, a consent.</li>}
        {draft.slots.map((slot) => {
          const Icon = ICONS[slot.type] ?? Type;
          const open = selection.some((one) => one.id === slot.id);
          const own = problems.get(slot.id) ?? [];
          const Flag = own[0]?.severity === "error" ? CircleX : AlertTriangle;
          return (
            <li key={slot.id}>
              <button type="button" className="sl-row" aria-expanded={open} onClick={() => desk.select(open ? null : { kind: "slot", id: slot.id })}>
                <Icon size={14} aria-hidden />
                <code className="ui-trunc">{slot.key}</code>
                <span className="sl-end">
                  {slot.sensitive && <EyeOff size={12} aria-label="sensitive" />}
                  {own.length > 0 && own[0]?.severity !== "info" && <Flag size={13} aria-label={own[0]?.message} className={`sl-flag is-${own[0]?.severity}`} />}
                  {slot.type}
                </span>
              </button>
              {open && (
                <>
                  <SlotFields slot={slot} draft={draft} problems={own} edit={(fields) => onEdit([{ op: "slot.update", id: slot.id, fields }], "key" in fields ? "Rename slot" : "Change slot")} />
                  <div className="sl-fields">
                    {own
                      .filter((problem) => !FIELDS.has(problem.field ?? ""))
                      .map((problem) => (
                        <p key={problem.code + problem.message} className="ui-hint" data-tone={problem.severity === "error" ? "bad" : undefined}>
                          {problem.message}
                        </p>
                      ))}
                    <Button
                      size="sm"
                      kind="danger"
                      icon={Trash2}
                      onClick={() => {
                        onEdit([{ op: "slot.remove", id: slot.id }], "Remove slot");
                        desk.select(null);
                      }}
                    >
                      Remove slot
                    </Button>
                  </div>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
