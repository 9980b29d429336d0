/** What stands beside the machine: lists whose entries are changed one by one, so that two people at two entries both win. */
import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";

import { blankEntry, slug, SQUAD_LIMIT, uniqueKey, type Entries, type EntryList, type Lane, type Policy, type Problem, type Tool } from "../../model";
import { Choice, IconButton, Line, NumberLine, Paragraph } from "../../ui";
import { Arguments } from "./Arguments";
import { Expression } from "./Expression";
import { Questions } from "./Questions";
import type { PageProps } from "./parts";
import { entryProblems, faultsAt } from "./entryProblems";

type Context = Pick<PageProps, "draft" | "problems" | "onEdit">;

interface ListProps<L extends EntryList> extends Context {
  list: L;
  title: string;
  word: string;
  limit?: number;
  /** The fields of an entry below its key. */
  children(entry: Entries[L], parts: { change(fields: Partial<Entries[L]>): void; problems: Problem[]; at: string }): ReactNode;
}

function List<L extends EntryList>({ list, title, word, limit, draft, problems, onEdit, children }: ListProps<L>) {
  const entries = draft.settings[list] as unknown as readonly Entries[L][];
  const keys = entries.map((entry) => entry.key);
  const add = (): void => {
    const key = uniqueKey(slug(word, "entry"), keys);
    onEdit([{ op: "entry.add", list, fields: { ...blankEntry(list, key), ...fresh(list, draft) } }], `Add ${word}`);
  };
  const full = limit !== undefined && entries.length >= limit;
  return (
    <details className="in-section in-list" open={entries.length > 0 && entries.length < 4}>
      <summary>
        <span>{title}</span>
        <span className="ui-muted ui-num">{limit === undefined ? entries.length : `${entries.length} / ${limit}`}</span>
      </summary>
      {entries.map((entry, n) => {
        const own = entryProblems(problems, list, n);
        const change = (fields: Partial<Entries[L]>, label = `Change ${word}`): void => onEdit([{ op: "entry.update", list, key: entry.key, fields: fields as Record<string, unknown> }], label);
        return (
          <div className="in-effect" key={n} role="group" aria-label={`${word} ${entry.key}`}>
            <Line label="Key" code name={`${list}.${n}.key`} value={entry.key} faults={faultsAt(own, "key")}
              onCommit={(text) => text.trim() && change({ key: uniqueKey(slug(text, word), keys.filter((key) => key !== entry.key)) } as Partial<Entries[L]>, `Rename ${word}`)} />
            {children(entry, { change, problems: own, at: `${list}.${n}` })}
            <div className="in-effectend">
              <IconButton size="sm" icon={ArrowUp} label={`Move ${entry.key} up`} disabled={n === 0} onClick={() => onEdit([{ op: "entry.move", list, key: entry.key, index: n - 1 }], `Move ${word}`)} />
              <IconButton size="sm" icon={ArrowDown} label={`Move ${entry.key} down`} disabled={n === entries.length - 1} onClick={() => onEdit([{ op: "entry.move", list, key: entry.key, index: n + 1 }], `Move ${word}`)} />
              <IconButton size="sm" icon={Trash2} label={`Remove ${word} ${entry.key}`} onClick={() => onEdit([{ op: "entry.remove", list, key: entry.key }], `Remove ${word}`)} />
            </div>
          </div>
        );
      })}
      <button type="button" className="in-add" disabled={full} title={full ? `There is no room for more than ${limit}` : undefined} onClick={add}>
        <Plus size={14} aria-hidden /> Add {word}
      </button>
    </details>
  );
}

/** What a new entry needs from the draft around it. */
function fresh(list: EntryList, draft: PageProps["draft"]): Record<string, unknown> {
  return list === "policies" ? { tool: draft.settings.tools[0]?.key ?? "tool" } : {};
}

const EFFECTS: readonly (readonly [Policy["effect"], string])[] = [
  ["approve", "ask a person"],
  ["allow", "allow"],
  ["deny", "refuse"],
];
const APPROVALS: readonly (readonly [string, string])[] = [
  ["allow", "allow"],
  ["approve", "ask a person"],
  ["deny", "refuse"],
];
const METHODS = ["POST", "GET", "PUT", "PATCH", "DELETE"] as const;

function ToolFields({ tool, change, problems, at }: { tool: Tool; change(fields: Partial<Tool>): void; problems: Problem[]; at: string }) {
  const call = tool.call ?? { kind: "host", url: null, method: null };
  return (
    <>
      <Paragraph label="What it does, for the model" rows={2} value={tool.description ?? ""} onCommit={(description) => change({ description })} />
      <Arguments schema={tool.arguments ?? {}} name={`${at}.arguments`} faults={faultsAt(problems, "arguments")} onChange={(schema) => change({ arguments: schema })} />
      <div className="in-pair">
        <Choice label="Called by" name={`${at}.call`} value={call.kind} options={[["host", "the host of the Call"], ["http", "HTTP"]]} faults={faultsAt(problems, "call")}
          onChange={(kind) => change({ call: kind === "http" ? { kind: "http", url: call.url ?? "https://", method: call.method ?? "POST" } : { kind: "host", url: null, method: null } })} />
        <Choice label="Where no policy speaks" value={tool.approval ?? "allow"} options={APPROVALS} onChange={(approval) => change({ approval: approval as Tool["approval"] })} />
      </div>
      {call.kind === "http" && (
        <div className="in-pair">
          <Line label="URL" code value={call.url ?? ""} onCommit={(url) => change({ call: { ...call, url: url.trim() || null } })} />
          <Choice label="Method" value={call.method ?? "POST"} options={METHODS.map((method) => [method, method])} onChange={(method) => change({ call: { ...call, method: method as (typeof METHODS)[number] } })} />
        </div>
      )}
    </>
  );
}

function PolicyFields({ policy, draft, change, problems, at }: { policy: Policy; draft: PageProps["draft"]; change(fields: Partial<Policy>): void; problems: Problem[]; at: string }) {
  const tools = draft.settings.tools.map((tool) => [tool.key, tool.key] as const);
  const known = tools.some(([key]) => key === policy.tool);
  return (
    <>
      <div className="in-pair">
        <Choice label="The tool" name={`${at}.tool`} value={policy.tool} options={known ? tools : [[policy.tool, `${policy.tool} (missing)`], ...tools]} faults={faultsAt(problems, "tool")} onChange={(tool) => change({ tool })} />
        <Choice label="Then" value={policy.effect} options={EFFECTS} onChange={(effect) => change({ effect: effect as Policy["effect"] })} />
      </div>
      <Expression label="When; empty is always" name={`${at}.when`} value={policy.when ?? ""} draft={draft} problems={problems.filter((problem) => problem.path[2] === "when")} placeholder="slots.amount > 100" onCommit={(text) => change({ when: text || null })} />
      <Line label="What the person or the model is told" value={policy.message} onCommit={(message) => change({ message })} />
    </>
  );
}

const PROVIDERS: readonly (readonly [string, string])[] = [
  ["", "none chosen"],
  ["embedded", "embedded: no network, no key"],
  ["keywords", "keywords: the same answer every time"],
  ["openai", "an OpenAI-compatible endpoint"],
];

function LaneSection({ draft, onEdit }: Context) {
  const { lane } = draft.settings;
  const change = (fields: Partial<Lane>): void => onEdit([{ op: "settings.update", fields: { lane: { ...lane, ...fields } } }], "Change the lane");
  return (
    <details className="in-section in-list">
      <summary>
        <span>Decision lane</span>
        <span className="ui-muted">{lane.provider ?? "none"}</span>
      </summary>
      <Choice label="Who answers the questions" value={lane.provider ?? ""} options={PROVIDERS} onChange={(provider) => change({ provider: (provider || null) as Lane["provider"] })} />
      {lane.provider === "openai" && <Line label="Model" code value={lane.model} onCommit={(model) => change({ model: model.trim() })} />}
      <div className="in-pair">
        <NumberLine label="Sure from" value={lane.threshold} onCommit={(threshold) => threshold !== null && change({ threshold })} />
        <Line label="Waits at most" code value={lane.timeout} onCommit={(timeout) => timeout.trim() && change({ timeout: timeout.trim() })} />
      </div>
      <p className="ui-hint">Below “sure from” (0 to 1) the event is decision.question.unsure.</p>
    </details>
  );
}

/** All of it, in the order in which a conversation is thought out. */
export function Beside(page: Context) {
  const { draft } = page;
  return (
    <>
      <List {...page} list="prompts" title="Prompts" word="prompt">
        {(prompt, { change, problems, at }) => <Paragraph label="Text" name={`${at}.text`} rows={2} value={prompt.text} faults={faultsAt(problems, "text")} onCommit={(text) => change({ text })} />}
      </List>
      <List {...page} list="question_sets" title="Question sets" word="question set">
        {(set, { change, problems, at }) => <Questions set={set} change={change} problems={problems} at={at} />}
      </List>
      <LaneSection {...page} />
      <List {...page} list="tools" title="Tools" word="tool">
        {(tool, parts) => <ToolFields tool={tool} {...parts} />}
      </List>
      <List {...page} list="policies" title="Policies" word="policy">
        {(policy, parts) => <PolicyFields policy={policy} draft={draft} {...parts} />}
      </List>
      <List {...page} list="outcomes" title="Outcomes" word="outcome">
        {(outcome, { change, problems, at }) => <Line label="Name" name={`${at}.label`} value={outcome.label ?? ""} faults={faultsAt(problems, "label")} onCommit={(label) => change({ label })} />}
      </List>
      <List {...page} list="squad" title="Squad" word="colleague" limit={SQUAD_LIMIT}>
        {(member, { change, at }) => <Line label="Key of the agent" name={`${at}.agent`} code value={member.agent} onCommit={(agent) => change({ agent: agent.trim() })} />}
      </List>
    </>
  );
}
