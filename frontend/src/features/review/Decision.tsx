/** The buttons that move a version, each with what it asks first and with the reason when it cannot. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Archive, Check, CornerUpLeft, RotateCcw, Rocket, Send, type LucideIcon } from "lucide-react";
import { useState, type FormEvent } from "react";

import { offersOf, type Offer, type VersionMove, type Who } from "../../model/lifecycle";
import { reviews } from "../../transport/reviews";
import type { Version } from "../../transport/resources";
import { told } from "../../transport/told";
import { Button, Dialog, Note, toast } from "../../ui";

interface Words {
  button: string;
  title: string;
  text: string;
  field: { label: string; required: boolean; placeholder: string } | null;
  act: string;
  icon: LucideIcon;
  kind: "plain" | "primary" | "ok" | "danger";
  done: string;
}

function wordsOf(move: VersionMove, version: Version, active: number | null): Words {
  const v = `v${version.number}`;
  switch (move) {
    case "request":
      return { button: "Request review", title: `Request a review of ${v}`, text: "Reviewers see it as waiting for them. The version does not change any more.", field: { label: "Note for the reviewer", required: false, placeholder: "What should they look at?" }, act: "Request review", icon: Send, kind: "primary", done: `${v} waits for a reviewer` };
    case "approve":
      return { button: `Approve ${v}`, title: `Approve ${v}?`, text: "Your approval is bound to exactly this version and what it is made of. It can be activated afterwards.", field: { label: "Note", required: false, placeholder: "Optional" }, act: `Approve ${v}`, icon: Check, kind: "ok", done: `${v} is approved` };
    case "return":
      return { button: "Return…", title: `Return ${v}`, text: "It can never be activated then. The author changes the draft and publishes a new version.", field: { label: "Reason", required: true, placeholder: "What has to change?" }, act: `Return ${v}`, icon: CornerUpLeft, kind: "plain", done: `${v} was returned` };
    case "activate": {
      const back = version.status === "retired";
      return {
        button: back ? `Return to ${v}` : `Activate ${v}`, title: back ? `Return to ${v}?` : `Activate ${v}?`,
        text: `New Calls start on ${v}${active === null ? "" : ` and no longer on v${active}`}. Calls that run stay on the version they started on.`,
        field: null, act: back ? `Return to ${v}` : `Activate ${v}`, icon: back ? RotateCcw : Rocket, kind: back ? "plain" : "primary", done: `${v} is active`,
      };
    }
    case "retire":
      return { button: "Retire…", title: `Retire ${v}?`, text: "No version is active then: Calls start only on a version named by number. Calls that run go on.", field: null, act: `Retire ${v}`, icon: Archive, kind: "danger", done: `${v} is retired` };
  }
}

function send(move: VersionMove, agentId: string, version: Version, note: string): Promise<Version> {
  switch (move) {
    case "request":
      return reviews.request(agentId, version.number, note);
    case "approve":
      return reviews.approve(agentId, version.number, note);
    case "return":
      return reviews.giveBack(agentId, version.number, note);
    case "activate":
      return reviews.activate(agentId, version.number);
    case "retire":
      return reviews.retire(agentId, version.number);
  }
}

function MoveDialog({ move, agentId, version, active, onClose }: { move: VersionMove; agentId: string; version: Version; active: number | null; onClose: () => void }) {
  const client = useQueryClient();
  const [note, setNote] = useState("");
  const words = wordsOf(move, version, active);
  const act = useMutation({
    mutationFn: () => send(move, agentId, version, note.trim()),
    onSuccess: () => {
      toast("ok", words.done, "");
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["agents"] }),
  });
  const missing = words.field?.required === true && note.trim() === "";
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!missing) act.mutate();
  };
  return (
    <Dialog open onClose={onClose} title={words.title} width={460}>
      <form className="ui-col" style={{ gap: 16 }} onSubmit={submit}>
        <p>{words.text}</p>
        {words.field && (
          <label className="ui-field"><span className="ui-label">{words.field.label}</span>
            <textarea className="ui-input" data-autofocus rows={3} maxLength={2000} required={words.field.required} value={note} placeholder={words.field.placeholder} onChange={(event) => setNote(event.target.value)} /></label>
        )}
        {act.isError && <Note tone="bad">{told(act.error)}</Note>}
        <div className="ui-row" style={{ justifyContent: "flex-end" }}>
          <Button onClick={onClose}>Not now</Button>
          <Button kind={words.kind === "plain" ? "primary" : words.kind} type="submit" icon={words.icon} busy={act.isPending} disabled={missing} {...(words.field ? {} : { "data-autofocus": true })}>{words.act}</Button>
        </div>
      </form>
    </Dialog>
  );
}

interface Props {
  agentId: string;
  version: Version;
  active: number | null;
  who: Who;
  /** Only these, where a place has room for few. */
  only?: readonly VersionMove[];
  size?: "sm" | "md";
  /** A narrow place: what one can not do is left out where one can do something. */
  narrow?: boolean;
  /** Says beside the buttons why somebody cannot; else it is in their tooltips. */
  reasons?: boolean;
}

export function Decision({ agentId, version, active, who, only, size = "md", narrow = false, reasons = false }: Props) {
  const [asking, setAsking] = useState<VersionMove | null>(null);
  const asked = offersOf(version, who).filter((offer) => !only || only.includes(offer.move));
  const can = asked.filter((offer) => offer.why === null);
  const offers = narrow && can.length > 0 ? can : asked;
  const refused = [...new Set(offers.flatMap((offer) => offer.why ?? []))];
  return (
    <>
      {reasons && refused.length > 0 && <span className="rv-why ui-muted">{refused.join(" ")}</span>}
      {offers.map((offer: Offer) => {
        const words = wordsOf(offer.move, version, active);
        return (
          <Button key={offer.move} size={size} kind={offer.why ? "plain" : words.kind} icon={words.icon} disabled={offer.why !== null} title={offer.why ?? undefined} onClick={() => setAsking(offer.move)}>{words.button}</Button>
        );
      })}
      {asking && <MoveDialog move={asking} agentId={agentId} version={version} active={active} onClose={() => setAsking(null)} />}
    </>
  );
}
