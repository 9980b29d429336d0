import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./tokens.css";
import "./parts.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { mantineTheme, mantineVariables, useTheme } from "./theme";

/** Theme, fonts and toasts around the whole page. */
export function UiProvider({ children }: { children: ReactNode }) {
  const { theme } = useTheme();
  return (
    <MantineProvider theme={mantineTheme} cssVariablesResolver={mantineVariables} forceColorScheme={theme}>
      <Notifications position="bottom-right" limit={4} zIndex={500} />
      {children}
    </MantineProvider>
  );
}
