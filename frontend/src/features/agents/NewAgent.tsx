import { useState } from "react";
import { slug, uniqueKey } from "../../model/names";
import type { NewAgent as Wanted, Template } from "../../transport/resources";
import { Button, Dialog, Note } from "../../ui";
import { blankDocument } from "./starters";

const BLANK = "";

interface Props {
  templates: readonly Template[];
  taken: readonly string[];
  /** Key of the template to begin with; empty = blank. */
  first: string;
  busy: boolean;
  fault: string | null;
  onCreate: (agent: Wanted) => void;
  onClose: () => void;
}

/** Name, key and starting point of a new agent. The key follows the name until someone types one. */
export function NewAgent({ templates, taken, first, busy, fault, onCreate, onClose }: Props) {
  const [template, setTemplate] = useState(first);
  const chosen = templates.find((one) => one.key === template);
  const [name, setName] = useState(chosen?.name ?? "");
  const [typedKey, setTypedKey] = useState<string | null>(null);
  const key = typedKey ?? uniqueKey(slug(name, "agent"), taken);
  const wrongKey = /^[a-z][a-z0-9_]{0,63}$/.test(key) ? (taken.includes(key) ? "Another agent has this key." : null) : "A key is lower-case letters, digits and _ and begins with a letter.";

  function create(): void {
    if (name.trim() === "" || wrongKey) return;
    onCreate(template === BLANK ? { document: blankDocument(key, name.trim()) } : { key, name: name.trim(), template });
  }

  return (
    <Dialog open onClose={onClose} title="New agent">
      <form className="agents-form" onSubmit={(event) => { event.preventDefault(); create(); }}>
        <label className="ui-field">
          <span className="ui-label">Name</span>
          <input className="ui-input" data-autofocus value={name} maxLength={120} onChange={(event) => setName(event.target.value)} placeholder="Order help" required />
        </label>
        <label className="ui-field">
          <span className="ui-label">Key, used by the API and by squads</span>
          <input className="ui-input mono" value={key} maxLength={64} aria-invalid={wrongKey !== null} onChange={(event) => setTypedKey(event.target.value)} />
          {wrongKey && <span className="ui-hint" data-tone="bad">{wrongKey}</span>}
        </label>
        <label className="ui-field">
          <span className="ui-label">Begin with</span>
          <select className="ui-input" value={template} onChange={(event) => setTemplate(event.target.value)}>
            <option value={BLANK}>Blank: a start and a final state</option>
            {templates.map((one) => <option key={one.key} value={one.key}>{one.name} · {one.states} states, {one.slots} slots</option>)}
          </select>
          {chosen && <span className="ui-hint">{chosen.description}</span>}
        </label>
        {fault && <Note tone="bad">{fault}</Note>}
        <div className="agents-form-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={name.trim() === "" || wrongKey !== null}>Create agent</Button>
        </div>
      </form>
    </Dialog>
  );
}
