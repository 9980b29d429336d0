import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Json } from "../../model/draft";
import { api, type AgentBrief, type NewAgent, type Page } from "../../transport/resources";
import { fetchDraft } from "../../transport";
import { isRecord, layoutByKey } from "./starters";

/** Every agent of the workspace, page after page; asked again every 15 s for the live counts. */
export function useAgents() {
  return useQuery({
    queryKey: ["agents"],
    refetchInterval: 15_000,
    queryFn: async () => {
      const rows: AgentBrief[] = [];
      let cursor: string | null = null;
      do {
        const page: Page<AgentBrief> = await api.agents(cursor);
        rows.push(...page.results);
        cursor = page.next;
      } while (cursor !== null && rows.length < 1000);
      return rows;
    },
  });
}

export function useTemplates() {
  return useQuery({
    queryKey: ["templates"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: api.templates,
  });
}

export function useCreateAgent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (agent: NewAgent) => api.createAgent(agent),
    onSuccess: () => client.invalidateQueries({ queryKey: ["agents"] }),
  });
}

export function useDeleteAgent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.deleteAgent(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ["agents"] }),
  });
}

/** A second agent from the first one's draft, under a free key. */
export function useDuplicateAgent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ agent, key }: { agent: AgentBrief; key: string }) => {
      const document: Json = await api.document(agent.id);
      if (!isRecord(document)) throw new Error("The draft's document could not be read.");
      const layout = layoutByKey(await fetchDraft(agent.id));
      return api.createAgent({ document: { ...document, key, name: `${agent.name} (copy)` }, layout });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ["agents"] }),
  });
}
