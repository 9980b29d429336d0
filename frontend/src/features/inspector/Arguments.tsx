/** The arguments of a tool: rows of name and type for what most tools need, the JSON Schema itself for the rest. */
import { Plus, Trash2 } from "lucide-react";

import { uniqueKey, type Json } from "../../model";
import { CheckLine, Choice, IconButton, Line, Paragraph, Faults, type Fault } from "../../ui";
import { readData } from "./Effects";

type Schema = { [key: string]: Json };
const TYPES = ["string", "integer", "number", "boolean", "array", "object"] as const;

const objectOf = (value: Json | undefined): Schema => (typeof value === "object" && value !== null && !Array.isArray(value) ? value : {});
const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** The schema with these properties; an object without any is no schema at all. */
export function withProperties(schema: Schema, properties: readonly (readonly [string, Schema])[], required: readonly string[]): Schema {
  if (properties.length === 0) return {};
  const rest: Schema = { ...schema };
  Reflect.deleteProperty(rest, "required");
  const names = properties.map(([name]) => name);
  const needed = required.filter((name) => names.includes(name));
  return { ...rest, type: "object", properties: Object.fromEntries(properties), ...(needed.length > 0 ? { required: needed } : {}) };
}

export function Arguments({ schema, name, faults, onChange }: { schema: Schema; name: string; faults: Fault[]; onChange(schema: Schema): void }) {
  const properties = Object.entries(objectOf(schema.properties)).map(([key, value]) => [key, objectOf(value)] as const);
  const required = listOf(schema.required).filter((one): one is string => typeof one === "string");
  const put = (n: number, key: string, value: Schema, needed: readonly string[] = required): void =>
    onChange(withProperties(schema, properties.map((one, at) => (at === n ? ([key, value] as const) : one)), needed));
  return (
    <fieldset className="in-sub">
      <legend>Arguments</legend>
      {properties.map(([key, value], n) => (
        <div className="in-argument" key={n}>
          <Line label="Name" code value={key} onCommit={(text) => text.trim() && put(n, text.trim(), value, required.map((one) => (one === key ? text.trim() : one)))} />
          <Choice label="Type" value={typeof value.type === "string" ? value.type : "string"} options={TYPES.map((type) => [type, type])} onChange={(type) => put(n, key, { ...value, type })} />
          <IconButton size="sm" icon={Trash2} label={`Remove the argument ${key}`} onClick={() => onChange(withProperties(schema, properties.filter((_, at) => at !== n), required))} />
          <CheckLine label="needed" value={required.includes(key)} onChange={(on) => put(n, key, value, on ? [...required, key] : required.filter((one) => one !== key))} />
        </div>
      ))}
      <Faults faults={faults} />
      <button type="button" className="in-add" data-field={name} onClick={() => onChange(withProperties(schema, [...properties, [uniqueKey("argument", properties.map(([key]) => key)), { type: "string" }]], required))}>
        <Plus size={14} aria-hidden /> Add argument
      </button>
      <details>
        <summary className="ui-hint">As JSON Schema</summary>
        <Paragraph label="JSON Schema" rows={5} value={Object.keys(schema).length > 0 ? JSON.stringify(schema, null, 1) : ""}
          onCommit={(text) => {
            const read = readData(text);
            if (read !== undefined) onChange(read ?? {});
          }} />
      </details>
    </fieldset>
  );
}
