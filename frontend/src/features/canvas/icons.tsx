/** One sign per kind, everywhere the same. */
import {
  CheckCheck,
  ChevronsRight,
  Clock,
  Diamond,
  Hand,
  Headset,
  History,
  Hourglass,
  Layers,
  MessageSquareText,
  Mic,
  Pointer,
  Radar,
  Square,
  SquareCheckBig,
  Wrench,
  Zap,
  type LucideIcon,
} from "lucide-react";

import type { TriggerKind } from "../../model";
import type { StateView } from "./view";

export function stateIcon(view: Pick<StateView, "kind" | "limit" | "rows">): LucideIcon {
  if (view.limit) return Hourglass;
  if (view.kind === "final") return SquareCheckBig;
  if (view.kind === "choice") return Diamond;
  if (view.kind === "composite") return Layers;
  if (view.kind === "history") return History;
  if (view.rows.some((row) => row.row === "chips" && row.word === "to")) return Headset;
  if (view.rows.some((row) => row.row === "say")) return MessageSquareText;
  if (view.rows.some((row) => row.row === "chips" && row.word === "uses")) return Wrench;
  return Square;
}

export const triggerIcon: { [kind in TriggerKind]: LucideIcon } = {
  event: Zap,
  propose: Pointer,
  after: Clock,
  always: ChevronsRight,
  done: CheckCheck,
};

export const SpeakerIcon = Mic;
export const ObserverIcon = Radar;
export const HandIcon = Hand;
