/** Geometry and routes of a draft: stored places first, the layouter for what has none, kept over edits. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { isInside, lanes, type Box, type Draft, type Id, type Layout, type Region } from "../../model";
import { arrange, type Geometry } from "./arrange";
import { layoutLane, type LaidRoute, type LaneLayout } from "./elk";
import type { Route } from "./route";
import { drawWires, wired, type Drawing } from "./scene";
import { fontsLoaded } from "./text";
import { forgetViews } from "./view";
import { hasWorker, wireApart } from "./wirer";

export interface Picture extends Geometry {
  routes: Map<Id, Route>;
  /** Places nobody stored yet (the layouter's, or ours until it answers): an edit that stores one stores them all. */
  unstored: Layout;
  /** False while the layouter is at work: what is shown has our own places meanwhile. */
  ready: boolean;
}

const needsLayout = (draft: Draft, lane: Region): boolean => {
  const own = draft.states.filter((state) => isInside(draft, state.id, lane.id));
  return own.length > 0 && own.every((state) => !draft.layout[state.id]);
};

interface Laid {
  places: Layout;
  routes: ReadonlyMap<Id, LaidRoute>;
}
const NOTHING: Laid = { places: {}, routes: new Map() };

const merge = (laid: Laid, layout: LaneLayout, withPlaces: boolean): Laid => ({
  places: withPlaces ? { ...laid.places, ...Object.fromEntries(layout.places) } : laid.places,
  routes: new Map([...laid.routes, ...layout.routes]),
});

export interface Pictured {
  picture: Picture;
  /** Works out new places for everything (what `Tidy` stores) and keeps the routes that go with them. */
  tidy(): Promise<Map<Id, Box>>;
}

/** `aspect`: width by height of the screen that the chart should fill. */
export function usePicture(draft: Draft, aspect: number): Pictured {
  const [laid, setLaid] = useState<Laid>(NOTHING);
  const [ready, setReady] = useState(() => !lanes(draft).some((lane) => needsLayout(draft, lane)));
  const [fonts, setFonts] = useState(0);
  const asked = useRef(new Set<string>());
  const latest = useRef({ draft, aspect });
  useEffect(() => {
    latest.current = { draft, aspect };
  });

  useEffect(() => {
    let here = true;
    void fontsLoaded().then(() => {
      if (!here) return;
      forgetViews();
      setFonts(1);
    });
    return () => {
      here = false;
    };
  }, []);

  // Lay out what has no place, once per lane; for the others ask only for the routes that still fit.
  const agent = draft.agent.id;
  useEffect(() => {
    if (fonts === 0) return;
    let here = true;
    void (async () => {
      const { draft: now, aspect: shape } = latest.current;
      for (const lane of lanes(now)) {
        const key = `${agent} ${lane.id}`;
        if (asked.current.has(key)) continue;
        asked.current.add(key);
        const missing = needsLayout(now, lane);
        const layout = await layoutLane(now, lane, shape);
        if (!here) {
          asked.current.delete(key);
          return;
        }
        // Who drew in the meantime has stored the places they saw.
        const still = missing && needsLayout(latest.current.draft, lane);
        if (layout) setLaid((before) => merge(before, layout, still));
      }
      if (here) setReady(true);
    })();
    return () => {
      here = false;
    };
  }, [agent, fonts]);

  const tidy = useCallback(async () => {
    const { draft: now, aspect: shape } = latest.current;
    const places = new Map<Id, Box>();
    for (const lane of lanes(now)) {
      const layout = await layoutLane(now, lane, shape);
      if (!layout) continue;
      for (const [id, box] of layout.places) places.set(id, box);
      setLaid((before) => merge(before, layout, false));
    }
    return places;
  }, []);

  const [answers, setAnswers] = useState(0);
  const drawing = useRef<Drawing | null>(null);
  const picture = useMemo(() => {
    void fonts;
    const geometry = arrange(draft, laid.places);
    const unstored: { [id: Id]: Box } = {};
    for (const { id } of draft.states) {
      const box = geometry.boxes.get(id);
      if (!draft.layout[id] && box) unstored[id] = box;
    }
    void answers;
    drawing.current = drawWires(draft, geometry, laid.routes, drawing.current, hasWorker());
    return { ...geometry, routes: drawing.current.routes, unstored, ready };
  }, [draft, laid, ready, fonts, answers]);

  // Wire what was sketched, unless the layouter will move it all: that which comes late is drawn on from.
  useEffect(() => {
    let here = true;
    for (const [id, lane] of drawing.current?.lanes ?? []) {
      if (!lane.sketched || (!ready && lane.scene.stands.every((stand) => !laid.places[stand.id] && !draft.layout[stand.id]))) continue;
      void wireApart(lane.scene).then((routes) => {
        if (!here || !drawing.current) return;
        drawing.current = wired(drawing.current, id, lane, routes);
        setAnswers((n) => n + 1);
      });
    }
    return () => {
      here = false;
    };
  }, [picture, draft, laid, ready]);

  return useMemo(() => ({ picture, tidy }), [picture, tidy]);
}
