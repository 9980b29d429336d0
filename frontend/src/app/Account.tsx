import { useQueryClient } from "@tanstack/react-query";
import { LogOut, Monitor, Moon, Sun } from "lucide-react";
import { api } from "../transport/resources";
import { Avatar, IconButton, Menu, useTheme, type ThemeChoice } from "../ui";
import { useMe } from "./queries";

const looks = [
  { choice: "light", label: "Light", icon: Sun },
  { choice: "dark", label: "Dark", icon: Moon },
  { choice: "system", label: "As the machine", icon: Monitor },
] as const satisfies readonly { choice: ThemeChoice; label: string; icon: typeof Sun }[];

export function ThemeToggle() {
  const { theme, choose } = useTheme();
  const other = theme === "dark" ? "light" : "dark";
  return <IconButton icon={theme === "dark" ? Sun : Moon} label={`Show the ${other} theme`} onClick={() => choose(other)} />;
}

/** Who is signed in, in which workspace; theme and sign-out. */
export function AccountMenu() {
  const { data: me } = useMe();
  const client = useQueryClient();
  const { choice, choose } = useTheme();
  const name = me?.user.name || me?.user.email || "Account";

  async function signOut(): Promise<void> {
    await api.signOut();
    client.clear();
    window.location.assign("/accounts/login/");
  }

  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <button type="button" className="ui-iconbtn" style={{ borderRadius: "50%" }}><span className="ui-sr">Account of {name}</span><span aria-hidden><Avatar name={name} /></span></button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{name}<br />{me ? `${me.workspace.name} · ${me.workspace.roles.join(", ") || "member"}` : ""}</Menu.Label>
        <Menu.Divider />
        {looks.map((look) => (
          <Menu.Item key={look.choice} leftSection={<look.icon size={14} />} role="menuitemradio" aria-checked={choice === look.choice} onClick={() => choose(look.choice)}
            style={choice === look.choice ? { background: "var(--accent-soft)" } : undefined}>{look.label}</Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={14} />} onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
