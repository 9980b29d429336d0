/** One Call as it happens: its events from the socket, each once and in order; the rest of it over REST. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer, useRef } from "react";
import type { Draft } from "../../model/draft";
import type { Call, CallEvent } from "../../model/step";
import { follow, socketUrl, type LineState } from "../../transport";
import { api } from "../../transport/resources";

export interface Feed {
  events: readonly CallEvent[];
  line: LineState;
  /** Close code of a refused line. */
  code: number | null;
}

export type FeedEvent =
  | { is: "items"; items: readonly CallEvent[] }
  | { is: "line"; line: LineState; code: number | null }
  | { is: "again"; events: readonly CallEvent[] };

export const quiet: Feed = { events: [], line: "connecting", code: null };

/** What is known of a Call's past after one more thing came. An event that is known is not taken twice. */
export function afterFeed(feed: Feed, event: FeedEvent): Feed {
  switch (event.is) {
    case "items": {
      const last = feed.events.at(-1)?.seq ?? 0;
      const fresh = event.items.filter((item) => item.seq > last);
      return fresh.length === 0 ? feed : { ...feed, events: [...feed.events, ...fresh] };
    }
    case "line":
      return { ...feed, line: event.line, code: event.code };
    case "again":
      return { ...feed, events: event.events };
  }
}

async function everyEvent(id: string): Promise<CallEvent[]> {
  const events: CallEvent[] = [];
  for (;;) {
    const page = await api.callEvents(id, events.at(-1)?.seq ?? 0);
    events.push(...page.events);
    if (page.events.length === 0 || (events.at(-1)?.seq ?? 0) >= page.head) return events;
  }
}

const SETTLE_MS = 120;

/** The Call, the chart of its version, and the feed of its events. */
export function useCall(id: string): {
  call: Call | undefined; rows: Draft | undefined; error: Error | null; feed: Feed; refetch: () => void;
} {
  const client = useQueryClient();
  const call = useQuery({ queryKey: ["calls", id], queryFn: () => api.call(id) });
  const agentId = call.data?.agent.id;
  const number = call.data?.version;
  const version = useQuery({
    queryKey: ["agents", agentId, "versions", number],
    queryFn: () => api.version(agentId ?? "", number ?? 0),
    enabled: agentId !== undefined && number !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [feed, dispatch] = useReducer(afterFeed, quiet);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  useEffect(() => {
    dispatch({ is: "again", events: [] });
    let here = true;
    /** What may be done now is the server's to say: asked for once after each burst. */
    function askSoon(): void {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        void client.invalidateQueries({ queryKey: ["calls", id], exact: true });
        void client.invalidateQueries({ queryKey: ["calls", "list"] });
      }, SETTLE_MS);
    }
    const line = follow<CallEvent>(socketUrl(`/ws/v1/calls/${encodeURIComponent(id)}`), {
      items: (items) => {
        dispatch({ is: "items", items });
        askSoon();
      },
      reset: () => void everyEvent(id).then((events) => {
        if (here) dispatch({ is: "again", events });
        askSoon();
      }),
      state: (state, code) => dispatch({ is: "line", line: state, code: code ?? null }),
    }, { from: 0 });
    return () => {
      here = false;
      clearTimeout(timer.current);
      line.close();
    };
  }, [id, client]);

  return {
    call: call.data,
    rows: version.data?.rows,
    error: call.error ?? version.error,
    feed,
    refetch: () => {
      void call.refetch();
      void version.refetch();
    },
  };
}
