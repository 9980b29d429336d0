import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";
import { useSyncExternalStore } from "react";

/** What a person may choose; `system` follows the machine. */
export type ThemeChoice = "light" | "dark" | "system";
export type ThemeName = "light" | "dark";

const KEY = "callchart.theme";
const listeners = new Set<() => void>();

function isChoice(value: string | null): value is ThemeChoice {
  return value === "light" || value === "dark" || value === "system";
}

function read(): ThemeChoice {
  try {
    const kept = localStorage.getItem(KEY);
    return isChoice(kept) ? kept : "system";
  } catch {
    return "system"; // storage is refused in some private windows
  }
}

let choice: ThemeChoice = read();

function systemIsDark(): boolean {
  return typeof matchMedia === "function" && matchMedia("(prefers-color-scheme: dark)").matches;
}

/** The theme on screen now. */
export function currentTheme(): ThemeName {
  if (choice === "system") return systemIsDark() ? "dark" : "light";
  return choice;
}

function show(): void {
  document.documentElement.dataset.theme = currentTheme();
  listeners.forEach((listener) => listener());
}

/** Keeps the choice for the next visit and shows it at once. */
export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // the choice then lasts as long as the page
  }
  show();
}

/** Call once before the first paint; follows the machine while the choice is `system`. */
export function startTheme(): void {
  show();
  if (typeof matchMedia === "function") matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): { theme: ThemeName; choice: ThemeChoice; choose: (next: ThemeChoice) => void } {
  const theme = useSyncExternalStore(subscribe, currentTheme);
  const kept = useSyncExternalStore(subscribe, () => choice);
  return { theme, choice: kept, choose: chooseTheme };
}

const accent: MantineColorsTuple = [
  "#E9F0FE", "#D3E0FD", "#B7D0F8", "#84ADF2", "#7EA6FF", "#6A96FA", "#4A7BF0", "#3B6FEA", "#2459DB", "#1B47B4",
];

/** Mantine under our tokens. Shade 8 and the named close buttons are what makes it axe-clean (stack.md). */
export const mantineTheme = createTheme({
  primaryColor: "accent",
  colors: { accent },
  primaryShade: { light: 8, dark: 8 },
  fontFamily: "var(--font-ui)",
  fontFamilyMonospace: "var(--font-code)",
  defaultRadius: 8,
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  headings: { fontFamily: "var(--font-ui)", fontWeight: "650" },
  components: {
    Modal: { defaultProps: { closeButtonProps: { "aria-label": "Close" }, centered: true } },
    Drawer: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
    Tooltip: { defaultProps: { openDelay: 400, fz: 12, withinPortal: true } },
    Menu: { defaultProps: { shadow: "md", withinPortal: true } },
  },
});

const roles = {
  "--mantine-color-body": "var(--bg-panel)",
  "--mantine-color-text": "var(--tx-1)",
  "--mantine-color-dimmed": "var(--tx-3)",
  "--mantine-color-default": "var(--bg-raised)",
  "--mantine-color-default-hover": "var(--bg-hover)",
  "--mantine-color-default-border": "var(--ln-control)",
  "--mantine-color-placeholder": "var(--tx-3)",
  "--mantine-color-error": "var(--bad)",
  "--mantine-color-anchor": "var(--accent)",
};

/** Mantine's own colours replaced by our roles, the same names in both themes. */
export const mantineVariables: CSSVariablesResolver = () => ({ variables: {}, light: roles, dark: roles });
