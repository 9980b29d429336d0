import { useId, useRef, type KeyboardEvent, type ReactNode } from "react";

export interface Tab<Key extends string> {
  key: Key;
  label: ReactNode;
  end?: ReactNode;
}

/** Underlined tabs by the ARIA pattern: one tab stop, arrows move, Home and End jump. */
export function Tabs<Key extends string>({ tabs, active, onChange, label, end }: {
  tabs: readonly Tab<Key>[]; active: Key; onChange: (key: Key) => void; label: string; end?: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  function go(index: number): void {
    const tab = tabs[(index + tabs.length) % tabs.length];
    if (!tab) return;
    onChange(tab.key);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.key}"]`)?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const at = tabs.findIndex((tab) => tab.key === active);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  }

  return (
    <div className="ui-row" style={{ gap: 0, flex: "none", borderBottom: "1px solid var(--ln-divider)" }}>
      <div className="ui-tabs ui-grow" style={{ borderBottom: 0 }} role="tablist" aria-label={label} ref={list}>
        {tabs.map((tab) => (
          <button key={tab.key} type="button" role="tab" id={`${id}-${tab.key}`} data-tab={tab.key}
            aria-selected={tab.key === active} tabIndex={tab.key === active ? 0 : -1} onKeyDown={onKeyDown} onClick={() => onChange(tab.key)}>
            {tab.label}
            {tab.end !== undefined && <span className="ui-muted ui-num">{tab.end}</span>}
          </button>
        ))}
      </div>
      {end}
    </div>
  );
}

/** A switch between a few things that exclude each other. */
export function Segmented<Key extends string>({ options, value, onChange, label }: {
  options: readonly { key: Key; label: ReactNode }[]; value: Key; onChange: (key: Key) => void; label: string;
}) {
  return (
    <div className="ui-seg" role="group" aria-label={label}>
      {options.map((option) => (
        <button key={option.key} type="button" aria-pressed={option.key === value} onClick={() => onChange(option.key)}>
          {option.label}
        </button>
      ))}
    </div>
  );
}
