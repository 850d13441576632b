import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, problem } from "../../errors.ts";
import { argumentsOf, markOf, outputFile, type ServiceCommand, type ServiceManager, xmlText } from "./definition.ts";
import { type Machine, tryTool } from "./tools.ts";

const LABEL = "org.hearth.server";

/**
 * A daemon that runs as the current user: agents start only when somebody signs in. An administrator's password is
 * asked for at the installation and at the removal.
 */
export function daemon(machine: Machine): ServiceManager {
  const path = `${machine.root}/Library/LaunchDaemons/${LABEL}.plist`;
  // A daemon that is being unloaded cannot be loaded again.
  const unload = `if [ -e ${shellQuoted(path)} ]; then launchctl bootout system/${LABEL}; fi
n=0
while launchctl print system/${LABEL} > /dev/null 2>&1 && [ $n -lt 50 ]; do sleep 0.2; n=$((n+1)); done`;
  return {
    place: path,
    log: outputFile,
    definition: async () => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
    // As root, for the user who called sudo.
    define: async (command) => propertyList(command, (machine.uid === 0 && machine.env["SUDO_USER"]) || machine.user),
    async apply(text) {
      const folder = mkdtempSync(join(tmpdir(), "hearth-service-"));
      const made = join(folder, `${LABEL}.plist`);
      try {
        writeFileSync(made, text);
        const copy = `install -m 644 ${shellQuoted(made)} ${shellQuoted(path)}`;
        await asAdministrator(machine, `${unload}\n${copy} && launchctl bootstrap system ${shellQuoted(path)}`);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    remove: () => asAdministrator(machine, `${unload}\nrm ${shellQuoted(path)}`),
    // launchd starts it with the system, and again whenever it ends.
    start: async () => {},
    restart: async (pid) => void process.kill(pid, "SIGTERM"),
  };
}

async function asAdministrator(machine: Machine, script: string): Promise<void> {
  const { ok, cause } = await (() => {
    if (machine.uid === 0) return tryTool(machine, "sh", ["-c", script]);
    if (machine.asksIn === "terminal") return tryTool(machine, "sudo", ["sh", "-c", script]);
    const text = script.replace(/[\\"]/g, "\\$&");
    return tryTool(machine, "osascript", ["-e", `do shell script "${text}" with administrator privileges`]);
  })();
  if (!ok) throw new Failure(problem("service_needs_administrator", { cause }));
}

const shellQuoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

export function propertyList(command: ServiceCommand, user: string): string {
  const log = ["--log", outputFile(command.dataFolder)];
  const words = [...argumentsOf(command), ...log].map((word) => `    <string>${xmlText(word)}</string>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Created by "hearth service install". ${markOf(command.dataFolder)} -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>UserName</key>
  <string>${xmlText(user)}</string>
  <key>ProgramArguments</key>
  <array>
${words.join("\n")}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ExitTimeOut</key>
  <integer>10</integer>
</dict>
</plist>
`;
}
