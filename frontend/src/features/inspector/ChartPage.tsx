import { Plus, Trash2 } from "lucide-react";

import { isSpeaker, nameOf, slug, uniqueKey, type Limits, type Settings } from "../../model";
import { Choice, IconButton, Line, NumberLine, Paragraph } from "../../ui";
import { faultsOf, Rest, Title, type PageProps } from "./parts";

type Named = "prompts" | "tools" | "outcomes" | "squad";
const LISTS: readonly { field: Named; title: string; word: string; detail: string; label: string }[] = [
  { field: "prompts", title: "Prompts", word: "prompt", detail: "text", label: "Text" },
  { field: "tools", title: "Tools", word: "tool", detail: "description", label: "What it does" },
  { field: "outcomes", title: "Outcomes", word: "outcome", detail: "label", label: "Name" },
  { field: "squad", title: "Squad", word: "colleague", detail: "agent", label: "Agent" },
];

type Entry = { key: string } & { [detail: string]: unknown };

function List({ list, draft, problems, onEdit }: { list: (typeof LISTS)[number] } & Pick<PageProps, "draft" | "problems" | "onEdit">) {
  const entries = draft.settings[list.field] as unknown as Entry[];
  const save = (next: Entry[], label: string): void =>
    onEdit([{ op: "settings.update", fields: { [list.field]: next } as unknown as Partial<Settings> }], label);
  const change = (n: number, fields: Partial<Entry>): void =>
    save(entries.map((entry, at) => (at === n ? ({ ...entry, ...fields } as Entry) : entry)), `Change ${list.word}`);
  const keys = entries.map((entry) => entry.key);
  return (
    <details className="in-section in-list" open={entries.length > 0 && entries.length < 4}>
      <summary>
        <span>{list.title}</span>
        <span className="ui-muted ui-num">{entries.length}</span>
      </summary>
      {entries.map((entry, n) => (
        <div className="in-effect" key={n}>
          <Line label="Key" code value={entry.key} onCommit={(text) => text.trim() && change(n, { key: uniqueKey(slug(text, list.word), keys.filter((key) => key !== entry.key)) })} />
          {list.detail === "text" ? (
            <Paragraph label={list.label} rows={2} value={String(entry[list.detail] ?? "")} onCommit={(text) => change(n, { [list.detail]: text })} />
          ) : (
            <Line label={list.label} value={String(entry[list.detail] ?? "")} onCommit={(text) => change(n, { [list.detail]: text })} />
          )}
          <div className="in-effectend">
            <IconButton size="sm" icon={Trash2} label={`Remove ${list.word} ${entry.key}`} onClick={() => save(entries.filter((_, at) => at !== n), `Remove ${list.word}`)} />
          </div>
        </div>
      ))}
      {faultsOf(problems, list.field).map((fault, n) => (
        <p key={n} className="ui-hint" data-tone={fault.tone}>
          {fault.text}
        </p>
      ))}
      <button type="button" className="in-add" onClick={() => save([...entries, { key: uniqueKey(list.word, keys), [list.detail]: list.detail === "agent" ? "" : "" }], `Add ${list.word}`)}>
        <Plus size={14} aria-hidden /> Add {list.word}
      </button>
    </details>
  );
}

/** Nothing selected: what holds for the whole chart. */
export function ChartPage({ draft, problems, onEdit }: PageProps) {
  const own = problems;
  const limit = (fields: Partial<Limits>): void => onEdit([{ op: "limits.update", fields }], "Change limits");
  const speaker = draft.regions.find((region) => region.parent === null && isSpeaker(region));
  const tops = draft.regions.filter((region) => region.parent === null);
  return (
    <>
      <Title over="Chart">{draft.agent.name}</Title>
      <Rest problems={own} shown={["turns", "transitions", "visits", "refusals", "seconds", "target"]} />
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
        <Paragraph label="Instructions for every state" value={draft.settings.instructions} rows={3} onCommit={(instructions) => onEdit([{ op: "settings.update", fields: { instructions } }], "Change instructions")} />
      </section>
      {LISTS.map((list) => (
        <List key={list.field} list={list} draft={draft} problems={problems} onEdit={onEdit} />
      ))}
    </>
  );
}
