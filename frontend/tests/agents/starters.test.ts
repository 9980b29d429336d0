import { describe, expect, it } from "vitest";
import { blankDocument, readImport } from "../../src/features/agents/starters";

const free = (wanted: string) => wanted.replace(/\.json$/, "");

describe("importing", () => {
  it("takes an agent document, with its layout when there is one", () => {
    const document = blankDocument("order_help", "Order help");
    expect(readImport(JSON.stringify(document), "a.json", free)).toMatchObject({ ok: true, name: "Order help", agent: { document } });
    expect(readImport(JSON.stringify({ document, layout: { start: { x: 1 } } }), "a.json", free)).toMatchObject({ ok: true, agent: { layout: { start: { x: 1 } } } });
  });

  it("puts a bare machine into an agent named after its file", () => {
    expect(readImport('{"format": "callchart.machine/1", "regions": []}', "survey.json", free)).toMatchObject({ ok: true, agent: { document: { key: "survey", machine: { regions: [] } } } });
  });

  it("says what is wrong with any other file", () => {
    expect(readImport("{", "x.json", free)).toMatchObject({ ok: false, message: expect.stringContaining("x.json is not JSON: ") });
    expect(readImport("[]", "x.json", free)).toMatchObject({ ok: false, message: expect.stringContaining("no agent document") });
    expect(readImport('{"format": "xstate"}', "x.json", free)).toMatchObject({ ok: false, message: expect.stringContaining('"xstate"') });
  });
});
