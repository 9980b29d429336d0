/** Names, keys and the words on a transition. */
import type { Draft, Effect, Id, Region, State, Transition, Trigger, TriggerKind } from "./draft";

export const nameOf = (row: { key: string; label: string | null }): string => row.label || sentence(row.key);

const sentence = (key: string): string => {
  const words = key.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const KEY_LENGTH = 64;

/** `"Ask the number!"` -> `"ask_the_number"`; never empty, always `[a-z][a-z0-9_]*`, at most 64 characters. */
export function slug(text: string, fallback = "state"): string {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  const key = plain === "" ? fallback : /^[a-z]/.test(plain) ? plain : `${fallback}_${plain}`;
  return key.slice(0, KEY_LENGTH).replace(/_+$/, "");
}

/** The key, or the key with the first free number behind it. */
export function uniqueKey(wanted: string, taken: Iterable<string>): string {
  const used = new Set(taken);
  if (!used.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const ending = `_${number}`;
    const key = wanted.slice(0, KEY_LENGTH - ending.length) + ending;
    if (!used.has(key)) return key;
  }
}

export const stateKeys = (draft: Draft, except?: Id): string[] =>
  draft.states.filter((row) => row.id !== except).map((row) => row.key);
export const regionKeys = (draft: Draft, except?: Id): string[] =>
  draft.regions.filter((row) => row.id !== except).map((row) => row.key);

/** The key a transition has when it was given none (contracts.md, section 1). */
export function transitionKey(draft: Draft, transition: Transition): string {
  if (transition.key) return transition.key;
  const source =
    draft.states.find((row) => row.id === transition.source) ?? draft.regions.find((row) => row.id === transition.source);
  const siblings = draft.transitions.filter((row) => row.source === transition.source);
  return `${source?.key ?? "transition"}_${siblings.indexOf(transition) + 1}`;
}

export function triggerKind(on: Trigger): TriggerKind {
  if (on.propose !== undefined) return "propose";
  if (on.after !== undefined) return "after";
  if (on.always) return "always";
  if (on.done) return "done";
  return "event";
}

/** The first words of a label: event name, proposal text, or when it fires. */
export function triggerText(on: Trigger): string {
  switch (triggerKind(on)) {
    case "propose":
      return on.propose || "proposal";
    case "after":
      return `after ${on.after ?? ""}`.trim();
    case "always":
      return "always";
    case "done":
      return "done";
    case "event":
      return Array.isArray(on.event) ? on.event.join(", ") : (on.event ?? "");
  }
}

export function effectText(effect: Effect): string {
  if (effect.set !== undefined) return `set ${effect.set} = ${effect.value ?? ""}`;
  if (effect.clear !== undefined) return `clear ${effect.clear}`;
  if (effect.raise !== undefined) return `raise ${effect.raise}`;
  if (effect.say !== undefined) return `say ${effect.say}`;
  if (effect.call !== undefined) return `call ${effect.call}`;
  if (effect.handoff !== undefined) return `hand off to ${effect.handoff}`;
  if (effect.hook !== undefined) return `hook ${effect.hook}`;
  if (effect.end !== undefined) return `end ${effect.end}`;
  return "";
}

export const effectsText = (effects: readonly Effect[]): string => effects.map(effectText).join("; ");

/** `event [guard] / effect`, the whole of it. */
export function labelText(transition: Pick<Transition, "on" | "guard" | "effects">): string {
  const guard = transition.guard ? ` [${transition.guard}]` : "";
  const effects = transition.effects.length > 0 ? ` / ${effectsText(transition.effects)}` : "";
  return triggerText(transition.on) + guard + effects;
}

const FULL = 36;
export const cut = (text: string, length = FULL): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;

/** The two lines of a pill: what it waits for, over what it asks and does. The second may be absent. */
export function labelLines(transition: Pick<Transition, "on" | "guard" | "effects">): [string, string | null] {
  const guard = transition.guard ? `[${cut(transition.guard.replace(/\bslots\./g, ""), 30)}]` : "";
  const effects = transition.effects.length > 0 ? `/ ${cut(effectsText(transition.effects), 30)}` : "";
  const second = guard === "" ? effects : effects === "" || guard.length > 16 ? guard : cut(`${guard} ${effects}`);
  return [cut(triggerText(transition.on), 30), second === "" ? null : second];
}

/** `{slots.a}` and `slots.a` in an expression or a template: the slots it reads, each once. */
export function slotsRead(text: string | null | undefined): string[] {
  if (!text) return [];
  return [...new Set([...text.matchAll(/\bslots\.([a-z][a-z0-9_]*)/g)].map((match) => match[1] ?? ""))];
}

const KINDS: { [kind: string]: string } = { final: "Final state", history: "History", choice: "Choice" };

/** What a screen reader says of a state: kind, name, region, and its ways out. */
export function describeState(draft: Draft, state: State): string {
  const region = draft.regions.find((row) => row.id === state.region);
  const composite = draft.regions.some((row) => row.parent === state.id);
  const kind = KINDS[state.kind ?? "state"] ?? (composite ? "Composite state" : "State");
  const out = draft.transitions.filter((row) => row.source === state.id);
  const ways =
    out.length === 0 ? "no transitions out" : `${out.length} transition${out.length === 1 ? "" : "s"} out`;
  return `${kind} ${nameOf(state)}, in ${region ? nameOf(region) : "no region"}, ${ways}`;
}

/** What a screen reader says of a transition. */
export function describeTransition(draft: Draft, transition: Transition): string {
  const end = (id: Id | null): string => {
    const row: State | Region | undefined =
      draft.states.find((state) => state.id === id) ?? draft.regions.find((region) => region.id === id);
    return row ? nameOf(row) : "nowhere";
  };
  const target = transition.target === null ? "stays" : `to ${end(transition.target)}`;
  return `Transition from ${end(transition.source)} ${target}: ${labelText(transition)}`;
}
