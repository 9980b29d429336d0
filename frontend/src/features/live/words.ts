/** Call events as a colleague would tell them. Names of states and slots stay as the author wrote them. */
import type { Json } from "../../model/draft";
import { nameOf } from "../../model/names";
import type { CallEvent } from "../../model/step";
import { shownValue } from "./slotValue";

export interface Told {
  tone: "plain" | "quiet" | "bad" | "fault" | "warn" | "live" | "ok";
  words: string;
}

/** Finds what people call a state; gives the key back when nobody named it. */
export type NameOf = (stateKey: string) => string;

function plain(value: Json | undefined): string {
  if (value === null || value === undefined) return "unset";
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}

function list(value: Json | undefined, named: NameOf): string {
  const keys = Array.isArray(value) ? value.map(plain) : value ? [plain(value)] : [];
  return keys.map(named).join(" and ") || "the active states";
}

type Teller = (data: CallEvent["data"], named: NameOf, hidden: ReadonlySet<string>) => Told;

function slotTold(data: CallEvent["data"], hidden: ReadonlySet<string>): Told {
  const slot = plain(data.slot);
  if (data.to === null || data.to === undefined) return say(`${slot} cleared`);
  return say(`${slot} = ${shownValue(data.to, hidden.has(slot))}${data.by ? `, by the ${plain(data.by)}` : ""}`);
}

function say(words: string, tone: Told["tone"] = "plain"): Told {
  return { tone, words };
}

function moveTold(data: CallEvent["data"], named: NameOf): Told {
  const trigger = data.event ? ` on ${plain(data.event)}` : "";
  const target = data.target ? named(plain(data.target)) : null;
  return say(target ? `${named(plain(data.source))} → ${target}${trigger}` : `${named(plain(data.source))}: ${plain(data.transition)} taken${trigger}`);
}

function refusalTold(data: CallEvent["data"], named: NameOf): Told {
  const told = data.message ?? data.detail;
  if (typeof told === "string" && told) return say(told, "bad");
  return say(`${plain(data.event ?? data.proposal)} was refused in ${list(data.states, named)}: ${plain(data.reason)}`, "bad");
}

function endTold(data: CallEvent["data"]): Told {
  const why = data.reason ? ` (${plain(data.reason)})` : "";
  return say(data.outcome ? `The Call ended: ${plain(data.outcome)}${why}` : `The Call ended${why}`, "ok");
}

function handoffTold(data: CallEvent["data"]): Told {
  if (!data.to) return say(`Handed back by ${plain(data.from)}: the chart's own Agent speaks again`);
  return say(`Handed off${data.from ? ` from ${plain(data.from)}` : ""} to ${plain(data.to)}`);
}

function timerName(data: CallEvent["data"]): string {
  return plain(data.transition ?? data.timer).replace(/@\d+$/, "");
}

function timeOf(value: Json | undefined): string {
  return plain(value).replace(/^\d{4}-\d{2}-\d{2}T(\d{2}:\d{2}:\d{2}).*$/, "$1 UTC");
}

const tellers: Readonly<Record<string, Teller>> = {
  "call.started": (data) => say(`The Call started on v${plain(data.version)}`, "ok"),
  "call.ended": endTold,
  "turn.caller": (data) => say(plain(data.text)),
  "turn.agent": (data) => say(plain(data.text)),
  "state.entered": (data, named) => say(`Entered ${named(plain(data.state))}${typeof data.visits === "number" && data.visits > 1 ? `, visit ${data.visits}` : ""}`, "quiet"),
  "state.exited": (data, named) => say(`Left ${named(plain(data.state))}`, "quiet"),
  "transition.taken": moveTold,
  "transition.refused": refusalTold,
  "slot.set": (data, _named, hidden) => slotTold(data, hidden),
  "guard.error": (data) => say(`The guard ${plain(data.expression)} could not be read: ${plain(data.error)}`, "fault"),
  "effect.error": (data) => say(`An effect failed: ${plain(data.error)} in ${plain(data.expression)}`, "fault"),
  "handoff.completed": handoffTold,
  "machine.limit_reached": (data, named) => say(`Limit of ${plain(data.limit)} reached: ${plain(data.used)} of ${plain(data.allowed)}${data.target ? `, on to ${named(plain(data.target))}` : ""}`, "warn"),
  "decision.verdict": (data) => say(`${plain(data.question)}: ${plain(data.answer)}${typeof data.confidence === "number" ? `, ${Math.round(data.confidence * 100)} % sure` : ""}`),
  "decision.failed": (data) => say(`No answer to ${plain(data.question)}${data.error ? `: ${plain(data.error)}` : ""}`, "warn"),
  "tool.requested": (data) => say(`Asks for the tool ${plain(data.tool)}`),
  "tool.approved": (data) => say(`The tool ${plain(data.tool)} was approved`),
  "tool.denied": (data) => say(`The tool ${plain(data.tool)} was denied`, "bad"),
  "tool.result": (data) => say(`The tool ${plain(data.tool)} answered`),
  "hook.dispatched": (data) => say(`Hook ${plain(data.hook)} sent`, "quiet"),
  "timer.started": (data) => say(`Timer for ${timerName(data)} started, due ${timeOf(data.due)}`, "quiet"),
  "timer.fired": (data) => say(`Time is up: ${timerName(data)}`),
  "timer.cancelled": (data) => say(`Timer for ${timerName(data)} stopped`, "quiet"),
  "proposal.stale": () => say("A proposal came too late: the Call had moved on", "warn"),
};

const NONE: ReadonlySet<string> = new Set();

/** One line for an event; `hidden` slots are masked. A type nobody taught us is shown as it is. */
export function tell(event: CallEvent, named: NameOf, hidden: ReadonlySet<string> = NONE): Told {
  const teller = tellers[event.type];
  if (teller) return teller(event.data, named, hidden);
  const rest = Object.entries(event.data).map(([key, value]) => `${key} ${plain(value)}`).join(", ");
  return say(rest ? `${event.type}: ${rest}` : event.type, "quiet");
}

/** `key` → label, for the sentences above. */
export function namesOf(states: readonly { key: string; label: string | null }[]): NameOf {
  const names = new Map(states.map((state) => [state.key, nameOf(state)]));
  return (key) => names.get(key) ?? key;
}
