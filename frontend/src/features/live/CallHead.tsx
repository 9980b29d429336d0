import { Ban, FlaskConical, Link2, PhoneOff, Wifi, WifiOff } from "lucide-react";
import { useState } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Json } from "../../model/draft";
import type { Call } from "../../model/step";
import type { LineState } from "../../transport";
import { api } from "../../transport/resources";
import { scenarios } from "../../transport/scenarios";
import { told } from "../../transport/told";
import { Badge, Button, Dialog, IconButton, Note, toast } from "../../ui";
import { shortId } from "./CallList";
import type { Counters, Moment } from "./replay";
import type { NameOf } from "./words";

const lineText: Readonly<Record<LineState, string>> = {
  connecting: "connecting", replaying: "catching up", live: "in step", waiting: "reconnecting", closed: "closed", refused: "not watched",
};

/** In step, or how far the page is while the line is down. */
export function LineBadge({ line, last }: { line: LineState; last: number }) {
  const good = line === "live" || line === "replaying";
  const Icon = good ? Wifi : WifiOff;
  return (
    <span className="live-line" data-line={good ? "good" : "lost"} role="status">
      <Icon size={14} aria-hidden /><b>{line === "connecting" && last > 0 ? lineText.waiting : lineText[line]}</b><span className="ui-num ui-muted">{good ? `event ${last}` : `last event ${last}`}</span>
    </span>
  );
}

const counted: readonly { key: keyof Counters; limit: string }[] = [
  { key: "turns", limit: "turns" }, { key: "transitions", limit: "transitions" }, { key: "refusals", limit: "refusals" },
];

function allowedOf(limits: { [limit: string]: Json }, name: string): number | null {
  const value = limits[name];
  return typeof value === "number" ? value : null;
}

/** Used of allowed, for every limit that counts moves. Near one (four fifths) it is marked. */
export function CounterBar({ counters, limits }: { counters: Counters; limits: { [limit: string]: Json } }) {
  return (
    <div className="live-counters ui-num" role="group" aria-label="Counters">
      {counted.map(({ key, limit }) => {
        const allowed = allowedOf(limits, limit);
        const near = allowed !== null && counters[key] >= allowed * 0.8;
        return <span key={key} data-near={near || undefined}><b>{counters[key]}{allowed !== null && `/${allowed}`}</b> {key}{near && <span className="ui-sr"> (near the limit)</span>}</span>;
      })}
    </div>
  );
}

function EndDialog({ call, open, onClose }: { call: Call; open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const end = useMutation({
    mutationFn: () => api.endCall(call.id, reason.trim()),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["calls"] });
      onClose();
    },
  });
  return (
    <Dialog open={open} onClose={onClose} title={`End Call ${shortId(call.id)}?`} width={420}>
      <form className="ui-col" style={{ gap: 16 }} onSubmit={(event) => { event.preventDefault(); if (reason.trim()) end.mutate(); }}>
        <p>The chart does not move any more and the Call is over for everybody. The reason is kept with it.</p>
        <label className="ui-field"><span className="ui-label">Reason</span><input className="ui-input" data-autofocus value={reason} maxLength={200} onChange={(event) => setReason(event.target.value)} placeholder="Caller hung up" /></label>
        {end.isError && <Note tone="bad">{end.error.message}</Note>}
        <div className="ui-row" style={{ justifyContent: "flex-end" }}><Button onClick={onClose}>Let it run</Button><Button kind="danger" type="submit" icon={PhoneOff} busy={end.isPending} disabled={reason.trim() === ""}>End the Call</Button></div>
      </form>
    </Dialog>
  );
}

/** Records the Call up to the moment that is looked at as a scenario of its Agent. */
function SaveAsTest({ call, until, onClose }: { call: Call; until: number | null; onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState(`Call ${shortId(call.id)}`);
  const save = useMutation({
    mutationFn: () => scenarios.record(call.agent.id, call.id, name.trim(), until ?? undefined),
    onSuccess: (made) => {
      toast("ok", "Saved as test", `“${made.name}” is with the tests of ${call.agent.name}.`);
      void client.invalidateQueries({ queryKey: ["agents", call.agent.id, "scenarios"] });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title="Save as test" width={420}>
      <form className="ui-col" style={{ gap: 16 }} onSubmit={(event) => { event.preventDefault(); if (name.trim()) save.mutate(); }}>
        <p>What came into the Call{until === null ? "" : ` up to event ${until}`} becomes a scenario that expects the states it led to.</p>
        <label className="ui-field"><span className="ui-label">Name</span><input className="ui-input" data-autofocus value={name} maxLength={200} onChange={(event) => setName(event.target.value)} /></label>
        {save.isError && <Note tone="bad">{told(save.error)}</Note>}
        <div className="ui-row" style={{ justifyContent: "flex-end" }}><Button onClick={onClose}>Not now</Button><Button kind="primary" type="submit" icon={FlaskConical} busy={save.isPending} disabled={name.trim() === ""}>Save as test</Button></div>
      </form>
    </Dialog>
  );
}

/** Which Call, where it is, how much it used up, and the two things one can do to the whole of it. */
export function CallHead({ call, moment, named, following, drives, records }: { call: Call; moment: Moment; named: NameOf; following: boolean; drives: boolean; records: boolean }) {
  const [ending, setEnding] = useState(false);
  const [saving, setSaving] = useState(false);
  async function copyLink(): Promise<void> {
    const address = new URL(window.location.href);
    address.searchParams.set("at", String(moment.seq));
    await navigator.clipboard.writeText(address.toString());
    toast("ok", "Link copied", `It opens this Call at event ${moment.seq}.`);
  }
  return (
    <div className="live-head">
      <code style={{ fontWeight: 600, fontSize: 13 }}>{shortId(call.id)}</code>
      {moment.active.map((key) => <Badge key={key} tone={following && call.status === "running" ? "live" : "plain"}>{named(key)}</Badge>)}
      {call.status === "ended" && following && <Badge tone="ok">ended{call.outcome ? `: ${call.outcome}` : ""}</Badge>}
      <span className="ui-hide-narrow"><CounterBar counters={moment.counters} limits={call.limits} /></span>
      {moment.counters.refusals > 0 && <span className="ui-only-narrow"><Badge tone="bad" icon={Ban}>{moment.counters.refusals}</Badge></span>}
      <span className="ui-grow" />
      {records && <IconButton icon={FlaskConical} label="Save as test" onClick={() => setSaving(true)} />}
      {saving && <SaveAsTest call={call} until={following ? null : moment.seq} onClose={() => setSaving(false)} />}
      <IconButton icon={Link2} label="Copy a link to this moment" onClick={() => void copyLink()} />
      {call.status === "running" && drives && <Button kind="danger" icon={PhoneOff} onClick={() => setEnding(true)}>End</Button>}
      <EndDialog call={call} open={ending} onClose={() => setEnding(false)} />
    </div>
  );
}
