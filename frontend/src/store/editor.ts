/**
 * The draft under somebody's hands. An edit is on the screen at once; batches go to the server one after the
 * other; its answers (and the edits of others) move the confirmed draft, on which what is still waiting is
 * applied anew. A refused batch vanishes from the screen with a sentence that says why.
 *
 *   shown draft = confirmed draft + waiting batches
 */
import { createStore, type StoreApi } from "zustand/vanilla";

import { applyAll, apply, GoneError, invertAll, type Draft, type Operation, type Problem } from "../model";
import { newId, OfflineError, ProblemError, type Batch, type EditAnswer, type EditItem } from "../transport";
import { answered, forget, NO_HISTORY, type Entry, type History } from "./history";
import { Overwritten } from "./overwritten";
import { loadWaiting, saveWaiting, withBatch, withWaiting, type Waiting } from "./waiting";

export type Sync = "saved" | "saving" | "offline";

export interface EditorState {
  agent: string;
  /** What is shown. */
  draft: Draft;
  confirmed: Draft;
  waiting: readonly Waiting[];
  history: History;
  sync: Sync;
}

export interface EditorPort {
  post(agent: string, batch: Batch): Promise<EditAnswer>;
  fetch(agent: string): Promise<Draft>;
  /** Says to the person why something they did is not there (any more). */
  tell(title: string, text: string): void;
  wait(milliseconds: number): Promise<void>;
}

export interface Editor {
  store: StoreApi<EditorState>;
  /** Does and remembers; nothing happens when there is nothing to do. */
  edit(operations: readonly Operation[], label: string): void;
  undo(): void;
  redo(): void;
  /** An edit that came over the socket, or a whole draft after a reset. */
  receive(item: EditItem): void;
  replace(draft: Draft): void;
  reload(): Promise<void>;
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>;
}

const RETRY_MS = 2000;

/** Applies what still fits; an operation on what others took away is left out (the server will refuse it). */
function applyWhatFits(draft: Draft, operations: readonly Operation[]): Draft {
  return operations.reduce((current, operation) => {
    try {
      return apply(current, operation);
    } catch (error) {
      if (error instanceof GoneError) return current;
      throw error;
    }
  }, draft);
}

const shown = (confirmed: Draft, waiting: readonly Waiting[]): Draft =>
  waiting.reduce((draft, batch) => applyWhatFits(draft, batch.operations), confirmed);

/** An editor of a draft as it was read, with the history that the server keeps of this person. */
export function createEditor(first: Draft, port: EditorPort, kept: History = NO_HISTORY): Editor {
  const agent = first.agent.id;
  const left = loadWaiting(agent);
  const store = createStore<EditorState>(() => ({
    agent,
    draft: shown(first, left),
    confirmed: first,
    waiting: left,
    history: withWaiting(kept, left),
    sync: "saved",
  }));
  const overwritten = new Overwritten();
  let running: Promise<void> | null = null;

  const confirm = (confirmed: Draft, waiting: readonly Waiting[]): void => {
    store.setState({ confirmed, waiting, draft: shown(confirmed, waiting) });
    saveWaiting(agent, waiting);
  };

  const setHistory = (history: History): void => store.setState({ history });

  /** Moves the confirmed draft to `revision`; false when something between is missing. */
  function advance(
    revision: number,
    operations: readonly Operation[],
    problems: Problem[] | null | undefined,
    settledBatch: string,
  ): boolean {
    const { confirmed, waiting } = store.getState();
    const rest = waiting.filter((batch) => batch.id !== settledBatch);
    if (revision <= confirmed.revision) {
      const newest = revision === confirmed.revision && problems ? { ...confirmed, problems } : confirmed;
      confirm(newest, rest);
      return true;
    }
    if (revision !== confirmed.revision + 1) return false;
    const next = applyWhatFits(confirmed, operations);
    confirm({ ...next, revision, problems: problems ?? next.problems, differs: true }, rest);
    return true;
  }

  async function reload(): Promise<void> {
    replace(await port.fetch(agent));
  }

  function replace(draft: Draft): void {
    confirm(draft, store.getState().waiting);
  }

  async function sendOne(batch: Waiting): Promise<void> {
    const { confirmed } = store.getState();
    try {
      const { id, operations, label: title, undoes, redoes } = batch;
      const answer = await port.post(agent, { id, base: confirmed.revision, operations, title, undoes, redoes });
      setHistory(answered(store.getState().history, id, answer.inverse));
      if (!advance(answer.revision, answer.operations, answer.problems, batch.id)) {
        confirm(
          confirmed,
          store.getState().waiting.filter((other) => other.id !== batch.id),
        );
        await reload();
      }
    } catch (error) {
      if (error instanceof OfflineError || (error instanceof ProblemError && error.status >= 500)) {
        store.setState({ sync: "offline" });
        await port.wait(RETRY_MS);
        return;
      }
      if (!(error instanceof ProblemError)) throw error;
      refuse(batch, error);
      await reload().catch(() => undefined);
    }
  }

  function refuse(batch: Waiting, error: ProblemError): void {
    const { confirmed, waiting, history } = store.getState();
    confirm(
      confirmed,
      waiting.filter((other) => other.id !== batch.id && other.undoes !== batch.id),
    );
    setHistory(forget(history, batch.id));
    const faults = error.errors.map((fault) => fault.message).filter((text) => text !== error.message);
    port.tell(`${batch.label}: not kept`, [error.message, ...faults].join(" "));
  }

  async function run(): Promise<void> {
    for (;;) {
      const batch = store.getState().waiting[0];
      if (!batch) break;
      store.setState({ sync: "saving" });
      await sendOne(batch);
    }
    store.setState({ sync: "saved" });
  }

  function pump(): void {
    running ??= run().finally(() => {
      running = null;
    });
  }

  /** Puts a batch on the screen, into the queue and into the history; false if it cannot be done. */
  function enqueue(operations: readonly Operation[], label: string, of: Pick<Waiting, "undoes" | "redoes"> = {}): boolean {
    const { draft, waiting, history } = store.getState();
    try {
      const batch: Waiting = { id: newId(), operations, label, inverse: invertAll(draft, operations), ...of };
      const next = [...waiting, batch];
      store.setState({ draft: applyAll(draft, operations), waiting: next, history: withBatch(history, batch) });
      saveWaiting(agent, next);
      overwritten.wrote(batch.id, operations);
      pump();
      return true;
    } catch (error) {
      if (!(error instanceof GoneError)) throw error;
      port.tell(`${label}: not possible`, "What it speaks of is no longer in the draft.");
      return false;
    }
  }

  if (left.length > 0) pump();
  const last = (entries: Entry[]): Entry | undefined => entries[entries.length - 1];

  return {
    store,
    edit(operations, label) {
      if (operations.length > 0) enqueue(operations, label);
    },
    undo() {
      const entry = last(store.getState().history.undo);
      if (entry && !enqueue(entry.operations, entry.label, { undoes: entry.id })) setHistory(forget(store.getState().history, entry.id));
    },
    redo() {
      const entry = last(store.getState().history.redo);
      if (entry && !enqueue(entry.operations, entry.label, { redoes: entry.id })) setHistory(forget(store.getState().history, entry.id));
    },
    receive(item) {
      const { id, operations, problems, by } = item.data;
      for (const lost of overwritten.by(id, operations)) {
        port.tell(`${by?.name ?? "Somebody"} changed what you had just written`, lost);
      }
      if (!advance(item.seq, operations, problems, id)) void reload().catch(() => undefined);
    },
    replace,
    reload,
    settled: async () => {
      while (running) await running;
    },
  };
}
