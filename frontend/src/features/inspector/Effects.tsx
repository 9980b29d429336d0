/** Effects, in order: what a transition, an entry or an exit does. The same block everywhere. */
import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";

import type { Draft, Effect, Json, Problem } from "../../model";
import { Button, Choice, IconButton, Line } from "../../ui";
import { Expression } from "./Expression";

const VERBS = ["set", "clear", "raise", "say", "call", "handoff", "hook", "end"] as const;
type Verb = (typeof VERBS)[number];

const WORDS: { [verb in Verb]: string } = {
  set: "set a slot",
  clear: "clear a slot",
  raise: "raise an event",
  say: "say a prompt",
  call: "call a tool",
  handoff: "hand off to",
  hook: "dispatch a hook",
  end: "end the Call",
};

export const verbOf = (effect: Effect): Verb => VERBS.find((verb) => effect[verb] !== undefined) ?? "set";

/** A fresh effect of a kind, with the first fitting name filled in. */
export function freshEffect(verb: Verb, draft: Draft): Effect {
  const slot = draft.slots[0]?.key ?? "slot";
  switch (verb) {
    case "set":
      return { set: slot, value: "true" };
    case "clear":
      return { clear: slot };
    case "raise":
      return { raise: "event" };
    case "say":
      return { say: draft.settings.prompts[0]?.key ?? "prompt" };
    case "call":
      return { call: draft.settings.tools[0]?.key ?? "tool" };
    case "handoff":
      return { handoff: draft.settings.squad[0]?.key ?? "colleague" };
    case "hook":
      return { hook: "hook" };
    case "end":
      return { end: draft.settings.outcomes[0]?.key ?? "done" };
  }
}

function offers(draft: Draft, verb: Verb): string[] {
  const { prompts, tools, outcomes, squad } = draft.settings;
  const rows = { set: draft.slots, clear: draft.slots, say: prompts, call: tools, handoff: squad, end: outcomes, raise: [], hook: [] }[verb];
  return rows.map((row: { key: string }) => row.key);
}

/** A JSON object or nothing; undefined when it cannot be read. */
export function readData(text: string): { [key: string]: Json } | null | undefined {
  if (text.trim() === "") return null;
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function EffectFields({ effect, at, draft, problems, onChange, field }: { effect: Effect; at: number; draft: Draft; problems: Problem[]; onChange(effect: Effect): void; field: string }) {
  const verb = verbOf(effect);
  const known = offers(draft, verb);
  const name = String(effect[verb] ?? "");
  const choices = known.includes(name) || name === "" ? known : [name, ...known];
  const carried = verb === "call" ? "args" : verb === "raise" || verb === "hook" ? "data" : null;
  return (
    <>
      <div className="in-pair">
        <Choice label="Effect" value={verb} options={VERBS.map((one) => [one, WORDS[one]])} onChange={(next) => onChange(freshEffect(next as Verb, draft))} />
        {choices.length > 0 ? (
          <Choice label="What" value={name} options={choices.map((key) => [key, key])} onChange={(key) => onChange({ ...effect, [verb]: key })} name={at === 0 ? field : undefined} />
        ) : (
          <Line label="What" code value={name} onCommit={(text) => onChange({ ...effect, [verb]: text.trim() })} name={at === 0 ? field : undefined} />
        )}
      </div>
      {verb === "set" && (
        <Expression label="To" name={`${field}.${at}.value`} value={effect.value ?? ""} draft={draft} problems={problems} onCommit={(value) => onChange({ ...effect, value })} placeholder="'refund'" />
      )}
      {carried && (
        <Line
          label={carried === "args" ? "Arguments, as JSON of expressions" : "Data, as JSON"}
          code
          value={effect[carried] ? JSON.stringify(effect[carried]) : ""}
          onCommit={(text) => {
            const data = readData(text);
            if (data === undefined) return;
            const rest: Effect = { ...effect };
            Reflect.deleteProperty(rest, carried);
            onChange(data === null ? rest : { ...rest, [carried]: data });
          }}
          placeholder="{}"
        />
      )}
    </>
  );
}

export interface EffectsProps {
  title: string;
  field: "effects" | "entry" | "exit";
  effects: readonly Effect[];
  draft: Draft;
  problems: readonly Problem[];
  onChange(effects: Effect[]): void;
}

/** Problems of the n-th effect: their path goes through `field`, n. */
export function problemsOfEffect(problems: readonly Problem[], field: string, n: number): Problem[] {
  return problems.filter((problem) => {
    const at = problem.path.lastIndexOf(field);
    return at >= 0 && problem.path[at + 1] === n;
  });
}

export function Effects({ title, field, effects, draft, problems, onChange }: EffectsProps) {
  const replace = (n: number, effect: Effect): void => onChange(effects.map((one, at) => (at === n ? effect : one)));
  const swap = (n: number, to: number): void => {
    const next = [...effects];
    const moved = next.splice(n, 1);
    next.splice(to, 0, ...moved);
    onChange(next);
  };
  return (
    <section className="in-section" aria-label={title}>
      <h3>
        {title}
        <IconButton size="sm" icon={Plus} label={`Add to ${title.toLowerCase()}`} onClick={() => onChange([...effects, freshEffect("set", draft)])} />
      </h3>
      {effects.length === 0 && (
        <Button size="sm" kind="ghost" icon={Plus} data-field={field} onClick={() => onChange([freshEffect(draft.slots.length ? "set" : "say", draft)])}>
          Add an effect
        </Button>
      )}
      {effects.map((effect, n) => {
        const own = problemsOfEffect(problems, field, n);
        return (
          <div className="in-effect" key={n}>
            <EffectFields effect={effect} at={n} field={field} draft={draft} problems={own} onChange={(next) => replace(n, next)} />
            {verbOf(effect) !== "set" &&
              own.map((problem) => (
                <p key={problem.code} className="ui-hint" data-tone={problem.severity === "error" ? "bad" : undefined}>
                  {problem.message}
                </p>
              ))}
            <div className="in-effectend">
              <IconButton size="sm" icon={ArrowUp} label="Earlier" disabled={n === 0} onClick={() => swap(n, n - 1)} />
              <IconButton size="sm" icon={ArrowDown} label="Later" disabled={n === effects.length - 1} onClick={() => swap(n, n + 1)} />
              <IconButton size="sm" icon={Trash2} label="Remove this effect" onClick={() => onChange(effects.filter((_, at) => at !== n))} />
            </div>
          </div>
        );
      })}
    </section>
  );
}
