/** Opens a draft: reads it, follows the edits of others, keeps the editor for as long as the screen is there. */
import { useEffect, useState } from "react";

import { createEditor, type Editor } from "../../store";
import { draftSocketPath, fetchDraft, follow, postOperations, socketUrl, type EditItem, type LineState } from "../../transport";
import { toast } from "../../ui";

export interface Opened {
  editor: Editor | null;
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

  useEffect(() => {
    let here = true;
    let close = (): void => {};
    setEditor(null);
    setError(null);
    fetchDraft(agent)
      .then((draft) => {
        if (!here) return;
        const made = createEditor(draft, {
          post: postOperations,
          fetch: fetchDraft,
          tell: (title, text) => toast("bad", title, text),
          wait,
        });
        setEditor(made);
        const resume = follow<EditItem>(
          socketUrl(draftSocketPath(agent)),
          {
            items: (items) => items.forEach((item) => made.receive(item)),
            reset: () => void made.reload(),
            state: setLine,
          },
          { from: draft.revision },
        );
        close = () => resume.close();
      })
      .catch((fault: unknown) => {
        if (here) setError(fault instanceof Error ? fault : new Error(String(fault)));
      });
    return () => {
      here = false;
      close();
    };
  }, [agent, tries]);

  return { editor, error, line, again: () => setTries((n) => n + 1) };
}
