/** Fields that keep what is typed on Enter or when they are left, and only if it changed. */
import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from "react";

export interface Fault {
  tone: "bad" | "warn" | "info";
  text: string;
}

export function Faults({ faults, id }: { faults?: readonly Fault[]; id?: string }) {
  if (!faults || faults.length === 0) return null;
  return (
    <span id={id}>
      {faults.map((fault, n) => (
        <span key={n} className="ui-hint" data-tone={fault.tone} style={{ display: "block" }}>{fault.text}</span>
      ))}
    </span>
  );
}

export function Labelled({ label, faults, hint, children }: { label: string; faults?: readonly Fault[]; hint?: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="ui-field">
      <label className="ui-label" htmlFor={id}>{label}</label>
      {children(id)}
      {hint && <span className="ui-hint">{hint}</span>}
      <Faults faults={faults} />
    </div>
  );
}

/** What is typed, until it is kept; a new value from outside replaces it. */
function useTyped(value: string, onCommit: (text: string) => void): { text: string; setText(text: string): void; keep(): void; leave(): void } {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  useEffect(() => {
    if (seen !== value) {
      setSeen(value);
      setText(value);
    }
  }, [value, seen]);
  return { text, setText, keep: () => { if (text !== value) onCommit(text); }, leave: () => setText(value) };
}

interface TextProps {
  label: string;
  value: string;
  onCommit: (text: string) => void;
  faults?: readonly Fault[];
  hint?: string;
  placeholder?: string;
  name?: string;
}

export function Line({ label, value, onCommit, faults, hint, placeholder, code = false, list, name }: TextProps & { code?: boolean; list?: string }) {
  const typed = useTyped(value, onCommit);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter") typed.keep();
    if (event.key === "Escape") typed.leave();
  };
  return (
    <Labelled label={label} faults={faults} hint={hint}>
      {(id) => (
        <input id={id} data-field={name} className={`ui-input ${code ? "mono" : ""}`} value={typed.text} list={list} placeholder={placeholder} aria-invalid={faults?.some((fault) => fault.tone === "bad") || undefined}
          onChange={(event) => typed.setText(event.target.value)} onBlur={typed.keep} onKeyDown={onKeyDown} />
      )}
    </Labelled>
  );
}

export function Paragraph({ label, value, onCommit, faults, hint, placeholder, name, rows = 3 }: TextProps & { rows?: number }) {
  const typed = useTyped(value, onCommit);
  return (
    <Labelled label={label} faults={faults} hint={hint}>
      {(id) => (
        <textarea id={id} data-field={name} className="ui-input" rows={rows} value={typed.text} placeholder={placeholder} aria-invalid={faults?.some((fault) => fault.tone === "bad") || undefined}
          onChange={(event) => typed.setText(event.target.value)} onBlur={typed.keep}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) typed.keep();
            if (event.key === "Escape") typed.leave();
          }} />
      )}
    </Labelled>
  );
}

/** A number or nothing. What is no number is left as it was. */
export function NumberLine({ label, value, onCommit, faults, hint, placeholder, name }: Omit<TextProps, "value" | "onCommit"> & { value: number | null | undefined; onCommit: (value: number | null) => void }) {
  const commit = (text: string): void => {
    const words = text.trim();
    if (words === "") onCommit(null);
    else if (Number.isFinite(Number(words))) onCommit(Number(words));
  };
  return <Line label={label} value={value === null || value === undefined ? "" : String(value)} onCommit={commit} faults={faults} hint={hint} placeholder={placeholder ?? "none"} name={name} />;
}

export function Choice({ label, value, options, onChange, faults, hint, name }: {
  label: string; value: string; options: readonly (readonly [string, string])[]; onChange: (value: string) => void; faults?: readonly Fault[]; hint?: string; name?: string;
}) {
  return (
    <Labelled label={label} faults={faults} hint={hint}>
      {(id) => (
        <select id={id} data-field={name} className="ui-input" value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map(([key, words]) => <option key={key} value={key}>{words}</option>)}
        </select>
      )}
    </Labelled>
  );
}

export function CheckLine({ label, value, onChange, name }: { label: string; value: boolean; onChange: (value: boolean) => void; name?: string }) {
  return (
    <label className="ui-row" style={{ fontSize: 13, cursor: "pointer" }}>
      <input type="checkbox" data-field={name} checked={value} onChange={(event) => onChange(event.target.checked)} style={{ accentColor: "var(--accent)", width: 16, height: 16 }} />
      {label}
    </label>
  );
}
