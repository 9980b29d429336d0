import { Layers, Trash2 } from "lucide-react";

import { indexOf, isSpeaker, laneOf, nameOf, slug, stateKeys, uniqueKey, type State, type StateKind } from "../../model";
import { newId } from "../../transport";
import { Button, CheckLine, Choice, Line, NumberLine, Paragraph } from "../../ui";
import { addInside, removeAll } from "../canvas";
import { Effects } from "./Effects";
import { Picks } from "./Picks";
import { faultsOf, Rest, splitWords, Title, Ways, type PageProps } from "./parts";

const KINDS: readonly (readonly [StateKind, string])[] = [
  ["state", "State"],
  ["final", "Final: the region is over"],
  ["choice", "Choice: left at once"],
  ["history", "History: where one was before"],
];
const SHOWN = ["label", "key", "kind", "prompt", "instructions", "tools", "ask", "agent", "keywords", "max_visits", "entry", "exit", "notes"];

/** The prompt of a state: chosen by key, its words edited in place. */
function Says({ state, draft, problems, onEdit, edit }: PageProps & { state: State; edit(fields: Partial<State>, label?: string): void }) {
  const { prompts } = draft.settings;
  const prompt = prompts.find((one) => one.key === state.prompt);
  const write = (text: string): void => {
    if (prompt) return onEdit([{ op: "entry.update", list: "prompts", key: prompt.key, fields: { text } }], "Change prompt");
    const key = uniqueKey(slug(state.key, "prompt"), prompts.map((one) => one.key));
    onEdit(
      [
        { op: "entry.add", list: "prompts", fields: { key, text } },
        { op: "state.update", id: state.id, fields: { prompt: key } },
      ],
      "Write prompt",
    );
  };
  const unknown = state.prompt !== null && !prompt ? [[state.prompt, `${state.prompt} (missing)`] as const] : [];
  return (
    <section className="in-section" aria-label="Says">
      <h3>Says</h3>
      <Paragraph label="Prompt" name="prompt" value={prompt?.text ?? ""} rows={3} onCommit={write} faults={faultsOf(problems, "prompt")} placeholder="Hello {{ slots.name }}, how may I help?" />
      {prompts.length > 0 && (
        <Choice label="Prompt key" value={state.prompt ?? ""} options={[["", "none"], ...unknown, ...prompts.map((one) => [one.key, one.key] as const)]} onChange={(key) => edit({ prompt: key || null })} />
      )}
      <Paragraph label="Instructions for the model" name="instructions" value={state.instructions ?? ""} rows={2} onCommit={(text) => edit({ instructions: text || null })} faults={faultsOf(problems, "instructions")} />
    </section>
  );
}

function Uses({ state, draft, problems, edit }: { state: State; draft: PageProps["draft"]; problems: PageProps["problems"]; edit(fields: Partial<State>): void }) {
  const { squad, tools, question_sets } = draft.settings;
  return (
    <section className="in-section" aria-label="Uses">
      <h3>Asks and uses</h3>
      <Picks label="Tools" name="tools" known={tools.map((one) => one.key)} value={state.tools} none="This agent has no tools yet: they are on the chart's own page." faults={faultsOf(problems, "tools")} onChange={(next) => edit({ tools: next })} />
      <Picks label="Question sets asked when the caller has spoken" name="ask" known={question_sets.map((one) => one.key)} value={state.ask} none="This agent has no question sets yet: they are on the chart's own page." faults={faultsOf(problems, "ask")} onChange={(ask) => edit({ ask })} />
      <Line label="Keywords, with commas" name="keywords" value={state.keywords.join(", ")} onCommit={(text) => edit({ keywords: splitWords(text) })} faults={faultsOf(problems, "keywords")} />
      {(squad.length > 0 || state.agent) && (
        <Choice label="Spoken by" name="agent" value={state.agent ?? ""} options={[["", "this agent"], ...squad.map((one) => [one.key, one.key] as const)]} onChange={(agent) => edit({ agent: agent || null })} faults={faultsOf(problems, "agent")} />
      )}
    </section>
  );
}

export function StatePage({ state, ...page }: PageProps & { state: State }) {
  const { draft, desk, problems, onEdit } = page;
  const index = indexOf(draft);
  const region = index.region.get(state.region);
  const lane = laneOf(draft, state.id);
  const speaks = lane !== null && isSpeaker(lane) && state.kind !== "history";
  const edit = (fields: Partial<State>, label = "Change state"): void => onEdit([{ op: "state.update", id: state.id, fields }], label);
  const addStatesInside = (): void => {
    const inner = newId();
    onEdit(addInside(draft, state.id, newId(), inner), "Add states inside");
    desk.select({ kind: "state", id: inner });
    desk.set({ naming: inner });
  };
  return (
    <>
      <Title over={`State in ${region ? nameOf(region) : "no region"}`}>{nameOf(state)}</Title>
      <Rest problems={problems} shown={SHOWN} />
      <section className="in-section">
        <Line label="Name" name="label" value={nameOf(state)} onCommit={(text) => edit({ label: text.trim() || null }, "Rename")} faults={faultsOf(problems, "label")} />
        <Line label="Key" name="key" code value={state.key} hint="Guards, scripts and Calls know it by this." onCommit={(text) => text.trim() && edit({ key: uniqueKey(slug(text), stateKeys(draft, state.id)) }, "Rename key")} faults={faultsOf(problems, "key")} />
        <Choice label="Kind" name="kind" value={state.kind ?? "state"} options={KINDS} onChange={(kind) => edit({ kind: kind as StateKind, history: kind === "history" ? "shallow" : null })} faults={faultsOf(problems, "kind")} />
        {state.kind === "history" && (
          <Choice label="Remembers" value={state.history ?? "shallow"} options={[["shallow", "the state (shallow)"], ["deep", "everything inside (deep)"]]} onChange={(history) => edit({ history: history === "deep" ? "deep" : "shallow" })} />
        )}
        {region && (
          <CheckLine label="The region starts here" value={region.initial === state.id} onChange={(on) => onEdit([{ op: "region.update", id: region.id, fields: { initial: on ? state.id : null } }], "Set start state")} />
        )}
      </section>
      {speaks && <Says state={state} edit={edit} {...page} />}
      {speaks && <Uses state={state} draft={draft} problems={problems} edit={edit} />}
      <Ways source={state.id} {...page} />
      <Effects title="On entry" field="entry" effects={state.entry} draft={draft} problems={problems} onChange={(entry) => edit({ entry }, "Change entry effects")} />
      <Effects title="On exit" field="exit" effects={state.exit} draft={draft} problems={problems} onChange={(exit) => edit({ exit }, "Change exit effects")} />
      <section className="in-section">
        <NumberLine label="Visits at most" name="max_visits" value={state.max_visits} onCommit={(max_visits) => edit({ max_visits })} faults={faultsOf(problems, "max_visits")} />
        <Paragraph label="Notes" name="notes" value={state.notes ?? ""} rows={2} onCommit={(text) => edit({ notes: text || null })} />
      </section>
      <div className="in-acts">
        {(state.kind === "state" || state.kind === null) && (
          <Button size="sm" icon={Layers} onClick={addStatesInside}>
            {index.regionsOf.has(state.id) ? "Add a region inside" : "Add states inside"}
          </Button>
        )}
        <Button
          size="sm"
          kind="danger"
          icon={Trash2}
          onClick={() => {
            onEdit(removeAll(draft, [{ kind: "state", id: state.id }]), "Delete state");
            desk.select(null);
          }}
        >
          Delete state
        </Button>
      </div>
    </>
  );
}
