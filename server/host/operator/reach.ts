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
  /** A shell command that opens the port; null if there is none. */
  readonly command: string | null;
}

export interface Reach {
  readonly addresses: readonly { url: string; interface: string; problem: Problem | null }[];
  readonly firewall: Firewall;
}

/** The parts of the system that show a firewall. Tests replace them. */
export interface System {
  readonly platform: NodeJS.Platform;
  exists(path: string): boolean;
  /** Undefined if the file cannot be read. */
  text(path: string): string | undefined;
}

/**
 * Checks whether other machines can connect, as far as the server can find out. A response on the machine's own addresses
 * shows only that the server listens, because a firewall does not filter these requests.
 */
export async function measureReach(listening: Listening, system = thisSystem): Promise<Reach> {
  const reachable = isLoopback(listening.host) ? [] : reachableUrls(listening);
  const addresses = await Promise.all(reachable.map(async (one) => ({ ...one, problem: await problemAt(one.url) })));
  return { addresses, firewall: firewallOf(system, listening.port) };
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

export function firewallOf({ platform, exists, text }: System, port: number): Firewall {
  if (platform === "win32") {
    const rule = `dir=in action=allow protocol=TCP localport=${port}`;
    return { kind: "windows", is_on: null, command: `netsh advfirewall firewall add rule name="Hearth" ${rule}` };
  }
  if (platform === "darwin") return { kind: "macos", is_on: null, command: null };
  const firewalld = exists("/run/firewalld");
  const ufw = text("/etc/ufw/ufw.conf");
  if (firewalld) {
    const command = `sudo firewall-cmd --permanent --add-port=${port}/tcp && sudo firewall-cmd --reload`;
    return { kind: "firewalld", is_on: true, command };
  }
  if (ufw === undefined) return { kind: "unknown", is_on: null, command: null };
  return { kind: "ufw", is_on: /^\s*ENABLED\s*=\s*yes\s*$/im.test(ufw), command: `sudo ufw allow ${port}/tcp` };
}

const thisSystem: System = {
  platform: process.platform,
  exists: existsSync,
  text: (path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  },
};
