/** Fit, zoom, centre. */
import { useReactFlow } from "@xyflow/react";
import { useCallback, useMemo, type RefObject } from "react";

import type { Box } from "../../model";
import type { Picture } from "./useGeometry";

const PAD = 24;
const TOP = 70;
const BOTTOM = 76;
const MOVE = 250;
const LEAST = 0.08;
const READABLE = 0.75;
const READABLE_NARROW = 0.8;
/** Narrower than this, a screen shows a piece of a chart. */
export const NARROW = 640;

const still = (): boolean => typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;

export interface View {
  fit(): void;
  /**
   * The first look: all of it where that can be read; else at a readable size, centred on `focus`, or from where
   * `lane` begins when there is no focus.
   */
  begin(focus: Box | undefined, lane: Box | undefined): void;
  actual(): void;
  zoomBy(factor: number): void;
  /** Brings a box into view if it is not. */
  show(box: Box): void;
}

export function useView(root: RefObject<HTMLDivElement | null>, picture: Picture): View {
  const flow = useReactFlow();
  const duration = useCallback((animate: boolean) => ({ duration: animate && !still() ? MOVE : 0 }), []);

  const frame = useCallback(
    () => ({ width: root.current?.clientWidth ?? 900, height: root.current?.clientHeight ?? 640 }),
    [root],
  );

  const fitTo = useCallback(
    (zoom: number, animate: boolean) => {
      const x = Math.max(PAD, (frame().width - picture.width * zoom) / 2);
      void flow.setViewport({ x, y: TOP, zoom }, duration(animate));
    },
    [flow, picture.width, frame, duration],
  );

  const whole = useCallback(() => {
    const { width, height } = frame();
    const fits = Math.min((width - 2 * PAD) / picture.width, (height - TOP - BOTTOM) / Math.max(picture.height, 1));
    return Math.max(LEAST, Math.min(1, fits));
  }, [frame, picture.width, picture.height]);

  const begin = useCallback(
    (focus: Box | undefined, lane: Box | undefined) => {
      const { width, height } = frame();
      const narrow = width < NARROW;
      const zoom = narrow ? READABLE_NARROW : READABLE;
      if (whole() >= zoom) return fitTo(whole(), false);
      const least = { x: width - PAD - picture.width * zoom, y: height - BOTTOM - picture.height * zoom };
      const x = focus ? width / 2 - (focus.x + focus.w / 2) * zoom : PAD - (lane?.x ?? 0) * zoom;
      const y = focus ? height / 2 - (focus.y + Math.min(focus.h, height / zoom) / 2) * zoom : TOP - (lane?.y ?? 0) * zoom;
      // What is centred stays on the chart: no empty margin where there is more to be seen.
      const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(value, Math.min(low, high)));
      void flow.setViewport({ x: within(x, least.x, PAD), y: within(y, least.y, TOP), zoom });
    },
    [flow, frame, whole, fitTo, picture.width, picture.height],
  );

  const show = useCallback(
    (box: Box) => {
      const { x, y, zoom } = flow.getViewport();
      const { width, height } = frame();
      const left = box.x * zoom + x;
      const top = box.y * zoom + y;
      const seen = left >= 8 && top >= 8 && left + Math.min(box.w * zoom, width) <= width && top + Math.min(box.h * zoom, height) <= height - 60;
      if (seen && zoom > 0.3) return;
      void flow.setCenter(box.x + box.w / 2, box.y + box.h / 2, { zoom: Math.max(zoom, 0.7), ...duration(true) });
    },
    [flow, frame, duration],
  );

  return useMemo(
    () => ({
      fit: () => fitTo(whole(), true),
      begin,
      show,
      actual: () => void flow.zoomTo(1, duration(true)),
      zoomBy: (factor: number) => void flow.zoomTo(flow.getZoom() * factor, duration(true)),
    }),
    [fitTo, whole, begin, show, flow, duration],
  );
}
