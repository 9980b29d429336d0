/** Two charts that are looked at together: who moves one, moves the other. */
import { useReactFlow, useStore, useStoreApi, type Viewport } from "@xyflow/react";
import { useEffect, useRef } from "react";

type Reader = (viewport: Viewport) => void;

export class ViewLink {
  private readonly readers = new Set<Reader>();

  join(reader: Reader): () => void {
    this.readers.add(reader);
    return () => this.readers.delete(reader);
  }

  /** Tells all but the one who says it. */
  say(from: Reader, viewport: Viewport): void {
    for (const reader of this.readers) if (reader !== from) reader(viewport);
  }
}

export function useLinked(link: ViewLink | undefined): void {
  const flow = useReactFlow();
  const store = useStoreApi();
  const told = useRef("");
  useEffect(() => {
    if (!link) return;
    const reader: Reader = (viewport) => {
      told.current = JSON.stringify([viewport.x, viewport.y, viewport.zoom]);
      void flow.setViewport(viewport);
    };
    const leave = link.join(reader);
    const stop = store.subscribe((now, before) => {
      if (now.transform === before.transform || JSON.stringify(now.transform) === told.current) return;
      const [x, y, zoom] = now.transform;
      told.current = JSON.stringify(now.transform);
      link.say(reader, { x, y, zoom });
    });
    return () => {
      leave();
      stop();
    };
  }, [link, flow, store]);
}

/** From a place on the chart to a place in the room it is drawn in; draws again as the chart moves. */
export function useToScreen(): (point: { x: number; y: number }) => { x: number; y: number } {
  const [x, y, zoom] = useStore((state) => state.transform);
  return (point) => ({ x: point.x * zoom + x, y: point.y * zoom + y });
}
