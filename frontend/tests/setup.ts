import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

/** What jsdom lacks and the canvas asks for. */
class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
globalThis.ResizeObserver ??= NoObserver as unknown as typeof ResizeObserver;
class Matrix {
  m22: number;
  constructor(transform: string) {
    const scale = /scale\(([\d.]+)\)/.exec(transform)?.[1];
    this.m22 = scale === undefined ? 1 : Number(scale);
  }
}
Object.assign(globalThis, { DOMMatrixReadOnly: Matrix });
if (typeof HTMLElement !== "undefined") {
  Object.defineProperties(HTMLElement.prototype, {
    offsetWidth: { configurable: true, get: () => 1200 },
    offsetHeight: { configurable: true, get: () => 800 },
  });
  Object.assign(SVGElement.prototype, { getBBox: () => ({ x: 0, y: 0, width: 0, height: 0 }) });
  window.matchMedia ??= (query: string) =>
    ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
}

afterEach(cleanup);
