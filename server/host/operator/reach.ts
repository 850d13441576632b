import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { Failure, type Problem, problem, problemOf } from "../../errors.ts";
import { isLoopback, type Listening, reachableUrls } from "../supervisor/listening.ts";

// test/support/import-rules.ts explains why this is not an import.
const { get } = process.getBuiltinModule("node:http");

const PROBE_MS = 3000;

export const FIREWALLS = ["ufw", "firewalld", "windows", "macos", "unknown"] as const;

export interface Firewall {
  readonly kind: (typeof FIREWALLS)[number];
  /** Null if only an administrator of the machine can find out. */
  readonly is_on: boolean | null;
  /** Shell commands that open the port. */
  readonly commands: string[];
}

/** Windows' profile of a network. Its firewall blocks more on public networks. */
export type NetworkProfile = "public" | "private" | "domain";

export interface Reach {
  readonly addresses: readonly {
    url: string;
    interface: string;
    problem: Problem | null;
    /** Null on other systems, or if it cannot be read. */
    profile: NetworkProfile | null;
  }[];
  readonly firewall: Firewall;
}

/** The parts of the system that show a firewall. Tests replace them. */
export interface System {
  readonly platform: NodeJS.Platform;
  exists(path: string): boolean;
  /** Undefined if the file cannot be read. */
  text(path: string): string | undefined;
  /** The program of this server. Windows has rules for programs. */
  readonly program: string;
  /** The output of a script; "" if it fails. */
  powerShell(script: string): Promise<string>;
}

/**
 * Checks whether other machines can connect, as far as the server can find out. A response on the machine's own addresses
 * shows only that the server listens, because a firewall does not filter these requests.
 */
export async function measureReach(listening: Listening, system = thisSystem): Promise<Reach> {
  const reachable = isLoopback(listening.host) ? [] : reachableUrls(listening);
  const [profiles, problems] = await Promise.all([
    networkProfiles(system),
    Promise.all(reachable.map(({ url }) => problemAt(url))),
  ]);
  const addresses = reachable.map((one, index) => ({
    ...one,
    problem: problems[index] ?? null,
    profile: profiles[one.interface] ?? null,
  }));
  const publicNetworks = addresses.filter(({ profile }) => profile === "public").map((one) => one.interface);
  return { addresses, firewall: firewallOf(system, listening.port, [...new Set(publicNetworks)]) };
}

// Windows PowerShell prints in the console's code page, and names of networks can be in any language.
const PROFILES = `[Console]::OutputEncoding = [Text.Encoding]::UTF8
Get-NetConnectionProfile | ForEach-Object { "$($_.NetworkCategory) $($_.InterfaceAlias)" }`;

const CATEGORIES: Readonly<Record<string, NetworkProfile>> = {
  Public: "public",
  Private: "private",
  DomainAuthenticated: "domain",
};

/** Windows' profiles by network interface. */
export async function networkProfiles({ platform, powerShell }: System): Promise<Record<string, NetworkProfile>> {
  if (platform !== "win32") return {};
  const lines = (await powerShell(PROFILES))
    .split(/\r?\n/)
    .map((line) => /^(\w+) (.+)$/.exec(line.replace("\ufeff", "")));
  return Object.fromEntries(
    lines.flatMap((line) => {
      const profile = CATEGORIES[line?.[1] ?? ""];
      return profile ? [[line?.[2] as string, profile]] : [];
    }),
  );
}

/** Uses HTTP, which is always allowed on this machine, so that the certificate does not matter. */
function problemAt(url: string): Promise<Problem | null> {
  return new Promise((resolve) => {
    const options = { agent: false, timeout: PROBE_MS } as const;
    const request = get(`${url.replace(/^https:/, "http:")}/host/session`, options, (answer) => {
      answer.resume();
      const isOurs = answer.statusCode === 200;
      resolve(isOurs ? null : problem("other_server_responds", { status: answer.statusCode ?? 0 }));
    });
    request.on("timeout", () => request.destroy(new Failure(problem("no_response", { count: PROBE_MS / 1000 }))));
    request.on("error", (error) => resolve(problemOf(error)));
  });
}

export function firewallOf(system: System, port: number, publicNetworks: readonly string[] = []): Firewall {
  const { platform, exists, text } = system;
  if (platform === "win32")
    return { kind: "windows", is_on: null, commands: windowsCommands(system, port, publicNetworks) };
  if (platform === "darwin") return { kind: "macos", is_on: null, commands: [] };
  const firewalld = exists("/run/firewalld");
  const ufw = text("/etc/ufw/ufw.conf");
  if (firewalld) {
    const command = `sudo firewall-cmd --permanent --add-port=${port}/tcp && sudo firewall-cmd --reload`;
    return { kind: "firewalld", is_on: true, commands: [command] };
  }
  if (ufw === undefined) return { kind: "unknown", is_on: null, commands: [] };
  return { kind: "ufw", is_on: /^\s*ENABLED\s*=\s*yes\s*$/im.test(ufw), commands: [`sudo ufw allow ${port}/tcp`] };
}

/**
 * If the user cancels Windows' prompt, rules block the program, and these take precedence over rules that allow it. Public networks
 * stay blocked: people who trust such a network mark it as private.
 */
function windowsCommands({ program }: System, port: number, publicNetworks: readonly string[]): string[] {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const filter = `Get-NetFirewallApplicationFilter -Program ${quoted(program)} -ErrorAction SilentlyContinue`;
  return [
    `${filter} | Get-NetFirewallRule | Where-Object Action -eq Block | Remove-NetFirewallRule`,
    `New-NetFirewallRule -DisplayName Hearth -Direction Inbound -Action Allow -Protocol TCP -LocalPort ${port} -Profile Private,Domain`,
    ...publicNetworks.map(
      (name) => `Set-NetConnectionProfile -InterfaceAlias ${quoted(name)} -NetworkCategory Private`,
    ),
  ];
}

const POWERSHELL_MS = 15_000;

const thisSystem: System = {
  platform: process.platform,
  program: process.execPath,
  powerShell: (script) =>
    new Promise((resolve) => {
      const options = { timeout: POWERSHELL_MS, windowsHide: true };
      const args = ["-NoProfile", "-NonInteractive", "-Command", script];
      execFile("powershell.exe", args, options, (error, stdout) => resolve(error ? "" : stdout));
    }),
  exists: existsSync,
  text: (path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  },
};
