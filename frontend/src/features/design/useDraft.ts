/** Opens a draft: reads it, follows the edits of others, keeps the editor for as long as the screen is there. */
import { useEffect, useState } from "react";

import { createDesk, createEditor, historyFrom, type Desk, type Editor, type EditorPort } from "../../store";
import { draftSocketPath, fetchDraft, fetchHistory, follow, postOperations, socketUrl, type EditItem, type LineState } from "../../transport";
import { toast } from "../../ui";
import { tellWhere } from "./tellWhere";

export interface Opened {
  editor: Editor | null;
  desk: Desk;
  error: Error | null;
  line: LineState;
  again(): void;
}

const wait = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

export function useDraft(agent: string): Opened {
  const [editor, setEditor] = useState<Editor | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [line, setLine] = useState<LineState>("connecting");
  const [tries, setTries] = useState(0);
  const [desk] = useState(createDesk);

  useEffect(() => {
    let here = true;
    let close = (): void => {};
    setEditor(null);
    setError(null);
    Promise.all([fetchDraft(agent), fetchHistory(agent).then(historyFrom)])
      .then(([draft, history]) => {
        if (!here) return;
        const port: EditorPort = { post: postOperations, fetch: fetchDraft, tell: (title, text) => toast("bad", title, text), wait };
        const made = createEditor(draft, port, history);
        setEditor(made);
        const resume = follow<EditItem>(
          socketUrl(draftSocketPath(agent)),
          {
            items: (items) => items.forEach((item) => made.receive(item)),
            reset: () => void made.reload(),
            state: (now) => {
              setLine(now);
              if (now !== "live") desk.set({ people: [] });
            },
            people: (people) => desk.set({ people }),
          },
          { from: draft.revision },
        );
        const quiet = tellWhere(desk, resume);
        close = () => {
          quiet();
          resume.close();
        };
      })
      .catch((fault: unknown) => {
        if (here) setError(fault instanceof Error ? fault : new Error(String(fault)));
      });
    return () => {
      here = false;
      close();
    };
  }, [agent, tries, desk]);

  return { editor, desk, error, line, again: () => setTries((n) => n + 1) };
}
