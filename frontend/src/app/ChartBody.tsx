import { useState } from "react";
import { Canvas, MarkStore } from "../features/canvas";
import { SimulatePanel } from "../features/simulate";
import type { Draft } from "../model";
import { Split } from "../ui";

/** A chart to look at, not to change: a version, or the draft for those who do not edit. The dry run is below it when wanted. */
export function ChartBody({ agentId, version, rows, simulating, title }: { agentId: string; version: number | "draft"; rows: Draft; simulating: boolean; title: string }) {
  const [marks] = useState(() => new MarkStore());
  const canvas = <main id="main" style={{ height: "100%" }}><h1 className="ui-sr">{title}</h1><Canvas draft={rows} mode="watch" marks={marks} /></main>;
  return (
    <div className="app-page"><div className="app-body">
      {simulating
        ? <Split label={title} direction="vertical" parts={[{ key: "chart", content: canvas }, { key: "dry run", size: 340, min: 180, content: <SimulatePanel agentId={agentId} version={version} rows={rows} marks={marks} /> }]} />
        : canvas}
    </div></div>
  );
}
