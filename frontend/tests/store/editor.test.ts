import { beforeEach, describe, expect, it } from "vitest";

import { applyAll, blankDraft, invertAll, type Draft, type Operation } from "../../src/model";
import { createEditor, historyFrom, MarkStore, type EditorPort } from "../../src/store";
import { OfflineError, ProblemError, type Batch, type EditAnswer } from "../../src/transport";

const LANE: Operation = { op: "region.add", id: "r", parent: null, fields: { key: "talk", role: "speaker" } };
const state = (id: string): Operation => ({ op: "state.add", id, region: "r", fields: { key: id } });
const first = (): Draft => ({ ...applyAll(blankDraft("agent"), [LANE, state("a")]), revision: 1 });

/** A server that orders batches: applies them, or refuses those it was told to. */
class Server implements EditorPort {
  draft = first();
  refuse: ProblemError | null = null;
  offline = 0;
  told: string[] = [];
  answers = new Map<string, EditAnswer>();
  hold: Promise<void> = Promise.resolve();
  bring: Operation[] = [];
  sent: Batch[] = [];

  post = async (_agent: string, batch: Batch): Promise<EditAnswer> => {
    this.sent.push(batch);
    await this.hold;
    if (this.offline > 0) {
      this.offline -= 1;
      throw new OfflineError("cut");
    }
    if (this.refuse) {
      const refusal = this.refuse;
      this.refuse = null;
      throw refusal;
    }
    const known = this.answers.get(batch.id);
    if (known) return { ...known, replayed: true };
    const operations = [...batch.operations, ...this.bring];
    const inverse = invertAll(this.draft, operations);
    this.draft = { ...applyAll(this.draft, operations), revision: this.draft.revision + 1 };
    const answer = { revision: this.draft.revision, operations, inverse, problems: [], replayed: false };
    this.answers.set(batch.id, answer);
    return answer;
  };
  fetch = (): Promise<Draft> => Promise.resolve(this.draft);
  tell = (title: string, text: string): void => void this.told.push(`${title} ${text}`);
  wait: () => Promise<void> = () => Promise.resolve();
  /** Somebody else edits. */
  other(operations: Operation[]) {
    this.draft = { ...applyAll(this.draft, operations), revision: this.draft.revision + 1 };
    return {
      seq: this.draft.revision,
      type: "edit" as const,
      data: { id: `other${this.draft.revision}`, by: null as { id: string; name: string } | null, operations, problems: [] },
    };
  }
}

const ids = (draft: Draft): string[] => draft.states.map((row) => row.id);

beforeEach(() => sessionStorage.clear());

describe("the editor", () => {
  it("shows an edit at once and agrees with the server afterwards", async () => {
    const server = new Server();
    const editor = createEditor(server.draft, server);
    editor.edit([state("b")], "Add state");
    editor.edit([state("c")], "Add state");
    expect(ids(editor.store.getState().draft)).toEqual(["a", "b", "c"]);
    expect(editor.store.getState().sync).toBe("saving");
    await editor.settled();
    expect(editor.store.getState()).toMatchObject({ sync: "saved", waiting: [], draft: server.draft && { revision: 3 } });
    expect(ids(server.draft)).toEqual(["a", "b", "c"]);
  });

  it("undoes, redoes and undoes again, on the server too", async () => {
    const server = new Server();
    const editor = createEditor(server.draft, server);
    editor.edit([{ op: "state.remove", id: "a" }], "Delete state");
    editor.undo();
    expect(ids(editor.store.getState().draft)).toEqual(["a"]);
    editor.redo();
    expect(ids(editor.store.getState().draft)).toEqual([]);
    editor.undo();
    await editor.settled();
    expect(ids(server.draft)).toEqual(["a"]);
    expect(editor.store.getState().history.redo.map((entry) => entry.label)).toEqual(["Delete state"]);
  });

  it("undoes after a reload what the server's history says", async () => {
    const server = new Server();
    const before = createEditor(server.draft, server);
    before.edit([state("b")], "Add state");
    await before.settled();
    const kept = historyFrom({
      undo: [{ id: "batch-2", revision: 2, title: "Add state", inverse: [{ op: "state.remove", id: "b" }] }],
      redo: [],
    });
    const after = createEditor(server.draft, server, kept);
    expect(after.store.getState().history.undo.map((entry) => entry.label)).toEqual(["Add state"]);
    after.undo();
    await after.settled();
    expect(ids(server.draft)).toEqual(["a"]);
    expect(server.sent.at(-1)).toMatchObject({ undoes: "batch-2", title: "Add state" });
    after.redo();
    await after.settled();
    expect(server.sent.at(-1)?.redoes).toBe(server.sent.at(-2)?.id);
    expect(ids(server.draft)).toEqual(["a", "b"]);
  });

  it("takes from the answer what leads back, with what the server brought along", async () => {
    const server = new Server();
    server.bring = [{ op: "state.update", id: "a", fields: { notes: "rewritten" } }];
    const editor = createEditor(server.draft, server);
    editor.edit([{ op: "state.update", id: "a", fields: { key: "alpha" } }], "Rename");
    await editor.settled();
    server.bring = [];
    editor.undo();
    await editor.settled();
    expect(server.draft.states[0]).toMatchObject({ key: "a", notes: null });
  });

  it("sends what was typed while the server was away after a reload, once and under the same id", async () => {
    const server = new Server();
    server.offline = Infinity;
    server.wait = () => new Promise(() => {});
    const before = createEditor(server.draft, server);
    before.edit([state("b")], "Add state");
    before.edit([state("c")], "Add state");
    await new Promise((done) => setTimeout(done, 5));
    server.offline = 0;
    const after = createEditor(server.draft, server);
    expect(ids(after.store.getState().draft)).toEqual(["a", "b", "c"]);
    await after.settled();
    expect(ids(server.draft)).toEqual(["a", "b", "c"]);
    expect(new Set(server.sent.map((batch) => batch.id)).size).toBe(2);
    expect(after.store.getState().history.undo).toHaveLength(2);
    expect(createEditor(server.draft, server).store.getState().waiting).toEqual([]);
  });

  it("says what became of words that somebody else wrote over, once", async () => {
    const server = new Server();
    const editor = createEditor(server.draft, server);
    editor.edit([{ op: "state.update", id: "a", fields: { label: "Mine" } }], "Rename");
    await editor.settled();
    const theirs = server.other([{ op: "state.update", id: "a", fields: { label: "Theirs" } }]);
    theirs.data.by = { id: "f", name: "Finn" };
    editor.receive(theirs);
    editor.receive(server.other([{ op: "state.update", id: "a", fields: { label: "Again" } }]));
    expect(server.told).toEqual([
      "Finn changed what you had just written label: you wrote “Mine”, it now says “Theirs”. Undo brings yours back.",
    ]);
  });

  it("takes a refused batch off the screen and says why", async () => {
    const server = new Server();
    server.refuse = new ProblemError(422, { code: "operation.invalid", detail: "Keys are lower case.", errors: [] });
    const editor = createEditor(server.draft, server);
    editor.edit([state("b")], "Add state");
    await editor.settled();
    expect(ids(editor.store.getState().draft)).toEqual(["a"]);
    expect(server.told).toEqual(["Add state: not kept Keys are lower case."]);
    expect(editor.store.getState().history.undo).toEqual([]);
  });

  it("tries again when the server cannot be reached, and loses nothing", async () => {
    const server = new Server();
    server.offline = 2;
    const editor = createEditor(server.draft, server);
    editor.edit([state("b")], "Add state");
    await editor.settled();
    expect(ids(server.draft)).toEqual(["a", "b"]);
    expect(editor.store.getState().sync).toBe("saved");
  });

  it("puts what others did under what is still waiting", async () => {
    const server = new Server();
    let go: () => void = () => {};
    server.hold = new Promise((done) => (go = done));
    const editor = createEditor(server.draft, server);
    editor.edit([state("mine")], "Add state");
    editor.receive(server.other([state("theirs")]));
    expect(ids(editor.store.getState().draft)).toEqual(["a", "theirs", "mine"]);
    go();
    await editor.settled();
    expect(editor.store.getState().draft).toEqual({ ...server.draft, differs: true });
  });

  it("does not double its own edit when the socket is faster than the answer", async () => {
    const server = new Server();
    const editor = createEditor(server.draft, server);
    let go: () => void = () => {};
    const answerLate = server.post;
    server.post = async (agent, batch) => {
      const answer = await answerLate(agent, batch);
      editor.receive({ seq: answer.revision, type: "edit", data: { id: batch.id, by: null, operations: answer.operations } });
      await new Promise<void>((done) => (go = done));
      return answer;
    };
    editor.edit([state("b")], "Add state");
    await new Promise((done) => setTimeout(done, 5));
    expect(ids(editor.store.getState().draft)).toEqual(["a", "b"]);
    go();
    await editor.settled();
    expect(ids(editor.store.getState().draft)).toEqual(["a", "b"]);
  });

  it("takes over what the server brought along", async () => {
    const server = new Server();
    server.bring = [{ op: "state.update", id: "a", fields: { notes: "rewritten" } }];
    const editor = createEditor(server.draft, server);
    editor.edit([{ op: "state.update", id: "a", fields: { key: "alpha" } }], "Rename");
    await editor.settled();
    expect(editor.store.getState().draft.states[0]).toMatchObject({ key: "alpha", notes: "rewritten" });
  });

  it("reads the draft anew when edits are missing in between", async () => {
    const server = new Server();
    const editor = createEditor(server.draft, server);
    server.other([state("x")]);
    editor.receive(server.other([state("y")]));
    await new Promise((done) => setTimeout(done, 5));
    expect(ids(editor.store.getState().draft)).toEqual(["a", "x", "y"]);
  });
});

describe("the mark store", () => {
  it("wakes only the readers of what changed", () => {
    const marks = new MarkStore();
    const woken: string[] = [];
    marks.subscribe("state", "a", () => woken.push("a"));
    marks.subscribe("state", "b", () => woken.push("b"));
    marks.set("state", "a", { active: "live" });
    marks.set("state", "a", { active: "live" });
    marks.show([["state", "b", { active: "live" }]]);
    expect(woken).toEqual(["a", "a", "b"]);
    expect(marks.get("state", "a")).toEqual({});
    marks.clear();
    expect(marks.get("state", "b")).toEqual({});
  });
});
