import { isSpeaker, nameOf, type Limits } from "../../model";
import { Choice, Line, NumberLine, Paragraph } from "../../ui";
import { Beside } from "./Beside";
import { ENTRY_LISTS } from "./entryProblems";
import { faultsOf, Rest, Title, type PageProps } from "./parts";

/** Nothing selected: what holds for the whole chart. */
export function ChartPage({ draft, problems, onEdit }: PageProps) {
  const own = problems;
  const limit = (fields: Partial<Limits>): void => onEdit([{ op: "limits.update", fields }], "Change limits");
  const speaker = draft.regions.find((region) => region.parent === null && isSpeaker(region));
  const tops = draft.regions.filter((region) => region.parent === null);
  return (
    <>
      <Title over="Chart">{draft.agent.name}</Title>
      <Rest problems={own} shown={["turns", "transitions", "visits", "refusals", "seconds", "target", "instructions", ...ENTRY_LISTS]} />
      <section className="in-section" aria-label="Limits">
        <h3>Limits</h3>
        <div className="in-pair">
          <NumberLine label="Turns" value={draft.limits.turns} onCommit={(turns) => limit({ turns })} faults={faultsOf(own, "turns")} />
          <NumberLine label="Refusals" value={draft.limits.refusals} onCommit={(refusals) => limit({ refusals })} faults={faultsOf(own, "refusals")} />
          <NumberLine label="Seconds" value={draft.limits.seconds} onCommit={(seconds) => limit({ seconds })} faults={faultsOf(own, "seconds")} />
          <NumberLine label="Transitions" value={draft.limits.transitions} onCommit={(transitions) => limit({ transitions })} faults={faultsOf(own, "transitions")} />
          <NumberLine label="Visits of a state" value={draft.limits.visits} onCommit={(visits) => limit({ visits })} faults={faultsOf(own, "visits")} />
        </div>
        <Choice
          label="When one is reached, go to"
          value={draft.limits.target ?? ""}
          options={[["", "nothing: the Call ends"], ...draft.states.filter((state) => state.region === speaker?.id).map((state) => [state.id, nameOf(state)] as const)]}
          onChange={(id) => limit({ target: id || null })}
          faults={faultsOf(own, "target")}
        />
      </section>
      {tops.length > 0 && (
        <section className="in-section">
          <Choice
            label="Speaker region"
            value={speaker?.id ?? ""}
            options={[...(speaker ? [] : [["", "none yet"] as const]), ...tops.map((region) => [region.id, nameOf(region)] as const)]}
            onChange={(id) =>
              onEdit(
                tops.filter((region) => region.id === id || isSpeaker(region)).map((region) => ({ op: "region.update", id: region.id, fields: { role: region.id === id ? "speaker" : "observer" } }) as const),
                "Choose the speaker",
              )
            }
            hint="Its active state decides what is said; the other regions watch."
          />
        </section>
      )}
      <section className="in-section">
        <Line label="Agent name" value={draft.agent.name} onCommit={(name) => name.trim() && onEdit([{ op: "settings.update", fields: { name: name.trim() } }], "Rename agent")} />
        <Paragraph label="Instructions for every state" name="instructions" faults={faultsOf(own, "instructions")} value={draft.settings.instructions} rows={3} onCommit={(instructions) => onEdit([{ op: "settings.update", fields: { instructions } }], "Change instructions")} />
      </section>
      <Beside draft={draft} problems={problems} onEdit={onEdit} />
    </>
  );
}
