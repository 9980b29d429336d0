/** What a review reads: the version, the one it is held against, what is different, and what was said. */
import { useMutation, useQuery, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useMemo } from "react";

import { mergeVersions, inGroups, type Behaviour, type Change, type Comparison, type Merged } from "../../model/review";
import { reviews, type NewComment } from "../../transport/reviews";
import { api, type Version } from "../../transport/resources";
import type { Comment } from "../../model/review";

/** Everything about one Agent is asked for again when one of its versions moves. */
const versionKey = (agentId: string, n: number | "draft" | null) => ["agents", agentId, "versions", n];

export function useVersion(agentId: string, n: number | null) {
  return useQuery({ queryKey: versionKey(agentId, n), queryFn: () => api.version(agentId, n ?? 0), enabled: n !== null });
}

export function useComparison(agentId: string, before: number | null, after: number): { data: Comparison | undefined; error: Error | null; pending: boolean } {
  const asked = useQuery({
    queryKey: [...versionKey(agentId, after), "compare", before],
    queryFn: () => reviews.compare(agentId, before ?? 0, after),
    enabled: before !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { data: asked.data, error: asked.error, pending: before !== null && asked.isPending };
}

export function useBehaviour(agentId: string, before: number | null, after: number): { data: Behaviour | undefined; error: Error | null; pending: boolean } {
  const asked = useQuery({
    queryKey: [...versionKey(agentId, after), "behaviour", before],
    queryFn: () => reviews.behaviour(agentId, before ?? 0, after),
    enabled: before !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { data: asked.data, error: asked.error, pending: before !== null && asked.isPending };
}

export interface Picture {
  /** The changes in the order they are walked. */
  changes: Change[];
  merged: Merged;
}

/** Both charts on one drawing, and the changes in order. */
export function useMerged(before: Version | undefined, after: Version | undefined, comparison: Comparison | undefined): Picture | null {
  return useMemo(() => {
    if (!after?.rows) return null;
    const changes = inGroups(comparison?.changes ?? []).flatMap((one) => one.changes);
    if (!before?.rows) return { changes: [], merged: { rows: { ...after.rows, problems: [] }, marks: new Map(), places: [] } };
    return { changes, merged: mergeVersions(before.rows, after.rows, changes) };
  }, [before, after, comparison]);
}

export interface Talk {
  comments: readonly Comment[];
  error: Error | null;
  add: UseMutationResult<Comment, Error, NewComment>;
  change: UseMutationResult<Comment, Error, { id: string; body: { text: string } | { resolved: boolean } }>;
  remove: UseMutationResult<void, Error, string>;
}

const LISTEN_MS = 10_000;

export function useComments(agentId: string): Talk {
  const client = useQueryClient();
  const key = ["agents", agentId, "comments"];
  const again = (): Promise<void> => client.invalidateQueries({ queryKey: key });
  const asked = useQuery({ queryKey: key, queryFn: () => reviews.comments(agentId), refetchInterval: LISTEN_MS });
  const add = useMutation({ mutationFn: (body: NewComment) => reviews.comment(agentId, body), onSuccess: again });
  const change = useMutation({ mutationFn: ({ id, body }: { id: string; body: { text: string } | { resolved: boolean } }) => reviews.changeComment(agentId, id, body), onSuccess: again });
  const remove = useMutation({ mutationFn: (id: string) => reviews.deleteComment(agentId, id), onSuccess: again });
  return { comments: asked.data ?? NONE, error: asked.error, add, change, remove };
}

const NONE: readonly Comment[] = [];
