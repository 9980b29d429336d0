/** All threads of this Agent, and a new one on what is selected. */
import { MapPin, MessageCircle } from "lucide-react";
import { useState } from "react";

import type { Draft, Id } from "../../model/draft";
import { may } from "../../model/roles";
import { Button, CheckLine, EmptyState, Note } from "../../ui";
import { Composer, ThreadView, type Me } from "./Thread";
import { anchorOf, type Thread } from "./threads";
import type { Talk } from "./useReview";

interface Props {
  threads: readonly Thread[];
  rows: Draft;
  selected: Id | null;
  me: Me;
  talk: Talk;
  number: number;
  /** Counts up each time somebody wants to write. */
  writing: number;
  onShow: (thread: Thread) => void;
}

export function Comments({ threads, rows, selected, me, talk, number, writing, onShow }: Props) {
  const [all, setAll] = useState(false);
  const { anchor, about } = anchorOf(rows, selected);
  const shown = threads.filter((thread) => all || !thread.resolved);
  const resolved = threads.filter((thread) => thread.resolved).length;
  return (
    <div className="rv-comments">
      {may("comments.write", me.roles) && (
        <section aria-label="New comment" className="rv-new">
          <p className="ui-second">On <b>{about}</b>{anchor.kind === "agent" && <span className="ui-muted">. Select something on the chart to comment on it.</span>}</p>
          <Composer key={`${writing} ${selected ?? ""}`} autoFocus={writing > 0} label={`Comment on ${about}`} placeholder="What should the author know?" busy={talk.add.isPending}
            onSend={(text) => talk.add.mutateAsync({ anchor, text, version: number })} />
          {talk.add.isError && <Note tone="bad">{talk.add.error.message}</Note>}
        </section>
      )}
      {talk.error && <Note tone="bad">{talk.error.message}</Note>}
      {resolved > 0 && <CheckLine label={`Show resolved (${resolved})`} value={all} onChange={setAll} />}
      {shown.length === 0 && <EmptyState icon={MessageCircle} title="No open comments">Comments stay with what they are about, also when it is renamed.</EmptyState>}
      {shown.map((thread) => (
        <section key={thread.id} className="rv-threadcard" aria-label={`Comments on ${thread.about}`}>
          <div className="ui-row">
            <span className="ui-grow ui-trunc ui-muted">{thread.about}{thread.gone ? " (no longer in the draft)" : ""}</span>
            {thread.place && <Button size="sm" kind="ghost" icon={MapPin} onClick={() => onShow(thread)}>Show</Button>}
          </div>
          <ThreadView thread={thread} me={me} talk={talk} number={number} />
        </section>
      ))}
    </div>
  );
}
