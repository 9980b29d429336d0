/** The versions of an Agent, newest first: where each stands, since when, by whom, and what can be done with it. */
import { GitCompareArrows, Workflow } from "lucide-react";
import { Link } from "react-router";

import { statusWords, type Who } from "../../model/lifecycle";
import { personName } from "../../model/people";
import type { Version } from "../../transport/resources";
import { ago, Badge, EmptyState, useNow, type Tone } from "../../ui";
import { Decision } from "./Decision";

export const statusTone: Readonly<Record<string, Tone>> = { active: "ok", approved: "ok", in_review: "info", published: "info", returned: "bad" };

function latestOf(version: Version): { word: string; by: Version["published_by"]; at: string; note: string | null } {
  const { decision, review } = version;
  if (decision) return { word: decision.what, by: decision.by, at: decision.at, note: decision.note };
  if (review) return { word: "review requested", by: review.requested_by, at: review.requested_at, note: review.note };
  return { word: "published", by: version.published_by, at: version.published_at, note: null };
}

export function Versions({ agentId, versions, active, who, shown }: { agentId: string; versions: readonly Version[]; active: number | null; who: Who; shown?: number }) {
  const now = useNow(true);
  if (versions.length === 0) return <EmptyState icon={Workflow} title="Nothing is published yet">Publish the draft to make its first version.</EmptyState>;
  return (
    <ul className="rv-versions" aria-label="Versions">
      {versions.map((version) => {
        const latest = latestOf(version);
        const scenarios = version.evidence?.scenarios;
        return (
          <li key={version.number} aria-current={version.number === shown ? "page" : undefined}>
            <div className="ui-row">
              <Link className="agents-link" to={`/agents/${agentId}/versions/${version.number}`}><b>v{version.number}</b></Link>
              <Badge tone={statusTone[version.status] ?? "plain"}>{statusWords(version.status)}</Badge>
              {version.void && <Badge tone="bad" title={version.void.detail}>approval void</Badge>}
              {scenarios && <Badge tone={scenarios.failed > 0 ? "bad" : "ok"} title="Scenarios that pass">{scenarios.passed}/{scenarios.total}</Badge>}
              <span className="ui-grow" />
              <code className="ui-muted" title={version.digest}>{version.digest.slice(0, 8)}</code>
            </div>
            <p className="ui-second">{latest.word} by {personName(latest.by) ?? "somebody"} <time dateTime={latest.at} title={latest.at}>{ago(latest.at, now)}</time>{latest.word !== "published" && <span className="ui-muted"> · published {ago(version.published_at, now)}</span>}</p>
            {latest.note && <q className="rv-note">{latest.note}</q>}
            <div className="ui-row rv-moves">
              <Link className="ui-btn" data-size="sm" to={`/agents/${agentId}/versions/${version.number}/review`}><GitCompareArrows size={14} aria-hidden />Review</Link>
              <Decision agentId={agentId} version={version} active={active} who={who} size="sm" only={["request", "activate", "retire"]} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
