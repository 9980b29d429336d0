/** One thread of comments: what was said, the answer, and "resolved". */
import { CheckCheck, Pencil, RotateCcw, Trash2 } from "lucide-react";
import { useState, type FormEvent } from "react";

import { personName, type Person } from "../../model/people";
import { may } from "../../model/roles";
import type { Comment } from "../../model/review";
import { ago, Avatar, Button, IconButton, Note, useNow } from "../../ui";
import type { Thread } from "./threads";
import type { Talk } from "./useReview";

export interface Me {
  id: string;
  roles: readonly string[];
}

const LONGEST = 4000;

/** A line that grows to a comment. Enter with the command key sends it. */
export function Composer({ label, placeholder, busy, onSend, autoFocus = false }: { label: string; placeholder: string; busy: boolean; autoFocus?: boolean; onSend: (text: string) => Promise<unknown> }) {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(autoFocus);
  const send = (event?: FormEvent): void => {
    event?.preventDefault();
    const words = text.trim();
    if (words === "" || busy) return;
    void onSend(words).then(() => { setText(""); setOpen(false); }, () => undefined);
  };
  return (
    <form className="rv-composer" onSubmit={send}>
      <textarea className="ui-input" aria-label={label} placeholder={placeholder} rows={open || text ? 3 : 1} maxLength={LONGEST} value={text} autoFocus={autoFocus}
        onFocus={() => setOpen(true)} onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) send();
        }} />
      {(open || text !== "") && <div className="ui-row"><span className="ui-grow" /><Button size="sm" kind="primary" type="submit" busy={busy} disabled={text.trim() === ""}>Comment</Button></div>}
    </form>
  );
}

function Said({ comment, me, talk, now }: { comment: Comment; me: Me; talk: Talk; now: number }) {
  const [typed, setTyped] = useState<string | null>(null);
  const name = personName(comment.by) ?? "somebody";
  const own = typeof comment.by === "object" && comment.by !== null && comment.by.id === me.id;
  const removable = own || me.roles.includes("admin");
  return (
    <article className="rv-said">
      <header className="ui-row">
        <Avatar name={name} /><b className="ui-trunc">{name}</b>
        <span className="ui-muted">{ago(comment.at, now)}{comment.edited_at ? ", edited" : ""}{comment.version === null ? "" : ` · on v${comment.version}`}</span>
        <span className="ui-grow" />
        {own && typed === null && <IconButton size="sm" icon={Pencil} label="Change this comment" onClick={() => setTyped(comment.text)} />}
        {removable && <IconButton size="sm" icon={Trash2} label="Delete this comment" onClick={() => talk.remove.mutate(comment.id)} />}
      </header>
      {typed === null ? <p>{comment.text}</p> : (
        <form className="rv-composer" onSubmit={(event) => { event.preventDefault(); void talk.change.mutateAsync({ id: comment.id, body: { text: typed.trim() } }).then(() => setTyped(null), () => undefined); }}>
          <textarea className="ui-input" aria-label="Comment" rows={3} maxLength={LONGEST} value={typed} autoFocus onChange={(event) => setTyped(event.target.value)} onKeyDown={(event) => event.stopPropagation()} />
          <div className="ui-row"><span className="ui-grow" /><Button size="sm" onClick={() => setTyped(null)}>Leave it</Button><Button size="sm" kind="primary" type="submit" disabled={typed.trim() === ""}>Keep</Button></div>
        </form>
      )}
    </article>
  );
}

export function ThreadView({ thread, me, talk, number }: { thread: Thread; me: Me; talk: Talk; number: number }) {
  const now = useNow(true);
  const first = thread.comments[0];
  if (!first) return null;
  const resolver: Person = first.resolved?.by ?? null;
  const fault = talk.add.error ?? talk.change.error ?? talk.remove.error;
  const anchor = first.anchor.id ? { kind: first.anchor.kind, id: first.anchor.id } : { kind: first.anchor.kind, key: first.anchor.key ?? "" };
  return (
    <div className="rv-thread" data-resolved={thread.resolved || undefined}>
      {thread.comments.map((comment) => <Said key={comment.id} comment={comment} me={me} talk={talk} now={now} />)}
      {fault && <Note tone="bad">{fault.message}</Note>}
      {thread.resolved && <p className="rv-resolved"><CheckCheck size={14} aria-hidden />Resolved{resolver ? ` by ${personName(resolver) ?? ""}` : ""} {ago(first.resolved?.at, now)}</p>}
      {may("comments.write", me.roles) && !thread.resolved && (
        <Composer label="Answer" placeholder="Answer" busy={talk.add.isPending}
          onSend={(text) => talk.add.mutateAsync({ anchor, text, parent: first.id, version: number })} />
      )}
      {may("comments.resolve", me.roles) && (
        <div className="ui-row">
          <Button size="sm" kind="ghost" icon={thread.resolved ? RotateCcw : CheckCheck} busy={talk.change.isPending} onClick={() => talk.change.mutate({ id: first.id, body: { resolved: !thread.resolved } })}>{thread.resolved ? "Open again" : "Resolve"}</Button>
        </div>
      )}
    </div>
  );
}
