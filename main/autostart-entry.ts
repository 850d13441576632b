/**
 * A desktop entry that starts a command with a Linux session. In the Desktop Entry Specification, arguments are quoted and
 * escaped, and the whole value is escaped again as a string.
 */
export function autostartEntry(command: readonly string[]): string {
  const exec = command.map(quoted).join(" ").replaceAll("\\", "\\\\");
  // Sessions ignore the entry if Hearth was uninstalled.
  const tryExec = (command[0] ?? "").replaceAll("\\", "\\\\");
  return `[Desktop Entry]
Type=Application
Name=Hearth
Comment=Hosts your organization while you are signed in
TryExec=${tryExec}
Exec=${exec}
Icon=hearth
Terminal=false
X-GNOME-Autostart-enabled=true
`;
}

/** `%` starts a field code, even inside quotes. */
const quoted = (argument: string): string => `"${argument.replace(/["`$\\]/g, "\\$&").replaceAll("%", "%%")}"`;
