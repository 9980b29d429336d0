import { QueryClient, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Who } from "../model/lifecycle";
import { OfflineError, ProblemError } from "../transport/http";
import { people } from "../transport/people";
import { api } from "../transport/resources";

/** Asks again only where asking again can help: never after a 4xx. */
function again(count: number, error: Error): boolean {
  if (error instanceof ProblemError && error.status < 500) return false;
  return error instanceof OfflineError ? count < 3 : count < 1;
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: again, staleTime: 2_000, refetchOnWindowFocus: true } } });
}

export function useMe() {
  return useQuery({ queryKey: ["me"], queryFn: api.me, staleTime: 300_000 });
}

export function useAgent(id: string | undefined) {
  return useQuery({ queryKey: ["agents", id], queryFn: () => api.agent(id ?? ""), enabled: id !== undefined, refetchInterval: 20_000 });
}

export function useVersions(id: string | undefined) {
  return useQuery({ queryKey: ["agents", id, "versions"], queryFn: async () => (await api.versions(id ?? "")).results, enabled: id !== undefined });
}

/** Who looks, as the rules of versions need it; null until it is known. */
export function useWho(): Who | null {
  const me = useMe().data;
  const workspace = useQuery({ queryKey: ["workspace"], queryFn: people.workspace, staleTime: 60_000, enabled: me !== undefined });
  return useMemo(() => {
    if (!me) return null;
    const selfApproval = workspace.data?.allow_self_approval;
    return { id: me.user.id, roles: me.workspace.roles, ...(selfApproval === undefined ? {} : { selfApproval }) };
  }, [me, workspace.data]);
}
