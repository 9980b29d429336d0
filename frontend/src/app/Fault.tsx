import { Component, type ReactNode } from "react";
import { Link } from "react-router";
import { ProblemError } from "../transport/http";
import { Button, useTitle } from "../ui";

/** What went wrong while drawing the page, in place of a white one. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <main className="app-fault" role="alert">
        <h1>This page could not be drawn</h1>
        <p>Nothing you saved is lost: what you edit is kept on the server as you go. What the page tripped over:</p>
        <pre>{error.message}</pre>
        <div className="ui-row"><Button kind="primary" onClick={() => window.location.reload()}>Load it again</Button><Button onClick={() => window.location.assign("/")}>All agents</Button></div>
      </main>
    );
  }
}

export function NotFound({ what = "This page" }: { what?: string }) {
  useTitle("Not found");
  return (
    <main className="app-fault" id="main">
      <h1>{what} is not here</h1>
      <p>It may have been deleted, or it belongs to a workspace you are not in.</p>
      <Link className="ui-btn" to="/">All agents</Link>
    </main>
  );
}

/** An answer that is no content: a refusal in the server's words, or the way back on. */
export function LoadFault({ error, what, retry }: { error: Error; what: string; retry: () => void }) {
  if (error instanceof ProblemError && error.status === 404) return <NotFound what={what} />;
  return (
    <main className="app-fault" role="alert">
      <h1>{what} could not be read</h1>
      <p>{error.message}</p>
      <div className="ui-row"><Button kind="primary" onClick={retry}>Try again</Button><Link className="ui-btn" to="/">All agents</Link></div>
    </main>
  );
}
