import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { may } from "../../model/roles";
import { people, type Workspace } from "../../transport/people";
import { CheckLine, Line, Loading, Note, toast } from "../../ui";
import type { Self } from "./parts";

/** The name, and what an approval asks for; only an admin changes them. */
export function WorkspaceForm({ self }: { self: Self }) {
  const client = useQueryClient();
  const workspace = useQuery({ queryKey: ["workspace"], queryFn: people.workspace });
  const change = useMutation({
    mutationFn: (fields: Partial<Omit<Workspace, "slug">>) => people.changeWorkspace(fields),
    onSuccess: (now) => { client.setQueryData(["workspace"], now); void client.invalidateQueries({ queryKey: ["me"] }); },
    onError: (error) => toast("bad", "It was not changed", error.message),
  });
  if (workspace.isPending) return <Loading what="Reading the workspace…" />;
  if (workspace.isError) return <Note tone="bad">{workspace.error.message}</Note>;
  const { name, slug, allow_self_approval, require_scenarios } = workspace.data;
  if (!may("workspace.manage", self.roles)) {
    return (
      <section className="ui-col admin-form">
        <p><strong>{name}</strong> <code className="ui-second">{slug}</code></p>
        <p className="ui-second">{allow_self_approval ? "Authors may approve what they published." : "Someone else than the author approves a version."} {require_scenarios ? "Every scenario must pass first." : ""}</p>
        <p className="ui-second">An admin changes this.</p>
      </section>
    );
  }
  return (
    <section className="ui-col admin-form" style={{ gap: 16 }}>
      <Line label="Name" value={name} onCommit={(text) => change.mutate({ name: text })} />
      <p className="ui-second">Its short name in requests is <code>{slug}</code>.</p>
      <h2>What an approval asks for</h2>
      <CheckLine label="Every scenario passes before a version is approved" value={require_scenarios} onChange={(value) => change.mutate({ require_scenarios: value })} />
      <CheckLine label="An author may approve their own version (not for work that reaches callers)" value={allow_self_approval} onChange={(value) => change.mutate({ allow_self_approval: value })} />
    </section>
  );
}
