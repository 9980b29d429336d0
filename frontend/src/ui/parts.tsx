import { Tooltip } from "@mantine/core";
import { AlertTriangle, CircleCheck, CircleX, Info, LoaderCircle, type LucideIcon } from "lucide-react";
import { forwardRef, type ButtonHTMLAttributes, type ReactNode } from "react";

export type Tone = "plain" | "bad" | "warn" | "ok" | "info" | "live" | "accent" | "fault";

/** A count or a status in a few letters. Always give an icon or a word: a tone alone says nothing to many eyes. */
export function Badge({ tone = "plain", icon: Icon, title, children }: { tone?: Tone; icon?: LucideIcon; title?: string; children: ReactNode }) {
  return (
    <span className="ui-badge" data-tone={tone} title={title}>
      {Icon && <Icon size={12} strokeWidth={2} aria-hidden />}
      {children}
    </span>
  );
}

export function KeyHint({ children }: { children: ReactNode }) {
  return <kbd className="ui-key">{children}</kbd>;
}

/** Our class first; what a menu or a tooltip adds stays. */
function classes(own: string, added: string | undefined): string {
  return added ? `${own} ${added}` : own;
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  kind?: "plain" | "primary" | "ok" | "ghost" | "danger";
  size?: "sm" | "md";
  icon?: LucideIcon;
  busy?: boolean;
};

/** A button in words. `busy` shows that it works and refuses a second press. */
export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { kind = "plain", size = "md", icon: Icon, busy = false, disabled, children, className, type = "button", ...rest }, ref,
) {
  return (
    <button ref={ref} type={type} className={classes("ui-btn", className)} data-kind={kind} data-size={size} disabled={disabled || busy} aria-busy={busy || undefined} {...rest}>
      {busy ? <LoaderCircle size={14} className="ui-spin" aria-hidden /> : Icon && <Icon size={size === "sm" ? 14 : 16} strokeWidth={1.75} aria-hidden />}
      {children}
    </button>
  );
});

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "aria-label"> & {
  icon: LucideIcon;
  label: string;
  keys?: string;
  size?: "sm" | "md";
  pressed?: boolean;
};

/** A button that is only a sign: its name is spoken and shown in a tooltip, with the key that does the same. */
export const IconButton = forwardRef<HTMLButtonElement, IconButtonProps>(function IconButton(
  { icon: Icon, label, keys, size = "md", pressed, className, type = "button", ...rest }, ref,
) {
  return (
    <Tooltip label={keys ? `${label} (${keys})` : label}>
      <button ref={ref} type={type} className={classes("ui-iconbtn", className)} data-size={size} aria-label={label} aria-pressed={pressed} {...rest}>
        <Icon size={size === "sm" ? 14 : 16} strokeWidth={1.75} aria-hidden />
      </button>
    </Tooltip>
  );
});

function personOf(name: string): number {
  return Array.from(name).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 4;
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@._-]+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0]?.[0], words[1]?.[0]] : [words[0]?.[0], words[0]?.[1]];
  return letters.join("").toUpperCase() || "?";
}

export function Avatar({ name }: { name: string }) {
  return (
    <span className="ui-avatar" data-person={personOf(name)} title={name} role="img" aria-label={name}>
      {initialsOf(name)}
    </span>
  );
}

/** What to say where nothing is: one title, one sentence, and the way on. */
export function EmptyState({ icon: Icon, title, children, action }: { icon?: LucideIcon; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="ui-empty">
      {Icon && <Icon size={28} strokeWidth={1.5} aria-hidden />}
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <div className="ui-empty" role="status">
      <LoaderCircle size={20} className="ui-spin" aria-hidden />
      <p>{what}</p>
    </div>
  );
}

const noteIcon: Partial<Record<Tone, LucideIcon>> = { bad: CircleX, warn: AlertTriangle, ok: CircleCheck };

/** A sentence that stays where it belongs (a toast goes away, this does not). */
export function Note({ tone = "info", children }: { tone?: Tone; children: ReactNode }) {
  const Icon = noteIcon[tone] ?? Info;
  return (
    <div className="ui-note" data-tone={tone} role={tone === "bad" ? "alert" : undefined}>
      <Icon size={16} aria-hidden />
      <div className="ui-grow">{children}</div>
    </div>
  );
}

export function Panel({ edge, title, end, label, children }: { edge?: "left" | "right" | "top"; title?: ReactNode; end?: ReactNode; label?: string; children: ReactNode }) {
  return (
    <section className="ui-panel" data-edge={edge} aria-label={label}>
      {title !== undefined && (
        <div className="ui-panel-head">
          <span className="ui-grow ui-trunc">{title}</span>
          {end}
        </div>
      )}
      {children}
    </section>
  );
}
