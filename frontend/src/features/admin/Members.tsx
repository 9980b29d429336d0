import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Mail, Pencil, Trash2, UserPlus } from "lucide-react";
import { useState } from "react";
import { may } from "../../model/roles";
import { people, type Invitation, type Member, type Role } from "../../transport/people";
import { ago, Avatar, Badge, Button, Dialog, IconButton, Labelled, Loading, Note, toast } from "../../ui";
import { Once, RoleBoxes, type Self } from "./parts";

function useRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ["members"] });
    void client.invalidateQueries({ queryKey: ["invitations"] });
    void client.invalidateQueries({ queryKey: ["me"] });
  };
}

function Invite({ onClose }: { onClose: () => void }) {
  const refresh = useRefresh();
  const [email, setEmail] = useState("");
  const [roles, setRoles] = useState<Role[]>(["designer"]);
  const invite = useMutation({ mutationFn: () => people.invite(email.trim(), roles), onSuccess: refresh });
  if (invite.isSuccess) {
    return (
      <div className="ui-col" style={{ gap: 16 }}>
        <Once what={`The link for ${invite.data.email}, good for 7 days.`} text={invite.data.url} />
        <p className="ui-second">Send it to them as you like: whoever opens it joins as {invite.data.email}.</p>
        <div className="ui-row admin-end"><Button kind="primary" onClick={onClose}>Done</Button></div>
      </div>
    );
  }
  return (
    <form className="ui-col" style={{ gap: 16 }} onSubmit={(event) => { event.preventDefault(); invite.mutate(); }}>
      <Labelled label="E-mail">{(id) => <input id={id} className="ui-input" type="email" required data-autofocus value={email} onChange={(event) => setEmail(event.target.value)} />}</Labelled>
      <RoleBoxes label="Roles" value={roles} onChange={setRoles} />
      {invite.isError && <Note tone="bad">{invite.error.message}</Note>}
      <div className="ui-row admin-end"><Button onClick={onClose}>Cancel</Button><Button kind="primary" type="submit" icon={UserPlus} busy={invite.isPending} disabled={roles.length === 0}>Make the link</Button></div>
    </form>
  );
}

function Roles({ member, onClose }: { member: Member; onClose: () => void }) {
  const refresh = useRefresh();
  const [roles, setRoles] = useState<Role[]>(member.roles);
  const keep = useMutation({ mutationFn: () => people.setRoles(member.user.id, roles), onSuccess: () => { refresh(); onClose(); } });
  return (
    <form className="ui-col" style={{ gap: 16 }} onSubmit={(event) => { event.preventDefault(); keep.mutate(); }}>
      <RoleBoxes label="Roles" value={roles} onChange={setRoles} />
      {keep.isError && <Note tone="bad">{keep.error.message}</Note>}
      <div className="ui-row admin-end"><Button onClick={onClose}>Cancel</Button><Button kind="primary" type="submit" busy={keep.isPending} disabled={roles.length === 0}>Keep</Button></div>
    </form>
  );
}

function Remove({ member, onClose }: { member: Member; onClose: () => void }) {
  const refresh = useRefresh();
  const remove = useMutation({ mutationFn: () => people.removeMember(member.user.id), onSuccess: () => { refresh(); onClose(); } });
  return (
    <div className="ui-col" style={{ gap: 16 }}>
      <p>{member.user.name} can not open this workspace any more, and their tokens stop working. What they made stays.</p>
      {remove.isError && <Note tone="bad">{remove.error.message}</Note>}
      <div className="ui-row admin-end"><Button onClick={onClose}>Keep them</Button><Button kind="danger" icon={Trash2} busy={remove.isPending} onClick={() => remove.mutate()}>Take out</Button></div>
    </div>
  );
}

function Open({ rows, now }: { rows: readonly Invitation[]; now: number }) {
  const refresh = useRefresh();
  const withdraw = useMutation({ mutationFn: people.withdraw, onSuccess: refresh, onError: (error) => toast("bad", "It could not be withdrawn", error.message) });
  if (rows.length === 0) return null;
  return (
    <>
      <h2>Open invitations</h2>
      <div className="ui-card">
        <table className="admin-table">
          <thead><tr><th>E-mail</th><th>Roles</th><th>Invited</th><th><span className="ui-sr">Withdraw</span></th></tr></thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td><Mail size={14} aria-hidden /> {row.email}</td>
                <td>{row.roles.map((role) => <Badge key={role}>{role}</Badge>)}</td>
                <td className="ui-second">{ago(row.created_at, now)}{row.created_by ? ` by ${row.created_by.name}` : ""} {row.expired && <Badge tone="warn">too old</Badge>}</td>
                <td className="admin-acts"><Button size="sm" kind="ghost" busy={withdraw.isPending && withdraw.variables === row.id} onClick={() => withdraw.mutate(row.id)}>Withdraw</Button></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

type Asked = { what: "invite" } | { what: "roles" | "remove"; member: Member } | null;

/** The people of the workspace; an admin invites, gives roles and takes out. */
export function Members({ self }: { self: Self }) {
  const manages = may("members.manage", self.roles);
  const members = useQuery({ queryKey: ["members"], queryFn: people.members });
  const invitations = useQuery({ queryKey: ["invitations"], queryFn: people.invitations, enabled: manages });
  const [asked, setAsked] = useState<Asked>(null);
  const close = (): void => setAsked(null);
  if (members.isPending) return <Loading what="Reading the members…" />;
  if (members.isError) return <Note tone="bad">{members.error.message}</Note>;
  return (
    <section className="ui-col" style={{ gap: 16 }}>
      <div className="ui-row">
        <p className="ui-second">{members.data.length === 1 ? "One person is" : `${members.data.length} people are`} in this workspace.</p>
        <span className="ui-grow" />
        {manages && <Button kind="primary" icon={UserPlus} onClick={() => setAsked({ what: "invite" })}>Invite someone</Button>}
      </div>
      <div className="ui-card">
        <table className="admin-table">
          <thead><tr><th>Name</th><th>Roles</th><th>Last sign-in</th>{manages && <th><span className="ui-sr">What to do</span></th>}</tr></thead>
          <tbody>
            {members.data.map((member) => (
              <tr key={member.user.id}>
                <td><div className="ui-row"><Avatar name={member.user.name} /><div><div>{member.user.name}{member.user.id === self.id ? <span className="ui-muted"> (you)</span> : ""}</div><div className="ui-second">{member.user.email}</div></div></div></td>
                <td>{member.roles.map((role) => <Badge key={role}>{role}</Badge>)}</td>
                <td className="ui-second">{member.last_sign_in_at ? ago(member.last_sign_in_at, members.dataUpdatedAt) : "never"}</td>
                {manages && (
                  <td className="admin-acts"><div className="ui-row admin-end">
                    <IconButton icon={Pencil} label={`Roles of ${member.user.name}`} onClick={() => setAsked({ what: "roles", member })} />
                    <IconButton icon={Trash2} label={`Take ${member.user.name} out`} onClick={() => setAsked({ what: "remove", member })} />
                  </div></td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Open rows={invitations.data ?? []} now={invitations.dataUpdatedAt} />
      <Dialog open={asked?.what === "invite"} onClose={close} title="Invite someone">{asked?.what === "invite" && <Invite onClose={close} />}</Dialog>
      <Dialog open={asked?.what === "roles"} onClose={close} title={asked?.what === "roles" ? `Roles of ${asked.member.user.name}` : ""}>{asked?.what === "roles" && <Roles member={asked.member} onClose={close} />}</Dialog>
      <Dialog open={asked?.what === "remove"} onClose={close} title={asked?.what === "remove" ? `Take ${asked.member.user.name} out?` : ""} width={420}>{asked?.what === "remove" && <Remove member={asked.member} onClose={close} />}</Dialog>
    </section>
  );
}
