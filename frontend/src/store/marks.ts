/**
 * What is lit on a chart, apart from the chart: a keyed store, so that a live Call event draws one state anew and
 * not the whole picture. Screens write (`set`, `show`, `clear`, `focus`); the canvas reads, key by key.
 */
import { useCallback, useSyncExternalStore } from "react";

export type MarkKind = "state" | "transition" | "region";

export interface Mark {
  /** Active now: in a dry run, or in a running Call. */
  active?: "sim" | "live";
  /** How often it was entered or taken. */
  visited?: number;
  /** Could be taken next. */
  possible?: boolean;
  /** Out of reach now. */
  faded?: boolean;
  /** Lights up once and goes by itself. */
  flash?: "taken" | "refused" | "error";
  /** What became of it since the version it is compared with. */
  change?: "added" | "removed" | "changed" | "moved";
  /** How far the scenarios cover it. */
  cover?: "full" | "part" | "none";
  /** The flash stays until the next `show`: for a moment somebody is looking at. */
  hold?: boolean;
}

const FLASH_MS = 1100;
const NOTHING: Mark = Object.freeze({});

const keyOf = (kind: MarkKind, id: string): string => `${kind}:${id}`;
const same = (a: Mark, b: Mark): boolean =>
  a.active === b.active && a.visited === b.visited && a.possible === b.possible && a.faded === b.faded && a.flash === b.flash && a.hold === b.hold && a.change === b.change && a.cover === b.cover;

export class MarkStore {
  private readonly marks = new Map<string, Mark>();
  private readonly readers = new Map<string, Set<() => void>>();
  private readonly focusers = new Set<(id: string) => void>();
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** Merges into the mark that is there; a field given as undefined goes; null takes the whole mark away. */
  set(kind: MarkKind, id: string, mark: Mark | null): void {
    const key = keyOf(kind, id);
    const old = this.marks.get(key) ?? NOTHING;
    this.put(key, mark === null ? NOTHING : { ...old, ...mark });
    if (mark?.flash) this.fade(key);
  }

  /** Says everything at once: what is not named is unlit. Flashes under way go on. */
  show(marks: Iterable<readonly [MarkKind, string, Mark]>): void {
    const next = new Map<string, Mark>();
    for (const [kind, id, mark] of marks) {
      const key = keyOf(kind, id);
      next.set(key, { ...next.get(key), ...mark });
    }
    for (const key of [...this.marks.keys()]) if (!next.has(key)) this.put(key, this.flashOf(key));
    for (const [key, mark] of next) {
      this.put(key, { ...this.flashOf(key), ...mark });
      if (mark.flash) this.fade(key);
    }
  }

  clear(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    for (const key of [...this.marks.keys()]) this.put(key, NOTHING);
  }

  get(kind: MarkKind, id: string): Mark {
    return this.marks.get(keyOf(kind, id)) ?? NOTHING;
  }

  /** Brings a state, transition or region into view. */
  focus(id: string): void {
    for (const focuser of this.focusers) focuser(id);
  }

  onFocus(focuser: (id: string) => void): () => void {
    this.focusers.add(focuser);
    return () => this.focusers.delete(focuser);
  }

  subscribe(kind: MarkKind, id: string, reader: () => void): () => void {
    const key = keyOf(kind, id);
    const readers = this.readers.get(key) ?? new Set();
    readers.add(reader);
    this.readers.set(key, readers);
    return () => readers.delete(reader);
  }

  private flashOf(key: string): Mark {
    const mark = this.marks.get(key);
    return mark?.flash && !mark.hold ? { flash: mark.flash } : NOTHING;
  }

  private put(key: string, mark: Mark): void {
    const old = this.marks.get(key) ?? NOTHING;
    if (same(old, mark)) return;
    if (same(mark, NOTHING)) this.marks.delete(key);
    else this.marks.set(key, mark);
    for (const reader of this.readers.get(key) ?? []) reader();
  }

  private fade(key: string): void {
    const running = this.timers.get(key);
    if (running !== undefined) clearTimeout(running);
    this.timers.set(
      key,
      setTimeout(() => {
        this.timers.delete(key);
        const mark = this.marks.get(key);
        if (mark && !mark.hold) this.put(key, { ...mark, flash: undefined });
      }, FLASH_MS),
    );
  }
}

/** The mark of one thing; draws again only when this very mark changes. */
export function useMark(store: MarkStore, kind: MarkKind, id: string): Mark {
  const subscribe = useCallback((reader: () => void) => store.subscribe(kind, id, reader), [store, kind, id]);
  const read = useCallback(() => store.get(kind, id), [store, kind, id]);
  return useSyncExternalStore(subscribe, read, read);
}
