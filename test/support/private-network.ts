import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readlinkSync } from "node:fs";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "./patience.ts";

/* A private network of two machines. The test's program runs on one of them, with addresses that look public. */

const ENTER = [
  ["unshare", "--net"],
  ["unshare", "--map-root-user", "--net"], // for users who are not root
];

/** Runs a module of test/support in a new network and returns its JSON output, or undefined if skipped. */
export function runInPrivateNetwork<T>(t: TestContext, module: string): T | undefined {
  const enter = ENTER.find(([program = "", ...args]) => spawnSync(program, [...args, "ip", "link"]).status === 0);
  if (!enter) {
    if (process.env["CI"] === "true") throw new Error("CI has to run this test: it takes unshare and iproute2.");
    t.skip("takes network namespaces (unshare) and iproute2");
    return undefined;
  }
  const [program = "", ...args] = [...enter, process.execPath, fileURLToPath(new URL(module, import.meta.url))];
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${module} failed: ${stdout}${stderr}`);
  return JSON.parse(stdout) as T;
}

export function ip(...args: string[]): void {
  const { status, stderr } = spawnSync("ip", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`ip ${args.join(" ")}: ${stderr}`);
}

export async function startOtherMachine(
  { link, addresses }: { link: string; addresses: readonly string[] },
  script: string,
): Promise<ChildProcess> {
  const child = spawn("unshare", ["--net", process.execPath, "-e", `process.stdin.once("data", () => {${script}})`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  // unshare replaces itself with Node, so this is Node's process ID.
  await once(child, "spawn");
  const inside = (...args: string[]) => {
    const { status, stderr } = spawnSync("nsenter", [`--net=/proc/${child.pid}/ns/net`, "ip", ...args]);
    if (status !== 0) throw new Error(`ip ${args.join(" ")}: ${stderr}`);
  };
  const theirs = `${link}-b`;
  await hasOwnNetwork(child.pid as number);
  ip("link", "add", link, "type", "veth", "peer", "name", theirs);
  ip("link", "set", theirs, "netns", String(child.pid));
  ip("link", "set", link, "up");
  for (const address of addresses) inside("addr", "add", address, "dev", theirs, ...nodad(address));
  inside("link", "set", theirs, "up");
  child.stdin.write("go");
  await once(child.stdout, "data");
  return child;
}

/** Its namespace link differs after unshare has left this network. */
async function hasOwnNetwork(pid: number): Promise<void> {
  const networkOf = (process: string) => readlinkSync(`/proc/${process}/ns/net`);
  await until(() => networkOf(String(pid)) !== networkOf("self") || undefined, "the other machine");
}

/** Skips the second in which IPv6 checks for duplicate addresses. */
export const nodad = (address: string): string[] => (address.includes(":") ? ["nodad"] : []);
