import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useSearchParams } from "react-router";
import type { Json } from "../../model";
import { people, type AuditEntry, type AuditFilter } from "../../transport/people";
import { Button, EmptyState, Labelled, Loading, Note } from "../../ui";

const KINDS: readonly { label: string; action: string }[] = [
  { label: "Everything", action: "" },
  { label: "Agents and drafts", action: "agent.*" },
  { label: "Versions", action: "version.*" },
  { label: "Calls", action: "call.*" },
  { label: "Roles", action: "roles.*" },
  { label: "Members", action: "member.*" },
  { label: "Tokens", action: "token.*" },
  { label: "Sign-ins", action: "sign_in*" },
  { label: "Workspace", action: "workspace.*" },
];

function plain(value: Json): string {
  if (Array.isArray(value)) return value.map(plain).join(", ");
  if (value !== null && typeof value === "object") return Object.entries(value).map(([name, inner]) => `${name} ${plain(inner)}`).join(", ");
  return String(value);
}

function told(entry: AuditEntry): string {
  return Object.entries(entry.data).filter(([, value]) => value !== null).map(([name, value]) => `${name} ${plain(value)}`).join(" · ");
}

function Row({ entry }: { entry: AuditEntry }) {
  return (
    <tr>
      <td className="ui-num"><time dateTime={entry.at} title={entry.at}>{entry.at.slice(0, 10)} {entry.at.slice(11, 19)}</time></td>
      <td>{entry.actor.name || "unknown"}</td>
      <td><code>{entry.action}</code></td>
      <td><span className="ui-second">{entry.object.kind}</span> <code title={entry.object.id}>{entry.object.id.slice(-6)}</code></td>
      <td className="admin-data ui-second">{told(entry)}</td>
      <td className="ui-second">{entry.address}</td>
    </tr>
  );
}

/** Who did what, newest first; the filters stand in the address, so that a finding can be sent on. */
export function AuditLog() {
  const [params, setParams] = useSearchParams();
  const filter: AuditFilter = { action: params.get("action") ?? "", actor: params.get("actor") ?? "", from: params.get("from") ?? "", to: params.get("to") ?? "" };
  const members = useQuery({ queryKey: ["members"], queryFn: people.members });
  const pages = useInfiniteQuery({
    queryKey: ["audit", filter],
    queryFn: ({ pageParam }) => people.audit(filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });
  const choose = (name: string, value: string): void => setParams((before) => {
    if (value) before.set(name, value);
    else before.delete(name);
    return before;
  }, { replace: true });
  const rows = pages.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <section className="ui-col" style={{ gap: 16 }}>
      <div className="admin-filters">
        <Labelled label="What">{(id) => <select id={id} className="ui-input" value={filter.action} onChange={(event) => choose("action", event.target.value)}>{KINDS.map((kind) => <option key={kind.action} value={kind.action}>{kind.label}</option>)}</select>}</Labelled>
        <Labelled label="Who">{(id) => <select id={id} className="ui-input" value={filter.actor} onChange={(event) => choose("actor", event.target.value)}><option value="">Anybody</option>{(members.data ?? []).map((member) => <option key={member.user.id} value={member.user.id}>{member.user.name}</option>)}</select>}</Labelled>
        <Labelled label="From">{(id) => <input id={id} type="date" className="ui-input" value={filter.from} onChange={(event) => choose("from", event.target.value)} />}</Labelled>
        <Labelled label="Before">{(id) => <input id={id} type="date" className="ui-input" value={filter.to} onChange={(event) => choose("to", event.target.value)} />}</Labelled>
      </div>
      {pages.isPending && <Loading what="Reading the audit…" />}
      {pages.isError && <Note tone="bad">{pages.error.message}</Note>}
      {pages.isSuccess && (
        <div className="ui-card admin-wide">
          {rows.length === 0 ? <EmptyState icon={ScrollText} title="Nothing like that was done">Widen the filters.</EmptyState> : (
            <table className="admin-table">
              <thead><tr><th>When (UTC)</th><th>Who</th><th>What</th><th>On</th><th>How</th><th>From</th></tr></thead>
              <tbody>{rows.map((entry) => <Row key={entry.id} entry={entry} />)}</tbody>
            </table>
          )}
        </div>
      )}
      {pages.hasNextPage && <div><Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>Older entries</Button></div>}
    </section>
  );
}
