/** One warm worker that wires lanes too large to be wired between two frames. */
import type { Id } from "../../model";
import type { Route } from "./route";
import type { Scene } from "./wiring";

export interface Asked {
  number: number;
  scene: Scene;
}
export interface Answered {
  number: number;
  routes: Map<Id, Route>;
}

let worker: Worker | null = null;
let asked = 0;
const waiting = new Map<number, (routes: ReadonlyMap<Id, Route>) => void>();

export const hasWorker = (): boolean => typeof Worker !== "undefined";

function engine(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL("./wiring.worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<Answered>) => {
    waiting.get(data.number)?.(data.routes);
    waiting.delete(data.number);
  };
  // What could not be wired keeps its plain ways; the next change asks again.
  worker.onerror = () => {
    worker = null;
    waiting.clear();
  };
  return worker;
}

/** The ways and pills of the scene, from its corner. */
export function wireApart(scene: Scene): Promise<ReadonlyMap<Id, Route>> {
  return new Promise((resolve) => {
    asked += 1;
    waiting.set(asked, resolve);
    engine().postMessage({ number: asked, scene } satisfies Asked);
  });
}
