import { useEffect } from "react";

const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** How the platform writes the command key. */
export const mod = isMac ? "⌘" : "Ctrl+";

/** True while someone types: single-letter shortcuts must then stay silent. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Listens on the window while the component is there. The handler returns true when it took the key. */
export function useKeys(handler: (event: KeyboardEvent) => boolean): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (handler(event)) event.preventDefault();
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [handler]);
}

export function hasMod(event: KeyboardEvent): boolean {
  return event.metaKey || event.ctrlKey;
}
