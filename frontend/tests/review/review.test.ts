import { describe, expect, it } from "vitest";
import { anchorOf, threadsOf } from "../../src/features/review/threads";
import type { Draft, State, Transition } from "../../src/model/draft";
import { offersOf } from "../../src/model/lifecycle";
import { inGroups, mergeVersions, placesOf, titleOf, wordDiff, type Change, type Comment } from "../../src/model/review";

const stateRow = (key: string, more: Partial<State> = {}): State => ({
  id: `s:${key}`, region: "r:main", key, label: null, kind: null, history: null, prompt: null, instructions: null, tools: [], ask: [], agent: null,
  keywords: [], max_visits: null, entry: [], exit: [], notes: null, ...more,
});
const way = (id: string, source: string, target: string, event: string, more: Partial<Transition> = {}): Transition => ({
  id, source: `s:${source}`, target: `s:${target}`, key: null, label: null, on: { event }, guard: null, effects: [], internal: null, external: null,
  min_confidence: null, max_takes: null, notes: null, ...more,
});
const chart = (states: State[], transitions: Transition[]): Draft => ({
  agent: { id: "a", key: "desk", name: "Desk" }, revision: 1,
  settings: { instructions: "", prompts: [], tools: [], outcomes: [], squad: [], policies: [] } as unknown as Draft["settings"], limits: {},
  regions: [{ id: "r:main", key: "main", label: null, parent: null, role: "speaker", initial: "s:a", stability: null, entry: [], exit: [] }],
  states, transitions, slots: [], layout: Object.fromEntries(states.map((row, n) => [row.id, { x: n * 200, y: 0, w: 160, h: 40 }])),
  problems: [], active_version: null, latest_version: null, differs: false,
});
const change = (what: Change["change"], kind: string, key: string | null, more: Partial<Change> = {}): Change => ({ change: what, group: "behaviour", kind, key, label: null, within: null, target: null, fields: [], ...more });

describe("both versions on one drawing", () => {
  const before = chart([stateRow("a"), stateRow("b"), stateRow("gone")], [way("t1", "a", "gone", "x"), way("t2", "a", "b", "y")]);
  const after = chart([stateRow("a"), stateRow("b"), stateRow("new")], [way("t1", "a", "b", "y"), way("t3", "a", "new", "z")]);
  const changes = [
    change("added", "state", "new"),
    change("removed", "state", "gone"),
    change("removed", "transition", null, { within: "a", target: "gone" }),
    change("added", "transition", null, { within: "a", target: "new" }),
    change("moved", "state", "b", { group: "cosmetic" }),
  ];
  const merged = mergeVersions(before, after, changes);

  it("keeps what was taken away where it stood, and marks everything that is different", () => {
    expect(merged.rows.states.map((row) => row.key)).toEqual(["a", "b", "new", "gone"]);
    expect(merged.rows.layout["s:gone"]).toEqual(before.layout["s:gone"]);
    expect(Object.fromEntries(merged.marks)).toEqual({ "s:new": "added", "s:gone": "removed", "was:t1": "removed", t3: "added", "s:b": "moved" });
  });

  it("gives a transition that is gone an id of its own where the new chart uses its id for another", () => {
    const ghost = merged.rows.transitions.find((row) => row.id === "was:t1");
    expect(ghost?.target).toBe("s:gone");
    expect(merged.rows.transitions.find((row) => row.id === "t1")?.target).toBe("s:b");
    expect(merged.places).toEqual([["s:new"], ["s:gone"], ["was:t1"], ["t3"], ["s:b"]]);
  });

  it("names what was removed by the old chart, where the new one gives its id to something else", () => {
    const gone = change("removed", "transition", null, { id: "t1", within: "a", target: "gone" });
    expect(titleOf(gone, [after, before])).toEqual({ kind: "A → Gone", name: "x" });
  });

  it("leads from a prompt and from a tool to the states that use them", () => {
    const rows = chart([stateRow("a", { prompt: "hello" }), stateRow("b", { tools: ["look"] })], []);
    expect(placesOf(change("changed", "prompt", "hello"), rows)).toEqual(["s:a"]);
    expect(placesOf(change("changed", "tool", "look"), rows)).toEqual(["s:b"]);
  });

  it("walks the groups in their order, behaviour first and what is cosmetic last", () => {
    const given = [change("moved", "state", "a", { group: "cosmetic" }), change("changed", "prompt", "p", { group: "words" }), change("added", "state", "b")];
    expect(inGroups(given).map((one) => one.group)).toEqual(["behaviour", "words", "cosmetic"]);
  });
});

describe("words", () => {
  it("are compared one by one; what stayed is said once", () => {
    expect(wordDiff("What is your number?", "What is your order number, please?")).toEqual([
      { text: "What is your ", is: "same" }, { text: "number?", is: "removed" }, { text: "order number, please?", is: "added" },
    ]);
    expect(wordDiff("same", "same")).toEqual([{ text: "same", is: "same" }]);
    expect(wordDiff("", "new")).toEqual([{ text: "new", is: "added" }]);
  });

  it("give both texts back, whatever became of them", () => {
    const texts = ["", "a b c", "c b a", "a a b", "one two three four", "two one four"];
    const bare = (text: string): string[] => text.split(/\s+/).filter(Boolean);
    for (const before of texts) for (const after of texts) {
      const words = wordDiff(before, after);
      const side = (not: string): string[] => bare(words.filter((word) => word.is !== not).map((word) => word.text + " ").join(""));
      expect(side("added")).toEqual(bare(before));
      expect(side("removed")).toEqual(bare(after));
    }
  });
});

describe("threads", () => {
  const rows = chart([stateRow("hello")], [way("t1", "hello", "hello", "x")]);
  const said = (id: string, more: Partial<Comment> = {}): Comment => ({
    id, anchor: { kind: "state", id: "row-1", key: "later_name", gone: false }, version: 1, text: id, by: null, at: `2026-11-30T10:0${id.slice(-1)}:00Z`, edited_at: null, resolved: null, parent: null, ...more,
  });

  it("stand at what they are about by the name it has in this version", () => {
    const [thread] = threadsOf([said("c1"), said("c2", { parent: "c1" })], rows, { state: { hello: "row-1" } });
    expect(thread?.place).toBe("s:hello");
    expect(thread?.comments.map((one) => one.id)).toEqual(["c1", "c2"]);
  });

  it("are listed where their thing is not in this version, without a place", () => {
    const [thread] = threadsOf([said("c1")], rows, { state: {} });
    expect(thread?.place).toBeNull();
  });

  it("put the open ones first", () => {
    const resolved = { by: null, at: "2026-11-30T11:00:00Z" };
    expect(threadsOf([said("c3", { resolved }), said("c1"), said("c2")], rows, {}).map((one) => one.id)).toEqual(["c2", "c1", "c3"]);
  });

  it("begin at what is selected, a transition without a key too", () => {
    expect(anchorOf(rows, "t1").anchor).toEqual({ kind: "transition", key: "hello_1" });
    expect(anchorOf(rows, null).anchor).toEqual({ kind: "agent", key: "desk" });
  });
});

describe("what can be done with a version", () => {
  const mine = { number: 2, status: "in_review", published_by: { id: "me", name: "Me" } };
  it("is approved by other eyes where the workspace asks for them", () => {
    const why = (selfApproval: boolean | undefined): (string | null)[] => offersOf(mine, { id: "me", roles: ["reviewer"], ...(selfApproval === undefined ? {} : { selfApproval }) }).map((offer) => offer.why);
    expect(why(false)).toEqual([null, "You published this version: somebody else approves it."]);
    expect(why(true)).toEqual([null, null]);
    expect(why(undefined)).toEqual([null, null]);
  });

  it("says which role is asked for", () => {
    expect(offersOf(mine, { id: "you", roles: ["support"] }).map((offer) => [offer.move, offer.why])).toEqual([["return", "Reviewers return versions."], ["approve", "Reviewers approve versions."]]);
  });

  it("is approved anew when its approval holds no longer, and not activated before", () => {
    const void_ = { code: "squad.changed", detail: "billing has another version now." };
    expect(offersOf({ number: 2, status: "approved", void: void_ }, { id: "you", roles: ["reviewer"] })).toEqual([{ move: "activate", why: void_.detail }, { move: "approve", why: null }]);
  });

  it("is final when it was returned", () => {
    expect(offersOf({ number: 2, status: "returned" }, { id: "you", roles: ["reviewer", "designer", "admin"] })).toEqual([]);
  });
});
