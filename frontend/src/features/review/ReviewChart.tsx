/** The chart under review: one drawing with what was taken away laid over it, or both beside each other. */
import { useEffect, useMemo, useState } from "react";

import type { Draft, Id } from "../../model/draft";
import { lookupOf, type Lookup } from "../../model/lookup";
import type { ChangeWhat, Merged, Seen } from "../../model/review";
import type { Cover } from "../../model/scenario";
import type { Desk } from "../../store/desk";
import { Canvas, MarkStore, ViewLink, type Mark, type MarkKind, type Picture } from "../canvas";
import { Sign, signs } from "./ChangeList";

export interface Playing {
  before: Seen | null;
  after: Seen | null;
}

export type Lit = [MarkKind, string, Mark];

const kindOf = (rows: Draft, id: Id): MarkKind => (rows.states.some((row) => row.id === id) ? "state" : rows.regions.some((row) => row.id === id) ? "region" : "transition");

function litBy(seen: Seen | null, lookup: Lookup): Lit[] {
  if (!seen) return [];
  const lit: Lit[] = [];
  for (const key of seen.active) {
    const state = lookup.state.get(key);
    if (state) lit.push(["state", state.id, { active: "sim" }]);
  }
  for (const key of seen.taken) {
    const id = lookup.transition.get(key);
    if (id) lit.push(["transition", id, { flash: "taken", hold: true }]);
  }
  return lit;
}

const changed = (rows: Draft, marks: ReadonlyMap<Id, ChangeWhat>): Lit[] => [...marks].map(([id, change]) => [kindOf(rows, id), id, { change }]);

const covered = (cover: { states: Map<Id, Cover>; transitions: Map<Id, Cover> } | null): Lit[] =>
  cover ? [...[...cover.states].map(([id, one]): Lit => ["state", id, { cover: one }]), ...[...cover.transitions].map(([id, one]): Lit => ["transition", id, { cover: one }])] : [];

/** Where a state stood that was only moved. */
function Ghosts({ before, after, marks, picture }: { before: Draft; after: Draft; marks: ReadonlyMap<Id, ChangeWhat>; picture: Picture }) {
  return [...marks].map(([id, what]) => {
    const was = before.layout[id];
    const now = picture.absolute.get(id);
    const own = picture.boxes.get(id);
    if (what !== "moved" || !was || !now || !own || !after.layout[id]) return null;
    const x = now.x - own.x + was.x;
    const y = now.y - own.y + was.y;
    if (Math.abs(x - now.x) + Math.abs(y - now.y) < 4) return null;
    return <span key={id} className="cv-ghost" style={{ transform: `translate(${x}px, ${y}px)`, width: now.w, height: now.h }} aria-hidden />;
  });
}

function Legend() {
  return (
    <div className="rv-legend ui-hide-narrow" aria-label="What the signs mean" role="group">
      {(["added", "removed", "changed", "moved"] as const).map((what) => <span key={what}><Sign what={what} />{signs[what].word}</span>)}
    </div>
  );
}

interface Props {
  before: Draft | null;
  after: Draft;
  merged: Merged;
  desk: Desk;
  marks: MarkStore;
  two: boolean;
  playing: Playing | null;
  cover: { states: Map<Id, Cover>; transitions: Map<Id, Cover> } | null;
  names: { before: string; after: string };
  above?: (picture: Picture) => React.ReactNode;
}

export function ReviewChart({ before, after, merged, desk, marks, two, playing, cover, names, above }: Props) {
  const [oldMarks] = useState(() => new MarkStore());
  const [link] = useState(() => new ViewLink());
  const both = two && before !== null;
  const rows = both ? after : merged.rows;
  const old = useMemo(() => (before ? { ...before, problems: [] } : null), [before]);
  const plain = useMemo(() => ({ ...after, problems: [] }), [after]);

  useEffect(() => {
    const shown = cover ? covered(cover) : changed(rows, new Map([...merged.marks].filter(([, what]) => !both || what !== "removed")));
    marks.show([...shown, ...litBy(playing?.after ?? null, lookupOf(after))]);
  }, [marks, rows, merged, cover, playing, after, both]);
  useEffect(() => {
    if (!both) return;
    const gone = new Map([...merged.marks].filter(([, what]) => what !== "added").map(([id, what]) => [id.replace(/^was:/, ""), what]));
    oldMarks.show([...changed(before, gone), ...litBy(playing?.before ?? null, lookupOf(before))]);
  }, [oldMarks, merged, playing, before, both]);
  // What is looked at in one is looked at in the other.
  useEffect(() => marks.onFocus((id) => oldMarks.focus(id.replace(/^was:/, ""))), [marks, oldMarks]);

  return (
    <div className="rv-charts" data-two={both || undefined}>
      {both && old && (
        <figure className="rv-chart">
          <figcaption>{names.before}</figcaption>
          <Canvas draft={old} mode="watch" marks={oldMarks} linked={link} />
        </figure>
      )}
      <figure className="rv-chart">
        {both && <figcaption>{names.after}</figcaption>}
        <Canvas draft={both ? plain : merged.rows} mode="watch" marks={marks} desk={desk} {...(both ? { linked: link } : {})}
          over={(picture) => (before && !both && !cover ? <Ghosts before={before} after={after} marks={merged.marks} picture={picture} /> : null)} {...(above ? { above } : {})}>
          {before && !cover && !two && <Legend />}
        </Canvas>
      </figure>
    </div>
  );
}
