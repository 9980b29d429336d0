const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "just now", "4 min ago", "2 h ago", "yesterday", "3 days ago", then the date. Both arguments are RFC 3339 or milliseconds. */
export function ago(when: string | null | undefined, now: number): string {
  if (!when) return "";
  const then = Date.parse(when);
  if (Number.isNaN(then)) return "";
  const gone = Math.max(0, now - then);
  if (gone < MINUTE) return "just now";
  if (gone < HOUR) return `${Math.floor(gone / MINUTE)} min ago`;
  if (gone < DAY) return `${Math.floor(gone / HOUR)} h ago`;
  if (gone < 2 * DAY) return "yesterday";
  if (gone < 14 * DAY) return `${Math.floor(gone / DAY)} days ago`;
  return new Date(then).toISOString().slice(0, 10);
}

/** Seconds as `m:ss`, from an hour on `h:mm:ss`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Seconds between two RFC 3339 times; 0 when either is missing. */
export function secondsBetween(from: string | null | undefined, to: string | null | undefined): number {
  const gone = Date.parse(to ?? "") - Date.parse(from ?? "");
  return Number.isNaN(gone) ? 0 : Math.max(0, gone / 1000);
}
