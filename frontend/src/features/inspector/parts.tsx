/** What the pages of the inspector share. */
import { ArrowDown, ArrowUp, CornerDownRight, Plus } from "lucide-react";
import { useState } from "react";

import { indexOf, labelText, nameOf, triggerKind, type Draft, type Id, type Operation, type Problem, type Transition } from "../../model";
import type { Desk, MarkStore } from "../../store";
import { newId } from "../../transport";
import { Button, IconButton, type Fault } from "../../ui";
import { connect, triggerIcon } from "../canvas";

export interface PageProps {
  draft: Draft;
  desk: Desk;
  marks: MarkStore;
  problems: readonly Problem[];
  onEdit(operations: readonly Operation[], label: string): void;
}

/** The problems of one field, as notes under it. */
export const faultsOf = (problems: readonly Problem[], field: string): Fault[] =>
  problems
    .filter((problem) => problem.field === field)
    .map((problem) => ({ tone: problem.severity === "error" ? "bad" : "warn", text: problem.hint ? `${problem.message} ${problem.hint}` : problem.message }));

export const splitWords = (text: string): string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);

export const hearStates = (draft: Draft, region: Id): [string, string][] =>
  (indexOf(draft).statesOf.get(region) ?? []).map((state) => [state.id, nameOf(state)]);

/** Problems that no field shows. */
export function Rest({ problems, shown }: { problems: readonly Problem[]; shown: readonly string[] }) {
  const rest = problems.filter((problem) => !problem.field || !shown.includes(problem.field));
  if (rest.length === 0) return null;
  return (
    <ul className="in-rest">
      {rest.map((problem, n) => (
        <li key={n} className="ui-note" data-tone={problem.severity === "error" ? "bad" : problem.severity === "warning" ? "warn" : "info"}>
          <div>
            {problem.message}
            {problem.hint && <p className="ui-hint">{problem.hint}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Ways out of a state or region, in the order they are tried. */
export function Ways({ source, draft, desk, marks, onEdit }: { source: Id } & Omit<PageProps, "problems">) {
  const index = indexOf(draft);
  const ways = index.outOf.get(source) ?? [];
  return (
    <section className="in-section" aria-label="Transitions out">
      <h3>Transitions out</h3>
      <ol className="in-ways">
        {ways.map((way, n) => (
          <li key={way.id}>
            <WayButton way={way} draft={draft} desk={desk} marks={marks} />
            <IconButton size="sm" icon={ArrowUp} label="Try earlier" disabled={n === 0} onClick={() => onEdit([{ op: "transition.move", id: way.id, source, index: n - 1 }], "Reorder transitions")} />
            <IconButton size="sm" icon={ArrowDown} label="Try later" disabled={n === ways.length - 1} onClick={() => onEdit([{ op: "transition.move", id: way.id, source, index: n + 1 }], "Reorder transitions")} />
          </li>
        ))}
      </ol>
      <AddWay source={source} draft={draft} desk={desk} onEdit={onEdit} />
    </section>
  );
}

function WayButton({ way, draft, desk, marks }: { way: Transition; draft: Draft; desk: Desk; marks: MarkStore }) {
  const Icon = triggerIcon[triggerKind(way.on)];
  const target = way.target ? indexOf(draft).state.get(way.target) : undefined;
  return (
    <button
      type="button"
      className="in-way"
      onClick={() => {
        desk.select({ kind: "transition", id: way.id });
        marks.focus(way.id);
      }}
    >
      <Icon size={13} aria-hidden />
      <span className="ui-trunc">{labelText(way)}</span>
      <b>{target ? nameOf(target) : "stays"}</b>
    </button>
  );
}

/** Connecting without a mouse: "add a transition to …". */
function AddWay({ source, draft, desk, onEdit }: { source: Id; draft: Draft; desk: Desk; onEdit: PageProps["onEdit"] }) {
  const [target, setTarget] = useState("");
  return (
    <div className="in-pair is-end">
      <label className="ui-field">
        <span className="ui-label">Add a transition to</span>
        <select className="ui-input" value={target} onChange={(event) => setTarget(event.target.value)}>
          <option value="">nowhere (stays)</option>
          {draft.states.map((state) => (
            <option key={state.id} value={state.id}>
              {nameOf(state)}
            </option>
          ))}
        </select>
      </label>
      <Button
        icon={Plus}
        onClick={() => {
          const id = newId();
          onEdit(connect(source, target || null, { event: "next" }, null, id), "Connect");
          desk.goTo({ kind: "transition", id }, "on");
        }}
      >
        Add
      </Button>
    </div>
  );
}

export function Title({ over, children }: { over: string; children: string }) {
  return (
    <header className="in-title">
      <span>{over}</span>
      <h2>{children}</h2>
    </header>
  );
}

export const Inside = CornerDownRight;
