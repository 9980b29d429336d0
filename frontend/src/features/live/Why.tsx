import { Ban, Check, X, Zap } from "lucide-react";
import type { Json } from "../../model/draft";
import type { CallEvent } from "../../model/step";
import { IconButton } from "../../ui";
import { shownValue } from "./slotValue";
import { tell, type NameOf } from "./words";

interface Guard {
  guard: string;
  outcome: string;
  error: string | null;
  reads: [name: string, value: Json][];
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The guards a refusal lists, however much of each it says. */
export function guardsOf(event: CallEvent): Guard[] {
  const listed = event.data.guards;
  if (!Array.isArray(listed)) return [];
  return listed.filter(isObject).map((one) => ({
    guard: String(one.guard ?? one.expression ?? one.transition ?? ""),
    outcome: String(one.outcome ?? "false"),
    error: typeof one.error === "string" ? one.error : null,
    reads: isObject(one.reads) ? Object.entries(one.reads) : [],
  }));
}

const icons: Readonly<Record<string, typeof Check>> = { true: Check, false: X, error: Zap };
const colours: Readonly<Record<string, string>> = { true: "var(--ok)", false: "var(--bad)", error: "var(--fault)" };

/** Why a move was refused: the sentence, each guard, the values it saw, and what was open instead. */
export function Why({ event, named, hidden, open, onClose }: { event: CallEvent; named: NameOf; hidden: ReadonlySet<string>; open: readonly string[]; onClose: () => void }) {
  const about = String(event.data.event ?? event.data.proposal ?? "A move");
  return (
    <aside className="live-why" aria-label="Why it was refused">
      <div className="ui-row">
        <Ban size={16} aria-hidden /><b className="ui-grow ui-trunc">{about} was refused</b>
        <span className="ui-muted ui-num">#{event.seq}</span>
        <IconButton size="sm" icon={X} label="Put away" onClick={onClose} />
      </div>
      <p>{tell(event, named, hidden).words}</p>
      {guardsOf(event).map((guard, index) => {
        const Icon = icons[guard.outcome] ?? X;
        return (
          <table key={index}>
            <tbody>
              <tr><td style={{ width: 20, color: colours[guard.outcome] }}><Icon size={13} aria-label={guard.outcome} /></td><td><code>{guard.guard}</code></td><td>{guard.error ?? guard.outcome}</td></tr>
              {guard.reads.map(([name, value]) => <tr key={name}><td /><td><code>{name}</code></td><td><code>{shownValue(value, hidden.has(name.replace(/^slots\./, "")))}</code></td></tr>)}
            </tbody>
          </table>
        );
      })}
      {open.length > 0 && <p className="ui-second">Open from here: <b>{open.join(", ")}</b></p>}
    </aside>
  );
}
