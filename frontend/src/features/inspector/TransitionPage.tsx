import { Trash2 } from "lucide-react";

import { indexOf, nameOf, slug, triggerKind, triggerText, type Transition, type TriggerKind } from "../../model";
import { Button, CheckLine, Choice, Line, NumberLine, Paragraph } from "../../ui";
import { triggerOf } from "../canvas";
import { Effects } from "./Effects";
import { Expression } from "./Expression";
import { faultsOf, Rest, Title, type PageProps } from "./parts";

const KINDS: readonly (readonly [TriggerKind, string])[] = [
  ["event", "an event comes"],
  ["propose", "the model proposes it"],
  ["after", "time has passed"],
  ["always", "always (the guard alone)"],
  ["done", "everything inside is done"],
];
const WORDS: { [kind in TriggerKind]: { label: string; hint?: string } | null } = {
  event: { label: "Event", hint: "order.paid, or several with commas; payment.* for all that begin so" },
  propose: { label: "When should the model propose it?" },
  after: { label: "After", hint: "250ms, 20s, 5m, 2h, 1d" },
  always: null,
  done: null,
};
const SHOWN = ["on", "guard", "effects", "target", "key", "min_confidence", "max_takes", "notes"];

/** `if / else if / else`: transitions of this source that wait for the same thing, in the order they are tried. */
function Order({ transition, draft, desk }: { transition: Transition; draft: PageProps["draft"]; desk: PageProps["desk"] }) {
  const index = indexOf(draft);
  const fan = (index.outOf.get(transition.source) ?? []).filter(
    (row) => triggerKind(row.on) === triggerKind(transition.on) && triggerText(row.on) === triggerText(transition.on),
  );
  if (fan.length < 2) return null;
  return (
    <section className="in-section" aria-label="Order on this event">
      <h3>Order on this event</h3>
      <ol className="in-fan">
        {fan.map((row, n) => {
          const target = row.target ? index.state.get(row.target) : undefined;
          return (
            <li key={row.id}>
              <button type="button" aria-current={row.id === transition.id} onClick={() => desk.select({ kind: "transition", id: row.id })}>
                <span className="in-number">{n + 1}</span>
                <span className="in-if">{n === 0 ? "if" : row.guard ? "else if" : "else"}</span>
                <code className="ui-trunc">{row.guard?.replace(/\bslots\./g, "") ?? ""}</code>
                <b>{target ? nameOf(target) : "stays"}</b>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

export function TransitionPage({ transition, ...page }: PageProps & { transition: Transition }) {
  const { draft, desk, problems, onEdit } = page;
  const index = indexOf(draft);
  const source = index.state.get(transition.source) ?? index.region.get(transition.source);
  const target = transition.target ? index.state.get(transition.target) : undefined;
  const kind = triggerKind(transition.on);
  const words = WORDS[kind];
  const edit = (fields: Partial<Transition>, label = "Change transition"): void => onEdit([{ op: "transition.update", id: transition.id, fields }], label);
  const place = (index.outOf.get(transition.source) ?? []).indexOf(transition);
  const last = (index.outOf.get(transition.source)?.length ?? 1) - 1;
  const shift = (by: number): void => onEdit([{ op: "transition.move", id: transition.id, source: transition.source, index: place + by }], "Reorder transitions");
  return (
    <>
      <Title over="Transition">{`${source ? nameOf(source) : "?"} → ${target ? nameOf(target) : "stays"}`}</Title>
      <Rest problems={problems} shown={SHOWN} />
      <section className="in-section" aria-label="Rule">
        <Choice label="When" value={kind} options={KINDS} onChange={(next) => edit({ on: triggerOf(next as TriggerKind, "") }, "Change trigger")} name={words ? undefined : "on"} faults={words ? undefined : faultsOf(problems, "on")} />
        {words &&
          (kind === "propose" ? (
            <Paragraph label={words.label} name="on" rows={2} value={transition.on.propose ?? ""} onCommit={(text) => edit({ on: triggerOf(kind, text) }, "Change trigger")} faults={faultsOf(problems, "on")} />
          ) : (
            <Line label={words.label} name="on" code hint={words.hint} value={kind === "after" ? (transition.on.after ?? "") : triggerText(transition.on)} onCommit={(text) => edit({ on: triggerOf(kind, text) }, "Change trigger")} faults={faultsOf(problems, "on")} />
          ))}
        <Expression label="Only if (guard)" name="guard" value={transition.guard ?? ""} draft={draft} problems={problems.filter((problem) => problem.field === "guard")} placeholder="slots.order_total < 250" onCommit={(text) => edit({ guard: text || null }, "Change guard")} />
        {kind !== "always" && kind !== "done" && kind !== "after" && (
          <NumberLine label="Confidence at least" name="min_confidence" value={transition.min_confidence} onCommit={(min_confidence) => edit({ min_confidence })} faults={faultsOf(problems, "min_confidence")} />
        )}
      </section>
      <Order transition={transition} draft={draft} desk={desk} />
      <Effects title="Then" field="effects" effects={transition.effects} draft={draft} problems={problems.filter((problem) => problem.field !== "guard")} onChange={(effects) => edit({ effects }, "Change effects")} />
      <section className="in-section">
        <Choice label="Goes to" name="target" value={transition.target ?? ""} options={[["", "nowhere: effects only"], ...draft.states.map((state) => [state.id, nameOf(state)] as const)]} onChange={(id) => edit({ target: id || null }, "Reconnect")} faults={faultsOf(problems, "target")} />
        {index.regionsOf.has(transition.source) && <CheckLine label="Internal: its source is not left" value={transition.internal === true} onChange={(on) => edit({ internal: on })} />}
        {index.region.has(transition.source) && <CheckLine label="External: the whole region is left" value={transition.external === true} onChange={(on) => edit({ external: on })} />}
        <div className="in-pair">
          <Line label="Key" name="key" code value={transition.key ?? ""} placeholder="given when compiled" onCommit={(text) => edit({ key: text.trim() ? slug(text, "transition") : null }, "Rename key")} faults={faultsOf(problems, "key")} />
          <NumberLine label="Taken at most" name="max_takes" value={transition.max_takes} onCommit={(max_takes) => edit({ max_takes })} faults={faultsOf(problems, "max_takes")} />
        </div>
        <Paragraph label="Notes" name="notes" rows={2} value={transition.notes ?? ""} onCommit={(text) => edit({ notes: text || null })} />
      </section>
      <div className="in-acts">
        <Button size="sm" disabled={place <= 0} onClick={() => shift(-1)}>
          Try earlier
        </Button>
        <Button size="sm" disabled={place >= last} onClick={() => shift(1)}>
          Try later
        </Button>
        <Button
          size="sm"
          kind="danger"
          icon={Trash2}
          onClick={() => {
            onEdit([{ op: "transition.remove", id: transition.id }], "Delete transition");
            desk.select(null);
          }}
        >
          Delete
        </Button>
      </div>
    </>
  );
}
