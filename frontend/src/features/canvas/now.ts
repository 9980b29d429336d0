/** What the marks say of a thing now, in words for those who cannot see them. */
import type { Mark } from "../../store/marks";

/** The id of the element that describes a state or a transition now. */
export const nowId = (id: string): string => `cv-now-${id}`;

const times = (n: number): string => (n === 1 ? "once" : `${n} times`);

const CHANGED = { added: "added", removed: "removed", changed: "changed", moved: "moved only" } as const;
const COVERED = { full: "covered by a scenario", part: "covered in part", none: "not covered by any scenario" } as const;

/** "active now, entered 2 times"; empty when nothing is lit. */
export function nowWords(mark: Mark, verb: "entered" | "taken"): string {
  return [
    mark.change ? CHANGED[mark.change] : "",
    mark.active ? "active now" : "",
    mark.possible ? "possible now" : "",
    mark.flash === "refused" ? "refused" : mark.flash === "error" ? "guard failed" : "",
    mark.visited ? `${verb} ${times(mark.visited)}` : "",
    mark.cover ? COVERED[mark.cover] : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** The signs that stand beside the colours. */
export const signOf = { added: "+", removed: "−", changed: "~", moved: "↔" } as const;
export const coverOf = { full: "✓", part: "~", none: "✕" } as const;
