/** Widths of text, so that states and labels have a size before they are drawn. */

export const FONTS = {
  name: '600 13px "Inter Variable", Inter, system-ui, sans-serif',
  text: '400 12px "Inter Variable", Inter, system-ui, sans-serif',
  strong: '600 12px "Inter Variable", Inter, system-ui, sans-serif',
  code: '500 12px "JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace',
} as const;
export type FontRole = keyof typeof FONTS;

/** Mean width of a character, where there is no canvas to ask (tests). */
const MEAN: { [role in FontRole]: number } = { name: 7.4, text: 6.3, strong: 6.8, code: 7.1 };

let context: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

function pen(): CanvasRenderingContext2D | null {
  if (context !== undefined) return context;
  const headless = typeof navigator === "undefined" || navigator.userAgent.includes("jsdom");
  context = headless ? null : document.createElement("canvas").getContext("2d");
  return context;
}

/** Width in CSS pixels, rounded up. */
export function textWidth(text: string, role: FontRole): number {
  const key = `${role} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  const drawing = pen();
  let width = text.length * MEAN[role];
  if (drawing) {
    drawing.font = FONTS[role];
    width = drawing.measureText(text).width;
  }
  const rounded = Math.ceil(width);
  widths.set(key, rounded);
  return rounded;
}

/** Measured before the fonts came, measured wrong: resolves when they are there and what was measured is forgotten. */
export async function fontsLoaded(): Promise<void> {
  if (typeof document === "undefined" || !("fonts" in document)) return;
  await Promise.allSettled(Object.values(FONTS).map((font) => document.fonts.load(font)));
  widths.clear();
}

/** How many lines of `width` pixels the text takes (words are not broken). */
export function lineCount(text: string, role: FontRole, width: number): number {
  const space = textWidth(" ", role);
  let lines = 1;
  let used = 0;
  for (const word of text.split(/\s+/)) {
    const own = textWidth(word, role);
    if (used > 0 && used + space + own > width) {
      lines += 1;
      used = own;
    } else {
      used += (used > 0 ? space : 0) + own;
    }
  }
  return lines;
}

/** As much of the text as fits into `width` pixels, with an ellipsis where something is missing. */
export function cutTo(text: string, role: FontRole, width: number): string {
  if (textWidth(text, role) <= width) return text;
  let fits = 0;
  let over = text.length;
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (textWidth(`${text.slice(0, middle)}…`, role) <= width) fits = middle;
    else over = middle;
  }
  return fits === 0 ? "" : `${text.slice(0, fits).trimEnd()}…`;
}
