import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { Failure, problem } from "../../errors.ts";
import { argumentsOf, DESCRIPTION, markOf, type ServiceCommand, type ServiceManager } from "./definition.ts";
import { type Machine, runTool, tryTool } from "./tools.ts";

const UNIT = "hearth.service";
/** In a unit whose removal must turn off lingering again. */
const LINGERING = "# Lingering was off before, so the removal turns it off.";

/** A service of the current user. Lingering starts it with the system, and needs no administrator. */
export function userService(machine: Machine): ServiceManager {
  const { XDG_CONFIG_HOME: configured = "" } = machine.env;
  const config = isAbsolute(configured) ? configured : join(machine.home, ".config");
  const path = join(config, "systemd", "user", UNIT);
  return {
    ...unitAt(path, machine, ["--user"]),
    async define(command, current = "") {
      await assertSystemd(machine, ["--user"], command);
      const { stdout } = await tryTool(machine, "loginctl", ["show-user", `${machine.uid}`, "--property=Linger"]);
      const lingers = stdout.trim() === "Linger=yes";
      return userUnit(command, { turnsLingeringOn: !lingers || current.includes(LINGERING) });
    },
    async apply(text) {
      if (text.includes(LINGERING)) await runTool(machine, "loginctl", ["enable-linger"]);
      await startUnit(path, text, machine, ["--user"]);
    },
    async remove(current) {
      await removeUnit(path, machine, ["--user"]);
      if (current.includes(LINGERING)) await runTool(machine, "loginctl", ["disable-linger"]);
    },
  };
}

/** A service of the whole system, which only root can install. */
export function systemService(machine: Machine): ServiceManager {
  const path = join(`${machine.root}/etc/systemd/system`, UNIT);
  return {
    ...unitAt(path, machine, []),
    async define(command) {
      if (machine.uid !== 0) throw new Failure(problem("service_needs_root"));
      await assertSystemd(machine, [], command);
      return systemUnit(command);
    },
    apply: (text) => startUnit(path, text, machine, []),
    remove: async () => {
      if (machine.uid !== 0) throw new Failure(problem("service_needs_root"));
      await removeUnit(path, machine, []);
    },
  };
}

function unitAt(path: string, machine: Machine, scope: readonly string[]) {
  return {
    place: path,
    log: () => ["journalctl", ...scope, "--unit", "hearth"].join(" "),
    definition: async () => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
    start: async () => void (await runTool(machine, "systemctl", [...scope, "start", UNIT])),
    restart: async () => void (await runTool(machine, "systemctl", [...scope, "restart", UNIT])),
  };
}

/** Asks the manager itself: it is also missing in containers, and for users without a session. */
async function assertSystemd(machine: Machine, scope: readonly string[], command: ServiceCommand): Promise<void> {
  const { ok, cause } = await tryTool(machine, "systemctl", [...scope, "show", "--property=Version"]);
  if (ok) return;
  const words = argumentsOf(command).map((word) => (/\s/.test(word) ? `"${word}"` : word));
  throw new Failure(problem("service_no_systemd", { cause, command: words.join(" ") }));
}

async function startUnit(path: string, unit: string, machine: Machine, scope: readonly string[]): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, unit, { mode: 0o644 });
  await runTool(machine, "systemctl", [...scope, "daemon-reload"]);
  await runTool(machine, "systemctl", [...scope, "enable", UNIT]);
  await runTool(machine, "systemctl", [...scope, "restart", UNIT]);
}

async function removeUnit(path: string, machine: Machine, scope: readonly string[]): Promise<void> {
  const disable = [...scope, "disable", "--now", UNIT];
  const { ok, cause } = await tryTool(machine, "systemctl", disable);
  rmSync(path); // the next start of the system finds no service, even if this one could not be stopped
  await tryTool(machine, "systemctl", [...scope, "daemon-reload"]);
  if (!ok) throw new Failure(problem("service_tool_failed", { command: ["systemctl", ...disable].join(" "), cause }));
}

const unitHead = ({ dataFolder }: ServiceCommand) => `# Created by "hearth service install". ${markOf(dataFolder)}`;

/** Everything acknowledged is on disk already, and a stop takes three seconds at most. */
const running = (command: ServiceCommand) => `ExecStart=${argumentsOf(command).map(quoted).join(" ")}
TimeoutStopSec=10
Restart=on-failure
RestartSec=5`;

export const userUnit = (command: ServiceCommand, { turnsLingeringOn }: { turnsLingeringOn: boolean }): string =>
  `${unitHead(command)}
${turnsLingeringOn ? `${LINGERING}\n` : ""}[Unit]
Description=${DESCRIPTION}

[Service]
${running(command)}

[Install]
WantedBy=default.target
`;

/** Paths in which ProtectHome hides everything. */
const HOMES = /^\/(?:home|root|run\/user)(?:\/|$)/;

/** Backups may go to any folder, so the unit protects the system's folders but not the whole disk. */
export function systemUnit(command: ServiceCommand): string {
  const usesHomes = argumentsOf(command).some((word) => HOMES.test(word));
  return `${unitHead(command)}
[Unit]
Description=${DESCRIPTION}
After=network-online.target
Wants=network-online.target

[Service]
User=${command.account}
${running(command)}
NoNewPrivileges=true
PrivateTmp=true
PrivateDevices=true
ProtectHome=${usesHomes ? "false" : "true"}
ProtectSystem=full
ProtectKernelTunables=true
ProtectKernelModules=true
ProtectControlGroups=true
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictSUIDSGID=true
LockPersonality=true
CapabilityBoundingSet=

[Install]
WantedBy=multi-user.target
`;
}

/** systemd.service(5) and systemd.syntax(7): `%` starts a specifier, `$` a variable. */
const quoted = (word: string): string =>
  `"${word.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;
