import type { ReactNode } from "react";

/** Left: where you are. Middle: the one switch of the screen. Right: what can be done. */
export function TopBar({ left, middle, right }: { left: ReactNode; middle?: ReactNode; right?: ReactNode }) {
  return (
    <header className="ui-topbar">
      <div>{left}</div>
      <div>{middle}</div>
      <div>{right}</div>
    </header>
  );
}
