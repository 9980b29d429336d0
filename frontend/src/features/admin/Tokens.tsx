import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { people, ROLES, type Role, type Token } from "../../transport/people";
import { ago, Badge, Button, Dialog, EmptyState, Labelled, Loading, Note, toast } from "../../ui";
import { Once, RoleBoxes, type Self } from "./parts";

const DAYS = [7, 30, 90, 365];

function Issue({ self, onClose }: { self: Self; onClose: () => void }) {
  const client = useQueryClient();
  const mine = ROLES.filter((role) => self.roles.includes(role));
  const [name, setName] = useState("");
  const [days, setDays] = useState(90);
  const [roles, setRoles] = useState<Role[]>(mine.slice(0, 1));
  const issue = useMutation({ mutationFn: () => people.issueToken({ name: name.trim(), roles, days }), onSuccess: () => void client.invalidateQueries({ queryKey: ["tokens"] }) });
  if (issue.isSuccess) {
    return (
      <div className="ui-col" style={{ gap: 16 }}>
        <Once what={`The token ${issue.data.name}.`} text={issue.data.secret} />
        <p className="ui-second">Send it as <code>Authorization: Bearer …</code>. <a href="/v1/docs">The API's page</a> shows every request.</p>
        <div className="ui-row admin-end"><Button kind="primary" onClick={onClose}>Done</Button></div>
      </div>
    );
  }
  return (
    <form className="ui-col" style={{ gap: 16 }} onSubmit={(event) => { event.preventDefault(); issue.mutate(); }}>
      <Labelled label="Name" hint="What uses it: you will look for it when you revoke it.">{(id) => <input id={id} className="ui-input" required maxLength={200} data-autofocus placeholder="Voice runtime" value={name} onChange={(event) => setName(event.target.value)} />}</Labelled>
      <RoleBoxes label="May act as" value={roles} onChange={setRoles} offered={mine} />
      <Labelled label="Good for">{(id) => <select id={id} className="ui-input" value={days} onChange={(event) => setDays(Number(event.target.value))}>{DAYS.map((n) => <option key={n} value={n}>{n} days</option>)}</select>}</Labelled>
      {issue.isError && <Note tone="bad">{issue.error.message}</Note>}
      <div className="ui-row admin-end"><Button onClick={onClose}>Cancel</Button><Button kind="primary" type="submit" icon={KeyRound} busy={issue.isPending} disabled={roles.length === 0 || name.trim() === ""}>Issue</Button></div>
    </form>
  );
}

function Row({ token, now, onRevoke }: { token: Token; now: number; onRevoke: () => void }) {
  return (
    <tr>
      <td><div>{token.name}</div><code className="ui-second">{token.prefix}…</code></td>
      <td>{token.owner.name}</td>
      <td>{token.roles.map((role) => <Badge key={role}>{role}</Badge>)}</td>
      <td className="ui-second">{token.last_used_at ? ago(token.last_used_at, now) : "never used"}</td>
      <td className="ui-second">{token.expired ? <Badge tone="warn">expired</Badge> : token.expires_at.slice(0, 10)}</td>
      <td className="admin-acts"><Button size="sm" kind="ghost" onClick={onRevoke} aria-label={`Revoke ${token.name}`}>Revoke</Button></td>
    </tr>
  );
}

/** One's tokens for scripts (an admin sees everybody's): issue, see when they were used, revoke. */
export function Tokens({ self }: { self: Self }) {
  const client = useQueryClient();
  const tokens = useQuery({ queryKey: ["tokens"], queryFn: people.tokens });
  const [issuing, setIssuing] = useState(false);
  const [doomed, setDoomed] = useState<Token | null>(null);
  const revoke = useMutation({
    mutationFn: people.revokeToken,
    onSuccess: () => { setDoomed(null); void client.invalidateQueries({ queryKey: ["tokens"] }); },
    onError: (error) => toast("bad", "It could not be revoked", error.message),
  });
  if (tokens.isPending) return <Loading what="Reading the tokens…" />;
  if (tokens.isError) return <Note tone="bad">{tokens.error.message}</Note>;
  return (
    <section className="ui-col" style={{ gap: 16 }}>
      <div className="ui-row"><p className="ui-second">A token lets a script act as you, with the roles you give it.</p><span className="ui-grow" /><Button kind="primary" icon={KeyRound} onClick={() => setIssuing(true)}>Issue a token</Button></div>
      <div className="ui-card">
        {tokens.data.length === 0 ? <EmptyState icon={KeyRound} title="No tokens yet">Issue one for the runtime that drives your Calls.</EmptyState> : (
          <table className="admin-table">
            <thead><tr><th>Name</th><th>Of</th><th>Roles</th><th>Last used</th><th>Until</th><th><span className="ui-sr">Revoke</span></th></tr></thead>
            <tbody>{tokens.data.map((token) => <Row key={token.id} token={token} now={tokens.dataUpdatedAt} onRevoke={() => setDoomed(token)} />)}</tbody>
          </table>
        )}
      </div>
      <Dialog open={issuing} onClose={() => setIssuing(false)} title="Issue a token">{issuing && <Issue self={self} onClose={() => setIssuing(false)} />}</Dialog>
      <Dialog open={doomed !== null} onClose={() => setDoomed(null)} title={`Revoke ${doomed?.name ?? ""}?`} width={420}>
        <div className="ui-col" style={{ gap: 16 }}>
          <p>Whatever uses it is refused from the next request on. This can not be undone.</p>
          <div className="ui-row admin-end"><Button onClick={() => setDoomed(null)}>Keep it</Button><Button kind="danger" busy={revoke.isPending} onClick={() => doomed && revoke.mutate(doomed.id)}>Revoke</Button></div>
        </div>
      </Dialog>
    </section>
  );
}
