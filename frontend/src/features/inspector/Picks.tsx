/** Some of what there is, ticked; what is named and is not there stays in sight until it is unticked. */
import { CheckLine, Faults, type Fault } from "../../ui";

export function Picks({ label, name, known, value, none, faults, onChange }: {
  label: string; name: string; known: readonly string[]; value: readonly string[]; none: string; faults?: readonly Fault[]; onChange(value: string[]): void;
}) {
  const all = [...known, ...value.filter((key) => !known.includes(key))];
  return (
    <div className="ui-field" role="group" aria-label={label}>
      <span className="ui-label">{label}</span>
      {all.length === 0 && <span className="ui-hint">{none}</span>}
      {all.map((key, n) => (
        <CheckLine key={key} name={n === 0 ? name : undefined} label={known.includes(key) ? key : `${key} (missing)`} value={value.includes(key)}
          onChange={(on) => onChange(on ? [...value, key] : value.filter((one) => one !== key))} />
      ))}
      <Faults faults={faults} />
    </div>
  );
}
