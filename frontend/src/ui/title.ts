import { useEffect } from "react";

/** What the tab of the browser is called: the page first, the product last. Nothing changes while it is null. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = title === "" ? "Callchart" : `${title} · Callchart`;
  }, [title]);
}
