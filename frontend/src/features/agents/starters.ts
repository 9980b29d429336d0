/** What a new agent can begin with, and what an imported file must be. Pure. */
import type { Draft, Json } from "../../model/draft";
import type { NewAgent } from "../../transport/resources";

export function isRecord(value: unknown): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One lane with a start, a transition and a final state: the smallest chart that runs to its end. */
export function blankDocument(key: string, name: string): Record<string, Json> {
  return {
    format: "callchart.agent/1", key, name, instructions: "", prompts: [], tools: [], outcomes: [], squad: [], slots: [],
    machine: {
      format: "callchart.machine/1",
      regions: [{
        key: "conversation", label: "Conversation", role: "speaker", initial: "start",
        states: [
          { key: "start", label: "Start", transitions: [{ on: { event: "call.done" }, target: "end" }] },
          { key: "end", label: "End", kind: "final" },
        ],
      }],
    },
  };
}

/** Where things stand, by key as a document has it: ids mean nothing in another draft. */
export function layoutByKey({ layout, states, regions }: Pick<Draft, "layout" | "states" | "regions">): Record<string, Json> {
  const placed = (rows: readonly { id: string; key: string }[]): Record<string, Json> =>
    Object.fromEntries(rows.flatMap(({ id, key }) => (layout[id] ? [[key, { ...layout[id] }] as const] : [])));
  return { regions: placed(regions), states: placed(states) };
}

export type Imported = { ok: true; agent: NewAgent; name: string } | { ok: false; message: string };

/** Reads a file someone chose. Only its outer shape is looked at: the server checks the rest and names each path. */
export function readImport(text: string, fileName: string, freeKey: (wanted: string) => string): Imported {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `${fileName} is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!isRecord(value)) return { ok: false, message: `${fileName} holds no agent document: it should be an object.` };
  const document = isRecord(value.document) ? value.document : value;
  if (document.format === "callchart.machine/1") {
    const name = fileName.replace(/\.json$/i, "");
    const key = freeKey(name);
    return { ok: true, agent: { document: { ...blankDocument(key, name), machine: document } }, name };
  }
  if (document.format !== "callchart.agent/1") {
    return { ok: false, message: `${fileName} says its format is ${JSON.stringify(document.format ?? null)}. Expected "callchart.agent/1" or "callchart.machine/1".` };
  }
  const key = freeKey(typeof document.key === "string" ? document.key : fileName);
  const layout = isRecord(value.layout) ? { layout: value.layout } : {};
  return { ok: true, agent: { document: { ...document, key }, ...layout }, name: String(document.name ?? key) };
}
