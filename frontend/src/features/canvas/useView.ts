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
const READABLE = 0.46;

const still = (): boolean => typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;

export interface View {
  fit(): void;
  /** The first look: all of it, but never so small that names cannot be read. */
  begin(start: Box | undefined): void;
  actual(): void;
  zoomBy(factor: number): void;
  /** Brings a box into view if it is not. */
  show(box: Box): void;
}

export function useView(root: RefObject<HTMLDivElement | null>, picture: Picture): View {
  const flow = useReactFlow();
  const duration = useCallback((animate: boolean) => ({ duration: animate && !still() ? MOVE : 0 }), []);

  const fitTo = useCallback(
    (least: number, animate: boolean, start?: Box) => {
      const width = root.current?.clientWidth ?? 900;
      const height = root.current?.clientHeight ?? 640;
      const whole = Math.min(1, (width - 2 * PAD) / picture.width, (height - TOP - BOTTOM) / Math.max(picture.height, 1));
      const zoom = Math.max(least, whole);
      const middle = Math.max(PAD, (width - picture.width * zoom) / 2);
      const left = start ? width * 0.4 - (start.x + start.w / 2) * zoom : middle;
      const x = picture.width * zoom + 2 * PAD > width ? Math.min(PAD, Math.max(left, width - PAD - picture.width * zoom)) : middle;
      void flow.setViewport({ x, y: TOP, zoom }, duration(animate));
    },
    [flow, picture.width, picture.height, root, duration],
  );

  const show = useCallback(
    (box: Box) => {
      const { x, y, zoom } = flow.getViewport();
      const width = root.current?.clientWidth ?? 900;
      const height = root.current?.clientHeight ?? 640;
      const left = box.x * zoom + x;
      const top = box.y * zoom + y;
      const seen = left >= 8 && top >= 8 && left + Math.min(box.w * zoom, width) <= width && top + Math.min(box.h * zoom, height) <= height - 60;
      if (seen && zoom > 0.3) return;
      void flow.setCenter(box.x + box.w / 2, box.y + box.h / 2, { zoom: Math.max(zoom, 0.7), ...duration(true) });
    },
    [flow, root, duration],
  );

  return useMemo(
    () => ({
      fit: () => fitTo(LEAST, true),
      begin: (start) => fitTo(READABLE, false, start),
      show,
      actual: () => void flow.zoomTo(1, duration(true)),
      zoomBy: (factor: number) => void flow.zoomTo(flow.getZoom() * factor, duration(true)),
    }),
    [fitTo, show, flow, duration],
  );
}
