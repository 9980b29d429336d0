/** A script on which the two versions part, line by line. */
import { ChevronRight, GitCompareArrows, Pause, Play, StepForward } from "lucide-react";
import { useEffect, useMemo, useState } from "react";

import type { Draft } from "../../model/draft";
import { inWords } from "../../model/lines";
import { lookupOf } from "../../model/lookup";
import { nameOf } from "../../model/names";
import { laneOf } from "../../model/tree";
import type { Behaviour, PartingScript, Seen } from "../../model/review";
import { Badge, Button, IconButton, Loading, Menu, Note } from "../../ui";
import type { Playing } from "./ReviewChart";

const PACE_MS = 900;

function whereOf(seen: Seen | undefined, rows: Draft): string {
  if (!seen) return "over";
  const lookup = lookupOf(rows);
  const states = seen.active.flatMap((key) => lookup.state.get(key) ?? []);
  const speaking = states.filter((state) => laneOf(rows, state.id)?.role === "speaker");
  const last = (speaking.length > 0 ? speaking : states).at(-1);
  return last ? nameOf(last) : (seen.active.at(-1) ?? "ended");
}

function Cell({ seen, rows }: { seen: Seen | undefined; rows: Draft }) {
  const slots = Object.entries(seen?.slots ?? {});
  return (
    <td>
      <b>{whereOf(seen, rows)}</b>
      {seen?.refusal && <span className="rv-refused" title={seen.refusal.message}> refused: {seen.refusal.reason}</span>}
      {slots.length > 0 && <code className="ui-muted"> {slots.map(([key, value]) => `${key} = ${JSON.stringify(value)}`).join(", ")}</code>}
    </td>
  );
}

const alike = (a: Seen | undefined, b: Seen | undefined): boolean =>
  JSON.stringify([a?.active, a?.refusal?.reason, a?.slots]) === JSON.stringify([b?.active, b?.refusal?.reason, b?.slots]);

export const scriptName = (script: PartingScript): string => script.parts_at < 0 ? "The start" : inWords(script.lines[script.parts_at] ?? script.lines.at(-1) ?? {});

interface Props {
  behaviour: Behaviour | undefined;
  pending: boolean;
  error: Error | null;
  before: Draft;
  after: Draft;
  names: { before: string; after: string };
  /** Which script is shown. */
  at: number;
  onChoose: (index: number) => void;
  onPlay: (playing: Playing | null) => void;
}

export function SideBySide({ behaviour, pending, error, before, after, names, at, onChoose, onPlay }: Props) {
  const script = behaviour?.scripts[at];
  const [line, setLine] = useState(-1);
  const [playing, setPlaying] = useState(false);
  const last = (script?.lines.length ?? 0) - 1;
  useEffect(() => {
    setLine(-1);
    setPlaying(false);
  }, [script]);
  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => {
      if (line >= last) setPlaying(false);
      else setLine(line + 1);
    }, line < 0 ? 0 : PACE_MS);
    return () => clearTimeout(timer);
  }, [playing, line, last]);
  useEffect(() => {
    onPlay(script && line >= 0 ? { before: script.before[line] ?? null, after: script.after[line] ?? null } : null);
  }, [script, line, onPlay]);
  const offers = useMemo(() => behaviour?.scripts ?? [], [behaviour]);

  return (
    <section className="rv-play" aria-label="Play side by side">
      <div className="rv-playhead ui-row">
        <h2>Play side by side</h2>
        {script && (
          <>
            <Menu position="top-start">
              <Menu.Target><Button size="sm" className="ui-trunc">{scriptName(script)} <ChevronRight size={12} aria-hidden style={{ transform: "rotate(90deg)" }} /></Button></Menu.Target>
              <Menu.Dropdown>
                <Menu.Label>Shortest first</Menu.Label>
                {offers.map((one, n) => <Menu.Item key={n} onClick={() => onChoose(n)} rightSection={<span className="ui-muted">{one.lines.length} lines</span>}>{scriptName(one)}</Menu.Item>)}
              </Menu.Dropdown>
            </Menu>
            <Button size="sm" icon={playing ? Pause : Play} onClick={() => { if (!playing && line >= last) setLine(-1); setPlaying(!playing); }}>{playing ? "Pause" : "Play"}</Button>
            <IconButton size="sm" icon={StepForward} label="Next line" disabled={line >= last} onClick={() => { setPlaying(false); setLine(line + 1); }} />
          </>
        )}
        <span className="ui-grow" />
        {script && <Badge tone="warn" icon={GitCompareArrows}>{script.parts_at < 0 ? "parts at the start" : `parts at step ${script.parts_at + 1}`}</Badge>}
      </div>
      {pending && <Loading what="Looking for scripts on which the two part…" />}
      {error && <div className="rv-pad"><Note tone="bad">{error.message}</Note></div>}
      {behaviour && offers.length === 0 && (
        <p className="rv-pad ui-second">{behaviour.complete ? "The two do the same on every script." : "No script was found on which the two part."} <span className="ui-muted ui-num">{behaviour.explored.toLocaleString("en")} situations were looked at{behaviour.complete ? "" : ", not all there are"}.</span></p>
      )}
      {script && script.lines.length === 0 && <p className="rv-pad ui-second">The two differ before the first line: {names.before} begins in {whereOf(script.before[0], before)}, {names.after} in {whereOf(script.after[0], after)}.</p>}
      {script && script.lines.length > 0 && (
        <div className="rv-tablebox">
          <table>
            <thead><tr><th scope="col" className="ui-hide-narrow"><span className="ui-sr">Line</span></th><th scope="col">Script</th><th scope="col">{names.before}</th><th scope="col">{names.after}</th><th scope="col" className="ui-hide-narrow"><span className="ui-sr">Same or not</span></th></tr></thead>
            <tbody>
              {script.lines.map((one, n) => {
                const same = n < script.parts_at || alike(script.before[n], script.after[n]);
                return (
                  <tr key={n} data-differs={!same || undefined} data-on={n === line || undefined} aria-current={n === line ? "step" : undefined} onClick={() => { setPlaying(false); setLine(n); }}>
                    <td className="ui-num ui-muted ui-hide-narrow">{n + 1}</td>
                    <td><button type="button" className="rv-line" onClick={() => { setPlaying(false); setLine(n); }}>{inWords(one)}</button></td>
                    <Cell seen={script.before[n]} rows={before} />
                    <Cell seen={script.after[n]} rows={after} />
                    <td className="rv-same ui-hide-narrow">{same ? "same" : "differs"}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
