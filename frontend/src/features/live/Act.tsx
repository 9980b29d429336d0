import { Hand, MessageSquare, Zap } from "lucide-react";
import { useState } from "react";
import { useMutation } from "@tanstack/react-query";
import type { Slot } from "../../model/draft";
import type { Allowed, Call } from "../../model/step";
import { api, type CallInput } from "../../transport/resources";
import { Button, Note } from "../../ui";
import { readSlotValue } from "./slotValue";
import type { NameOf } from "./words";

function Choices({ title, icon, items, busy, word, onSend }: {
  title: string; icon: typeof Zap; items: readonly Allowed[]; busy: boolean; word: (one: Allowed) => string; onSend: (one: Allowed) => void;
}) {
  if (items.length === 0) return null;
  const sorted = [...items].sort((a, b) => Number(b.allowed) - Number(a.allowed));
  return (
    <div>
      <h3 className="ui-label">{title}</h3>
      <div className="live-act-row">
        {sorted.map((one) => (
          <Button key={`${one.key}:${one.target ?? ""}`} size="sm" icon={icon} data-closed={one.allowed ? undefined : true} disabled={busy}
            title={one.allowed ? undefined : (one.message ?? "It would be refused now.")} onClick={() => onSend(one)}>
            {word(one)}{!one.allowed && <span className="ui-sr"> (would be refused)</span>}
          </Button>
        ))}
      </div>
    </div>
  );
}

function SlotForm({ slots, busy, onSet, onWrong }: { slots: readonly Slot[]; busy: boolean; onSet: (input: CallInput) => void; onWrong: () => void }) {
  const [key, setKey] = useState(slots[0]?.key ?? "");
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const slot = slots.find((one) => one.key === key) ?? slots[0];
  if (!slot) return null;
  const choices = slot.type === "boolean" ? ["true", "false"] : slot.type === "enum" ? slot.choices : null;
  const shown = choices && !choices.includes(text) ? (choices[0] ?? "") : text;
  return (
    <div>
      <h3 className="ui-label">Set a slot, as the host</h3>
      <form onSubmit={(event) => {
        event.preventDefault();
        const typed = readSlotValue(slot.type, shown);
        setFault(typed.ok ? null : typed.message);
        if (!typed.ok) onWrong();
        else onSet({ door: "slots", body: { slot: slot.key, value: typed.value } });
      }}>
        <select className="ui-input mono" aria-label="Slot" value={slot.key} style={{ flex: 1.2 }} onChange={(event) => { setKey(event.target.value); setText(""); setFault(null); }}>
          {slots.map((one) => <option key={one.key} value={one.key}>{one.key}</option>)}
        </select>
        {choices
          ? <select className="ui-input" aria-label={`Value of ${slot.key}`} style={{ flex: 1 }} value={shown} onChange={(event) => setText(event.target.value)}>{choices.map((one) => <option key={one}>{one}</option>)}</select>
          : <input className="ui-input" aria-label={`Value of ${slot.key}, ${slot.type}`} placeholder={slot.type} style={{ flex: 1 }} value={text} aria-invalid={fault !== null} onChange={(event) => setText(event.target.value)} />}
        <Button type="submit" disabled={busy}>Set</Button>
      </form>
      {fault && <span className="ui-hint" data-tone="bad">{fault}</span>}
    </div>
  );
}

/** What may be done with the Call now. What would be refused can still be pressed: the refusal is then told like anything else. */
export function Act({ call, slots, named }: { call: Call; slots: readonly Slot[]; named: NameOf }) {
  const [said, setSaid] = useState("");
  const send = useMutation({ mutationFn: (input: CallInput) => api.send(call.id, input) });
  const busy = send.isPending;
  const refusal = send.data?.refusal;
  const proposal = (body: { transition?: string; handoff?: string }): CallInput => ({ door: "proposals", body: { ...body, confidence: 1, based_on_seq: call.head_seq } });

  return (
    <section className="live-act" aria-label="Allowed now">
      <form onSubmit={(event) => {
        event.preventDefault();
        if (said.trim() === "") return;
        send.mutate({ door: "turns", body: { caller: said.trim() } }, { onSuccess: () => setSaid("") });
      }}>
        <input className="ui-input" aria-label="Say something as the caller" placeholder="Say something as the caller" value={said} maxLength={2000} onChange={(event) => setSaid(event.target.value)} />
        <Button type="submit" icon={MessageSquare} disabled={busy || said.trim() === ""}>Say</Button>
      </form>
      <Choices title="Events" icon={Zap} items={call.allowed.events} busy={busy} word={(one) => one.key} onSend={(one) => send.mutate({ door: "events", body: { event: one.key } })} />
      <Choices title="Proposals, as the model" icon={Hand} items={call.allowed.proposals} busy={busy} word={(one) => named(one.target ?? one.key)}
        onSend={(one) => send.mutate(proposal({ transition: one.target ?? one.key }))} />
      <Choices title="Hand off to" icon={Hand} items={call.allowed.handoffs} busy={busy} word={(one) => one.key} onSend={(one) => send.mutate(proposal({ handoff: one.key }))} />
      {slots.length > 0 && <SlotForm slots={slots} busy={busy} onSet={(input) => send.mutate(input)} onWrong={() => send.reset()} />}
      {send.isError && <Note tone="bad">{send.error.message}</Note>}
      {refusal && <Note tone="bad"><b>Refused.</b> {refusal.message.replace(/[.]?$/, ".")} Nothing moved.</Note>}
      {send.isSuccess && !refusal && <span className="ui-hint" role="status">Done: {send.data.active.map(named).join(", ")}</span>}
    </section>
  );
}
