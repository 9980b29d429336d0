/** Boxes by where they are, so that a large chart is never compared all with all. */
import type { Box } from "../../model";

const CELL = 256;
const HALF = 1 << 14;

export interface Item<T> {
  readonly box: Box;
  readonly value: T;
  gone: boolean;
  seen: number;
}

export const touches = (a: Box, b: Box, gap = 0): boolean =>
  a.x < b.x + b.w + gap && b.x < a.x + a.w + gap && a.y < b.y + b.h + gap && b.y < a.y + a.h + gap;

export const grown = (box: Box, by: number): Box => ({ x: box.x - by, y: box.y - by, w: box.w + 2 * by, h: box.h + 2 * by });

export const contains = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.w <= outer.x + outer.w && inner.y + inner.h <= outer.y + outer.h;

export class Cells<T> {
  private readonly cells = new Map<number, Item<T>[]>();
  private round = 0;

  add(box: Box, value: T): Item<T> {
    const item = { box, value, gone: false, seen: 0 };
    this.each(box, 0, (key) => {
      const there = this.cells.get(key);
      if (there) there.push(item);
      else this.cells.set(key, [item]);
    });
    return item;
  }

  remove(item: Item<T>): void {
    item.gone = true;
    this.each(item.box, 0, (key) => {
      const there = this.cells.get(key);
      const at = there?.indexOf(item) ?? -1;
      if (there && at >= 0) there.splice(at, 1);
    });
  }

  /** Everything that touches the box or is nearer than `gap` to it, each once. */
  near(box: Box, gap = 0): Item<T>[] {
    const found: Item<T>[] = [];
    this.round += 1;
    this.each(box, gap, (key) => {
      for (const item of this.cells.get(key) ?? []) {
        if (item.seen === this.round) continue;
        item.seen = this.round;
        if (touches(box, item.box, gap)) found.push(item);
      }
    });
    return found;
  }

  private each(box: Box, gap: number, visit: (key: number) => void): void {
    const right = Math.floor((box.x + box.w + gap) / CELL);
    const bottom = Math.floor((box.y + box.h + gap) / CELL);
    for (let x = Math.floor((box.x - gap) / CELL); x <= right; x += 1)
      for (let y = Math.floor((box.y - gap) / CELL); y <= bottom; y += 1) visit((x + HALF) * 2 * HALF + y + HALF);
  }
}
