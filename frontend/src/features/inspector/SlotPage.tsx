import { effectText, indexOf, labelText, nameOf, slotsRead, type Effect, type Slot, type Subject } from "../../model";
import { Rest, Title, type PageProps } from "./parts";

interface Use {
  subject: Subject;
  how: "sets" | "reads";
  words: string;
}

const writes = (effects: readonly Effect[], key: string): Effect | undefined => effects.find((effect) => effect.set === key || effect.clear === key);
const reads = (effects: readonly Effect[], key: string): boolean => effects.some((effect) => slotsRead(JSON.stringify(effect)).includes(key));

/** Everything that sets or reads a slot. */
export function usesOf(draft: PageProps["draft"], key: string): Use[] {
  const prompts = new Map(draft.settings.prompts.map((prompt) => [prompt.key, prompt.text]));
  const index = indexOf(draft);
  const uses: Use[] = [];
  for (const state of draft.states) {
    const subject: Subject = { kind: "state", id: state.id };
    const effects = [...state.entry, ...state.exit];
    const set = writes(effects, key);
    if (set) uses.push({ subject, how: "sets", words: `${nameOf(state)}: ${effectText(set)}` });
    if (reads(effects, key) || slotsRead(prompts.get(state.prompt ?? "")).includes(key)) uses.push({ subject, how: "reads", words: nameOf(state) });
  }
  for (const row of draft.transitions) {
    const subject: Subject = { kind: "transition", id: row.id };
    const source = index.state.get(row.source) ?? index.region.get(row.source);
    const words = `${source ? nameOf(source) : ""}: ${labelText(row)}`;
    if (writes(row.effects, key)) uses.push({ subject, how: "sets", words });
    if (slotsRead(row.guard).includes(key) || reads(row.effects, key)) uses.push({ subject, how: "reads", words });
  }
  return uses;
}

export function SlotPage({ slot, draft, desk, marks, problems }: PageProps & { slot: Slot }) {
  const uses = usesOf(draft, slot.key);
  return (
    <>
      <Title over={`Slot · ${slot.type}`}>{slot.key}</Title>
      <Rest problems={problems} shown={[]} />
      {(["sets", "reads"] as const).map((how) => (
        <section className="in-section" key={how} aria-label={how === "sets" ? "Set by" : "Read by"}>
          <h3>{how === "sets" ? "Set by" : "Read by"}</h3>
          {uses.filter((use) => use.how === how).length === 0 && <p className="ui-hint">{how === "sets" ? "No effect sets it; the model or the host may." : "Nothing reads it."}</p>}
          <ul className="in-ways">
            {uses
              .filter((use) => use.how === how)
              .map((use) => (
                <li key={use.subject.id + how}>
                  <button
                    type="button"
                    className="in-way"
                    onClick={() => {
                      desk.select(use.subject);
                      marks.focus(use.subject.id);
                    }}
                  >
                    <span className="ui-trunc">{use.words}</span>
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}
