/** Slot values as people type and read them. Pure. */
import type { Json, Slot } from "../../model/draft";

export type Typed = { ok: true; value: Json } | { ok: false; message: string };

const readers: Readonly<Partial<Record<Slot["type"], (text: string) => Typed>>> = {
  integer: (text) => (/^-?\d+$/.test(text) ? { ok: true, value: Number(text) } : { ok: false, message: "A whole number is needed." }),
  number: (text) => (text !== "" && Number.isFinite(Number(text)) ? { ok: true, value: Number(text) } : { ok: false, message: "A number is needed." }),
  boolean: (text) => ({ ok: true, value: text === "true" }),
  list: (text) => ({ ok: true, value: text === "" ? [] : text.split(",").map((part) => part.trim()) }),
};

/** What was typed, as the slot's type has it. The server checks the rest (pattern, range, choices). */
export function readSlotValue(type: Slot["type"], text: string): Typed {
  return readers[type]?.(text.trim()) ?? { ok: true, value: text };
}

const DOTS = "•••";

/** A value as it may be seen: a sensitive one keeps its last four characters at most, and only when it is long. */
export function shownValue(value: Json | undefined, sensitive: boolean): string {
  if (value === null || value === undefined) return "unset";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (!sensitive) return text;
  if (text.includes("•") || text.includes("***")) return text;
  return text.length >= 8 ? DOTS + text.slice(-4) : DOTS;
}
