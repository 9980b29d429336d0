/** What the settings pages share: choosing roles, and a secret that is shown once. */
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { ROLES, type Role } from "../../transport/people";
import { Button, Note, toast } from "../../ui";

/** Who looks at the settings. */
export interface Self {
  id: string;
  roles: readonly string[];
}

const MEANS: Readonly<Record<Role, string>> = {
  designer: "draws and publishes",
  reviewer: "approves or returns",
  support: "watches and steps into Calls",
  admin: "manages people",
};

/** Check boxes, one a role; at least one stays chosen. */
export function RoleBoxes({ value, onChange, offered = ROLES, label }: { value: readonly Role[]; onChange: (roles: Role[]) => void; offered?: readonly Role[]; label: string }) {
  return (
    <fieldset className="admin-roles">
      <legend className="ui-label">{label}</legend>
      {ROLES.filter((role) => offered.includes(role)).map((role) => (
        <label key={role}>
          <input type="checkbox" checked={value.includes(role)} onChange={(event) => onChange(ROLES.filter((one) => (one === role ? event.target.checked : value.includes(one))))} />
          <span>{role}</span> <span className="ui-muted">{MEANS[role]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** A link or a secret that the server tells this once. */
export function Once({ what, text }: { what: string; text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      toast("info", "It could not be copied", "Select the text and copy it by hand.");
    }
  };
  return (
    <Note tone="ok">
      <div className="ui-col">
        <span>{what} It is shown this once.</span>
        <div className="ui-row">
          <input className="ui-input mono admin-once" readOnly value={text} aria-label={what} onFocus={(event) => event.target.select()} />
          <Button icon={copied ? Check : Copy} onClick={() => void copy()}>{copied ? "Copied" : "Copy"}</Button>
        </div>
      </div>
    </Note>
  );
}
