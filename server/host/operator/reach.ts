import { existsSync, readFileSync } from "node:fs";
import { isLoopback, type Listening, reachableUrls } from "../supervisor/listening.ts";

// test/support/import-rules.ts says why this is no import.
const { get } = process.getBuiltinModule("node:http");

const PROBE_MS = 3000;

export const FIREWALLS = ["ufw", "firewalld", "windows", "macos", "unknown"] as const;

export interface Firewall {
  readonly kind: (typeof FIREWALLS)[number];
  /** Null where only an administrator of the machine could tell. */
  readonly is_on: boolean | null;
  /** What lets others in, for a terminal; null where it is set otherwise. */
  readonly command: string | null;
}

export interface Reach {
  readonly addresses: readonly { url: string; interface: string; problem: string | null }[];
  readonly firewall: Firewall;
}

/** The files and the system that tell of a firewall; tests replace them. */
export interface System {
  readonly platform: NodeJS.Platform;
  exists(path: string): boolean;
  /** Undefined where it cannot be read. */
  text(path: string): string | undefined;
}

/**
 * What the server can find out by itself of whether others reach it. A firewall does not stand between a machine and
 * its own addresses, so an answer there says that the server listens, and no more.
 */
export async function measureReach(listening: Listening, system = thisSystem): Promise<Reach> {
  const reachable = isLoopback(listening.host) ? [] : reachableUrls(listening);
  const addresses = await Promise.all(reachable.map(async (one) => ({ ...one, problem: await problemAt(one.url) })));
  return { addresses, firewall: firewallOf(system, listening.port) };
}

/** By plain HTTP, which this machine may use in any case: whether a certificate is trusted is another question. */
function problemAt(url: string): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { agent: false, timeout: PROBE_MS } as const;
    const request = get(`${url.replace(/^https:/, "http:")}/host/session`, options, (answer) => {
      answer.resume();
      const isOurs = answer.statusCode === 200;
      resolve(isOurs ? null : `Something else answers there, with status ${answer.statusCode}.`);
    });
    request.on("timeout", () => request.destroy(new Error(`Nothing answers within ${PROBE_MS / 1000} s.`)));
    request.on("error", (error) => resolve(error.message));
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
