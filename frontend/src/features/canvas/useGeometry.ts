/** Geometry and routes of a draft: stored places first, the layouter for what has none, kept over edits. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { isInside, laneOf, lanes, type Box, type Draft, type Id, type Layout, type Region } from "../../model";
import { arrange, type Geometry } from "./arrange";
import { layoutLane, type LaidRoute, type LaneLayout } from "./elk";
import { placeLabels } from "./labels";
import { loop, plainRoute, type Route } from "./route";
import { routeAround } from "./router";
import { fontsLoaded } from "./text";
import { forgetViews, viewsOf } from "./view";

export interface Picture extends Geometry {
  routes: Map<Id, Route>;
  /** Places nobody stored yet (the layouter's, or ours until it answers): an edit that stores one stores them all. */
  unstored: Layout;
  /** False while the layouter is at work: what is shown has our own places meanwhile. */
  ready: boolean;
}

const close = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < 1.5 && Math.abs(a.y - b.y) < 1.5 && Math.abs(a.w - b.w) < 1.5 && Math.abs(a.h - b.h) < 1.5;

const shifted = (route: Route, x: number, y: number): Route => ({
  points: route.points.map((point) => ({ x: point.x + x, y: point.y + y })),
  label: { x: route.label.x + x, y: route.label.y + y },
});

const relative = (box: Box, lane: Box): Box => ({ ...box, x: box.x - lane.x, y: box.y - lane.y });

/** Routes of all transitions: the layouter's while both ends stand where it put them, else our own. */
function routesOf(draft: Draft, geometry: Geometry, laid: ReadonlyMap<Id, LaidRoute>): Map<Id, Route> {
  const routes = new Map<Id, Route>();
  const views = viewsOf(draft).transitions;
  const loops = new Map<Id, number>();
  const open: Id[] = [];
  const placed = new Set<Id>();
  for (const view of views.values()) {
    const from = geometry.absolute.get(view.source);
    const to = geometry.absolute.get(view.target);
    const lane = geometry.absolute.get(laneOf(draft, view.source)?.id ?? "");
    if (!from || !to || !lane) continue;
    const known = laid.get(view.id);
    if (known && close(known.from, relative(from, lane)) && close(known.to, relative(to, lane))) {
      routes.set(view.id, shifted(known, lane.x, lane.y));
      placed.add(view.id);
    } else if (view.source === view.target) {
      const n = loops.get(view.source) ?? 0;
      loops.set(view.source, n + 1);
      routes.set(view.id, loop(from, view, n));
    } else {
      open.push(view.id);
    }
  }
  routeAround(draft, geometry, open, routes);
  for (const id of open) {
    const view = views.get(id);
    const from = view && geometry.absolute.get(view.source);
    const to = view && geometry.absolute.get(view.target);
    if (view && from && to && !routes.has(id)) routes.set(id, plainRoute(from, to));
  }
  placeLabels(draft, geometry, routes, placed);
  return routes;
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

  const picture = useMemo(() => {
    void fonts;
    const geometry = arrange(draft, laid.places);
    const unstored: { [id: Id]: Box } = {};
    for (const { id } of draft.states) {
      const box = geometry.boxes.get(id);
      if (!draft.layout[id] && box) unstored[id] = box;
    }
    return { ...geometry, routes: routesOf(draft, geometry, laid.routes), unstored, ready };
  }, [draft, laid, ready, fonts]);

  return useMemo(() => ({ picture, tidy }), [picture, tidy]);
}
