import "./agents.css";
import { FilePlus2, Import, LayoutTemplate, Plus } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { slug, uniqueKey } from "../../model/names";
import { may } from "../../model/roles";
import type { AgentBrief, NewAgent as Wanted } from "../../transport/resources";
import { told } from "../../transport/told";
import { Button, Dialog, EmptyState, isTyping, KeyHint, Loading, Note, Segmented, toast, useKeys, useTitle } from "../../ui";
import { AgentRow } from "./AgentRow";
import { NewAgent } from "./NewAgent";
import { useAgents, useCreateAgent, useDeleteAgent, useDuplicateAgent, useTemplates } from "./queries";
import { readImport } from "./starters";

type Filter = "all" | "active" | "draft";

function passes(agent: AgentBrief, filter: Filter, text: string): boolean {
  if (filter === "active" && agent.active_version === null) return false;
  if (filter === "draft" && agent.active_version !== null) return false;
  return `${agent.name} ${agent.key}`.toLowerCase().includes(text.trim().toLowerCase());
}

const kinds: Readonly<Record<Filter, string>> = { all: "agent", active: "agent with an active version", draft: "agent without an active version" };

function nothingFits(filter: Filter, text: string): string {
  return text ? `No ${kinds[filter]} has “${text}” in its name or key.` : `There is no ${kinds[filter]}.`;
}

/** The agents of a workspace, and the ways to make another for those who may. `roles` is undefined until they are known. */
export function AgentsScreen({ roles }: { roles: readonly string[] | undefined }) {
  useTitle("Agents");
  const changes = may("agents.change", roles ?? []);
  const agents = useAgents();
  const templates = useTemplates();
  const create = useCreateAgent();
  const duplicate = useDuplicateAgent();
  const remove = useDeleteAgent();
  const navigate = useNavigate();
  const [filter, setFilter] = useState<Filter>("all");
  const [text, setText] = useState("");
  const [starting, setStarting] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<AgentBrief | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const search = useRef<HTMLInputElement>(null);

  const rows = useMemo(() => agents.data ?? [], [agents.data]);
  const taken = useMemo(() => rows.map((agent) => agent.key), [rows]);
  const shown = rows.filter((agent) => passes(agent, filter, text));
  const active = rows.filter((agent) => agent.active_version !== null).length;

  useKeys(useCallback((event: KeyboardEvent) => {
    if (isTyping(event.target) || event.metaKey || event.ctrlKey || event.altKey || starting !== null) return false;
    if (changes && event.key.toLowerCase() === "c") setStarting("");
    else if (event.key === "/") search.current?.focus();
    else return false;
    return true;
  }, [starting, changes]));

  function make(agent: Wanted): void {
    create.mutate(agent, {
      onSuccess: (made) => void navigate(`/agents/${made.id}`),
      onError: (error) => {
        if (starting === null) setRefused(told(error));
      },
    });
  }

  async function importFile(chosen: File): Promise<void> {
    setRefused(null);
    const read = readImport(await chosen.text(), chosen.name, (wanted) => uniqueKey(slug(wanted, "agent"), taken));
    if (read.ok) make(read.agent);
    else setRefused(read.message);
  }

  function begin(template: string): void {
    create.reset();
    setStarting(template);
  }

  const starters = (
    <div className="agents-starters">
      <button type="button" className="agents-starter" onClick={() => begin("")}>
        <FilePlus2 size={20} aria-hidden /><b>Blank</b>One lane with a start and a final state.
      </button>
      {(templates.data ?? []).map((one) => (
        <button key={one.key} type="button" className="agents-starter" onClick={() => begin(one.key)}>
          <LayoutTemplate size={20} aria-hidden /><b>{one.name}</b>{one.description}
          <span className="ui-muted ui-num">{one.states} states · {one.slots} slots</span>
        </button>
      ))}
      <button type="button" className="agents-starter" onClick={() => file.current?.click()}>
        <Import size={20} aria-hidden /><b>Import</b>An agent document or a machine, as JSON.
      </button>
    </div>
  );

  return (
    <main className="agents" id="main">
      <input ref={file} type="file" accept="application/json,.json" hidden aria-label="Document to import"
        onChange={(event) => { const chosen = event.target.files?.[0]; event.target.value = ""; if (chosen) void importFile(chosen); }} />
      {refused !== null && <div className="agents-refused"><Note tone="bad"><p><b>Nothing was imported.</b> {refused}</p><Button size="sm" onClick={() => setRefused(null)}>Put away</Button></Note></div>}
      {agents.isPending && <Loading what="Reading the agents…" />}
      {agents.isError && <Note tone="bad">The agents could not be read: {agents.error.message} <Button size="sm" onClick={() => void agents.refetch()}>Try again</Button></Note>}
      {agents.isSuccess && rows.length === 0 && roles && !changes && <EmptyState icon={LayoutTemplate} title="No agents yet">Designers and admins make them. They stand here as soon as there is one.</EmptyState>}
      {agents.isSuccess && rows.length === 0 && changes && (
        <div className="agents-empty">
          <h1>Draw your first conversation</h1>
          <p className="ui-second">An agent is a chart of states and transitions that a Call runs on. Begin with one of these.</p>
          {starters}
        </div>
      )}
      {rows.length > 0 && (
        <>
          <div className="agents-head">
            <h1>Agents</h1>
            <Segmented label="Which agents" value={filter} onChange={setFilter} options={[
              { key: "all", label: <>All <span className="ui-num">{rows.length}</span></> },
              { key: "active", label: <>Active <span className="ui-num">{active}</span></> },
              { key: "draft", label: <>Drafts <span className="ui-num">{rows.length - active}</span></> },
            ]} />
            <input ref={search} type="search" className="ui-input agents-search" aria-label="Filter by name or key" placeholder="Filter by name or key  /" value={text} onChange={(event) => setText(event.target.value)} />
            <span className="ui-grow" />
            {changes && <>
              <Button icon={Import} onClick={() => file.current?.click()}>Import</Button>
              <Button kind="primary" icon={Plus} onClick={() => begin("")}>New agent <span className="ui-hide-narrow"><KeyHint>C</KeyHint></span></Button>
            </>}
          </div>
          <div className="ui-card">
            <table className="agents-table">
              <thead><tr><th>Agent</th><th>Status</th><th>Version</th><th>Live Calls</th><th>States</th><th>Last edit</th><th><span className="ui-sr">More</span></th></tr></thead>
              <tbody>
                {shown.map((agent) => (
                  <AgentRow key={agent.id} agent={agent} now={agents.dataUpdatedAt} changes={changes} onDelete={() => setLeaving(agent)}
                    onDuplicate={() => duplicate.mutate({ agent, key: uniqueKey(`${agent.key}_copy`, taken) }, {
                      onSuccess: (made) => toast("ok", `${made.name} was made`),
                      onError: (error) => toast("bad", "Nothing was duplicated", error.message),
                    })} />
                ))}
              </tbody>
            </table>
            {shown.length === 0 && <EmptyState title="No agent fits" action={<Button size="sm" onClick={() => { setText(""); setFilter("all"); }}>Show all</Button>}>{nothingFits(filter, text.trim())}</EmptyState>}
          </div>
          {changes && <><h2 style={{ marginTop: 32 }}>Start from a template</h2>{starters}</>}
        </>
      )}
      {starting !== null && (
        <NewAgent key={starting} first={starting} templates={templates.data ?? []} taken={taken} busy={create.isPending}
          fault={create.isError ? told(create.error) : null} onCreate={make} onClose={() => setStarting(null)} />
      )}
      <Dialog open={leaving !== null} onClose={() => setLeaving(null)} title={`Delete ${leaving?.name ?? ""}?`} width={420}>
        <div className="agents-form">
          <p>Its draft goes away. Versions that Calls run on are kept for those Calls.</p>
          <div className="agents-form-end">
            <Button data-autofocus onClick={() => setLeaving(null)}>Keep it</Button>
            <Button kind="danger" busy={remove.isPending} onClick={() => leaving && remove.mutate(leaving.id, {
              onSuccess: () => setLeaving(null),
              onError: (error) => { setLeaving(null); toast("bad", `${leaving.name} was not deleted`, error.message); },
            })}>Delete</Button>
          </div>
        </div>
      </Dialog>
    </main>
  );
}
