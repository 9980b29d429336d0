import { notifications } from "@mantine/notifications";

const look = {
  ok: { color: "green", autoClose: 4000 },
  info: { color: "accent", autoClose: 5000 },
  bad: { color: "red", autoClose: 9000 },
} as const;

/** One short message that goes away. `text` says what happened and, if bad, why. */
export function toast(tone: keyof typeof look, title: string, text?: string): void {
  notifications.show({ title, message: text ?? "", withBorder: true, ...look[tone] });
}
