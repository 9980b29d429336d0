/** What the marks say of a thing now, in words for those who cannot see them. */
import type { Mark } from "../../store/marks";

/** The id of the element that describes a state or a transition now. */
export const nowId = (id: string): string => `cv-now-${id}`;

const times = (n: number): string => (n === 1 ? "once" : `${n} times`);

/** "active now, entered 2 times"; empty when nothing is lit. */
export function nowWords(mark: Mark, verb: "entered" | "taken"): string {
  return [
    mark.active ? "active now" : "",
    mark.possible ? "possible now" : "",
    mark.flash === "refused" ? "refused" : mark.flash === "error" ? "guard failed" : "",
    mark.visited ? `${verb} ${times(mark.visited)}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}
