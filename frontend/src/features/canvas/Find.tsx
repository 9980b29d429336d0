/** ⌘F: states, regions and transitions by any of their words. */
import { Search } from "lucide-react";
import { useMemo, useState } from "react";

import { labelText, nameOf, type Draft, type Subject } from "../../model";

interface Hit {
  subject: Subject;
  name: string;
  kind: string;
}

const MOST = 12;

/** Everything whose name, key, prompt, label or notes hold all the words. */
export function findIn(draft: Draft, text: string): Hit[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const fits = (...parts: (string | null | undefined)[]): boolean => {
    const all = parts.filter(Boolean).join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const prompts = new Map(draft.settings.prompts.map((prompt) => [prompt.key, prompt.text]));
  const states = draft.states
    .filter((row) => fits(row.label, row.key, row.prompt, prompts.get(row.prompt ?? ""), row.notes, ...row.tools, ...row.keywords))
    .map((row): Hit => ({ subject: { kind: "state", id: row.id }, name: nameOf(row), kind: "state" }));
  const transitions = draft.transitions
    .filter((row) => fits(labelText(row), row.key, row.label, row.notes))
    .map((row): Hit => ({ subject: { kind: "transition", id: row.id }, name: labelText(row), kind: "transition" }));
  const regions = draft.regions
    .filter((row) => fits(row.label, row.key))
    .map((row): Hit => ({ subject: { kind: "region", id: row.id }, name: nameOf(row), kind: "region" }));
  return [...states, ...transitions, ...regions];
}

export function Find({ draft, onGo, onClose }: { draft: Draft; onGo(subject: Subject): void; onClose(): void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const hits = useMemo(() => findIn(draft, text), [draft, text]);
  const go = (n: number): void => {
    const hit = hits[(n + hits.length) % Math.max(1, hits.length)];
    if (!hit) return;
    setAt((n + hits.length) % hits.length);
    onGo(hit.subject);
  };
  return (
    <div className="cv-find" role="search">
      <label>
        <Search size={14} aria-hidden />
        <input
          aria-label="Find in the chart"
          autoFocus
          value={text}
          placeholder="Find a state, an event, a guard…"
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === "Escape") onClose();
            if (event.key === "Enter") {
              event.preventDefault();
              go(event.shiftKey ? at - 1 : at);
              if (!event.shiftKey) setAt((n) => (hits.length ? (n + 1) % hits.length : 0));
            }
            if (event.key === "ArrowDown") setAt((n) => Math.min(n + 1, hits.length - 1));
            if (event.key === "ArrowUp") setAt((n) => Math.max(n - 1, 0));
          }}
        />
        <span className="ui-num" role="status">
          {text ? hits.length : ""}
        </span>
      </label>
      {hits.length > 0 && (
        <ul>
          {hits.slice(0, MOST).map((hit, n) => (
            <li key={hit.subject.id}>
              <button type="button" data-on={n === at} onClick={() => go(n)}>
                <span>{hit.name}</span>
                <small>{hit.kind}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
