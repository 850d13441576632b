/**
 * The desktop entry by which a Linux session starts a command, by the Desktop Entry Specification: arguments stand in
 * double quotes, in which some characters are escaped, and the whole value is escaped once more as a string.
 */
export function autostartEntry(command: readonly string[]): string {
  const exec = command.map(quoted).join(" ").replaceAll("\\", "\\\\");
  // Where Hearth was removed, a session passes over the entry that is left.
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

/** `%` begins a field code, also inside quotes. */
const quoted = (argument: string): string => `"${argument.replace(/["`$\\]/g, "\\$&").replaceAll("%", "%%")}"`;
