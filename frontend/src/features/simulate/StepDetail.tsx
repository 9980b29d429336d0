import { Check, Minus, Zap } from "lucide-react";
import type { Json } from "../../model/draft";
import type { EffectReport, GuardRead, Step } from "../../model/step";
import { Note } from "../../ui";
import { slotChanges } from "./steps";

function shown(value: Json | undefined): string {
  return value === null || value === undefined ? "unset" : typeof value === "string" ? value : JSON.stringify(value);
}

const guardIcon = { true: Check, false: Minus, error: Zap } as const;

function Guard({ guard }: { guard: GuardRead }) {
  const Icon = guardIcon[guard.outcome];
  const reads = Object.entries(guard.reads);
  return (
    <li className="sim-guard" data-outcome={guard.outcome}>
      <Icon size={14} aria-hidden />
      <div className="ui-grow">
        <code>{guard.guard}</code> <b>{guard.outcome}</b> <span className="ui-muted">{guard.transition}</span>
        {reads.length > 0 && <div className="sim-reads">{reads.map(([name, value]) => <code key={name}>{name} = {shown(value)}</code>)}</div>}
        {guard.error && <div className="sim-error">{guard.error}</div>}
      </div>
    </li>
  );
}

function effectText(effect: EffectReport): string {
  const details = Object.entries(effect).filter(([name, value]) => name !== "kind" && value !== null && typeof value !== "object");
  return [effect.kind, ...details.map(([, value]) => String(value))].join(" ");
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return <section><h2 className="ui-label">{title}</h2>{children}</section>;
}

/** Everything one step did or refused, with the values its guards saw. */
export function StepDetail({ step, before, nameOf }: { step: Step; before: Step["slots"] | undefined; nameOf: (key: string) => string }) {
  const changes = slotChanges(before, step.slots);
  return (
    <div className="sim-detail" role="region" aria-label="Step in full" tabIndex={0}>
      {step.expectation && <Note tone={step.expectation.met ? "ok" : "bad"}>{step.expectation.message || (step.expectation.met ? "As expected." : "Not as expected.")}</Note>}
      {step.refusal && <Note tone="bad"><b>Refused</b> <span className="ui-muted">({step.refusal.reason})</span><br />{step.refusal.message}</Note>}
      <Section title="Active">
        <div className="ui-row" style={{ flexWrap: "wrap", gap: 4 }}>{step.active.map((key) => <span key={key} className="ui-badge" data-tone="accent">{nameOf(key)}</span>)}</div>
      </Section>
      {step.guards.length > 0 && <Section title="Guards asked"><ul>{step.guards.map((guard, index) => <Guard key={index} guard={guard} />)}</ul></Section>}
      {changes.length > 0 && <Section title="Slots"><ul>{changes.map((change) => <li key={change.slot}><code>{change.slot}: {shown(change.from)} → {shown(change.to)}</code></li>)}</ul></Section>}
      {step.effects.length > 0 && <Section title="Effects, in order"><ol>{step.effects.map((effect, index) => <li key={index}><code>{effectText(effect)}</code></li>)}</ol></Section>}
      {step.hooks.length > 0 && <Section title="Hooks"><ul>{step.hooks.map((hook, index) => <li key={index}><code>{hook.hook}</code> <span className="ui-muted">on {hook.on}{hook.state ? ` of ${nameOf(hook.state)}` : ""}</span></li>)}</ul></Section>}
    </div>
  );
}
