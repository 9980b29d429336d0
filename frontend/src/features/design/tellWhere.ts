/** Tells the others at a draft what is selected here and which field is typed in: on change, and again every few seconds. */
import type { Desk, DeskState } from "../../store";
import type { Here, Resume } from "../../transport";

const AT_MOST_EVERY_MS = 150;
const AGAIN_MS = 4000;

const hereOf = ({ selection, typing }: DeskState): Here => ({
  op: "here",
  selection: selection.slice(0, 50).map((one) => one.id),
  field: typing,
  cursor: null,
});

export function tellWhere(desk: Desk, line: Pick<Resume, "say">): () => void {
  let due: ReturnType<typeof setTimeout> | null = null;
  const say = (): void => {
    due = null;
    line.say(hereOf(desk.store.getState()));
  };
  const unsubscribe = desk.store.subscribe((now, before) => {
    if (now.selection === before.selection && now.typing === before.typing) return;
    due ??= setTimeout(say, AT_MOST_EVERY_MS);
  });
  const first = setTimeout(say, AT_MOST_EVERY_MS);
  const again = setInterval(say, AGAIN_MS);
  return () => {
    unsubscribe();
    clearInterval(again);
    clearTimeout(first);
    if (due) clearTimeout(due);
  };
}
