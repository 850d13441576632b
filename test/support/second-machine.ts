import { execFileSync, spawnSync } from "node:child_process";
import { type AddressInfo, connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import type { TestContext } from "node:test";

/** A network of this machine and a network namespace that acts as another. */
export interface SecondMachine {
  /** This machine's address in that network. */
  readonly address: string;
  readonly otherAddress: string;
  /** Arguments of `ip` before a command for the other machine. */
  readonly netns: readonly string[];
  /** Replaces this machine's address. */
  readdress(address: string): void;
  readonly interface: string;
}

let made = 0;

/** Undefined, with a skip reason, if the system allows no namespaces (needs root on Linux, and iproute2). */
export function secondMachine(t: TestContext): SecondMachine | undefined {
  const created = createMachine();
  if (!created) t.skip(NO_NAMESPACES);
  else t.after(() => created.remove());
  return created?.machine;
}

const NO_NAMESPACES = "network namespaces cannot be made here";

function createMachine(): { machine: SecondMachine; remove: () => void } | undefined {
  const id = `h${process.pid % 10_000}${made++}`;
  const [namespace, ours, theirs] = [`hearth-${id}`, `${id}a`, `${id}b`];
  const network = `10.${77 + (process.pid % 100)}.${made}`;
  const ip = (...args: string[]) => execFileSync("ip", args, { stdio: "pipe" });
  if (spawnSync("ip", ["netns", "add", namespace], { stdio: "pipe" }).status !== 0) return undefined;
  const remove = () => {
    ip("netns", "del", namespace);
    spawnSync("ip", ["link", "del", ours], { stdio: "pipe" }); // it disappears with its namespace a moment later
  };
  let address = `${network}.1`;
  ip("link", "add", ours, "type", "veth", "peer", "name", theirs);
  ip("link", "set", theirs, "netns", namespace);
  ip("addr", "add", `${address}/24`, "dev", ours);
  // Otherwise the system adds an IPv6 address a moment later, and browsers drop their downloads.
  ip("link", "set", "dev", ours, "addrgenmode", "none");
  ip("link", "set", ours, "up");
  const inside = (...args: string[]) => ip("netns", "exec", namespace, "ip", ...args);
  inside("addr", "add", `${network}.200/24`, "dev", theirs);
  inside("link", "set", theirs, "up");
  inside("link", "set", "lo", "up");
  const machine: SecondMachine = {
    get address() {
      return address;
    },
    otherAddress: `${network}.200`,
    interface: ours,
    netns: ["netns", "exec", namespace],
    readdress(next) {
      ip("addr", "del", `${address}/24`, "dev", ours);
      ip("addr", "add", `${next}/24`, "dev", ours);
      address = next;
    },
  };
  return { machine, remove };
}

let shared: SecondMachine | undefined;

/**
 * A non-loopback address of this machine. If it has none, the first call creates an address for the whole process:
 * browsers drop their downloads when an address changes (ERR_NETWORK_CHANGED).
 */
export function lanAddress(t: TestContext): string | undefined {
  const own = Object.values(networkInterfaces()).flat();
  const found = own.find((entry) => entry && !entry.internal && entry.family === "IPv4")?.address ?? shared?.address;
  if (found !== undefined) return found;
  const created = createMachine();
  if (!created) return void t.skip(NO_NAMESPACES);
  process.once("exit", created.remove);
  shared = created.machine;
  return shared.address;
}

/** A port whose connections reach the server's port as those of another machine do. Skips the test without a network. */
export async function portForOthers(t: TestContext, port: number): Promise<number | undefined> {
  const localAddress = lanAddress(t);
  if (localAddress === undefined) return undefined;
  const relay = createServer((client) => {
    // A connection between two addresses of this machine does not count as local.
    const server = connect({ host: "127.0.0.1", port, localAddress });
    client.on("error", () => server.destroy()).on("close", () => server.destroy());
    server.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.pipe(server).pipe(client);
    t.after(() => client.destroy());
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  t.after(() => relay.close());
  return (relay.address() as AddressInfo).port;
}
