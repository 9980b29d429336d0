/** Asked after two states were joined: what is the transition waiting for? */
import { useState } from "react";

import type { Trigger, TriggerKind } from "../../model";
import { Button, Segmented } from "../../ui";

const KINDS: readonly { key: TriggerKind; label: string }[] = [
  { key: "event", label: "Event" },
  { key: "propose", label: "Proposal" },
  { key: "after", label: "After" },
  { key: "always", label: "Always" },
  { key: "done", label: "Done" },
];

const PROMPTS: { [kind in TriggerKind]: { label: string; hint: string } | null } = {
  event: { label: "Event name", hint: "order.paid" },
  propose: { label: "When should the model propose it?", hint: "The caller asks for a person." },
  after: { label: "After how long?", hint: "20s" },
  always: null,
  done: null,
};

/** A trigger from its kind and the words for it. */
export function triggerOf(kind: TriggerKind, text: string): Trigger {
  const words = text.trim();
  switch (kind) {
    case "event": {
      const names = words.split(/[\s,]+/).filter(Boolean);
      return { event: names.length > 1 ? names : (names[0] ?? "next") };
    }
    case "propose":
      return { propose: words || "The caller asks for it." };
    case "after":
      return { after: words || "20s" };
    case "always":
      return { always: true };
    case "done":
      return { done: true };
  }
}

export interface AskProps {
  at: { x: number; y: number };
  title: string;
  onAnswer(on: Trigger, guard: string | null): void;
  onCancel(): void;
}

export function Ask({ at, title, onAnswer, onCancel }: AskProps) {
  const [kind, setKind] = useState<TriggerKind>("event");
  const [text, setText] = useState("");
  const [guard, setGuard] = useState("");
  const prompt = PROMPTS[kind];
  return (
    <form
      className="cv-ask"
      role="dialog"
      aria-label={title}
      style={{ left: at.x, top: at.y }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") onCancel();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(triggerOf(kind, text), guard.trim() || null);
      }}
    >
      <h3>{title}</h3>
      <Segmented options={KINDS} value={kind} onChange={setKind} label="Waits for" />
      {prompt && (
        <label className="ui-field">
          <span>{prompt.label}</span>
          <input className="ui-input" autoFocus key={kind} value={text} placeholder={prompt.hint} onChange={(event) => setText(event.target.value)} />
        </label>
      )}
      <label className="ui-field">
        <span>Only if (guard)</span>
        <input className="ui-input ui-code" value={guard} placeholder="slots.order_total < 250" onChange={(event) => setGuard(event.target.value)} />
      </label>
      <div className="cv-row">
        <Button size="sm" kind="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" kind="primary" type="submit">
          Add transition
        </Button>
      </div>
    </form>
  );
}
