import { createServer } from "node:http";
import { ip, nodad, startOtherMachine } from "./private-network.ts";

// Posts to this machine and its neighbor, in a network with public-looking addresses.

const PORT = 8080;
const NEIGHBORS = ["8.8.4.8", "2600:1234:5:6::8"];
export const OWN = ["8.8.4.7", "2600:1234:5:6::7", "2600:1234:5:6::9", "127.0.0.1", "::1", "172.31.255.1", "2600:9::1"];

export interface Outcomes {
  /** Outcomes of posts by a member and by an administrator, by address: a status or an error. */
  outcomes: Record<"member" | "administrator" | "whole network listed" | "address listed", Record<string, string>>;
  /** Connections that reached this machine until an address was listed. */
  reached: number;
}

async function main(): Promise<Outcomes> {
  const { Poster } = await import("../../server/integrations/outgoing/post.ts");
  const neighbor = await startOtherMachine(
    { link: "uplink", addresses: NEIGHBORS.map((address) => `${address}/${address.includes(":") ? 64 : 24}`) },
    `require("node:http").createServer((q, r) => r.end()).listen(${PORT}, "::", () => console.log("ready"))`,
  );
  ip("link", "set", "lo", "up");
  // One IPv6 address with its network, and one as DHCPv6 assigns them.
  for (const address of ["8.8.4.7/24", "2600:1234:5:6::7/64", "2600:1234:5:6::9/128"])
    ip("addr", "add", address, "dev", "uplink", ...nodad(address));
  // An interface without a carrier, like an idle container bridge.
  ip("link", "add", "idle", "type", "veth", "peer", "name", "unplugged");
  for (const address of ["172.31.255.1/24", "2600:9::1/64"])
    ip("addr", "add", address, "dev", "idle", ...nodad(address));
  ip("link", "set", "idle", "up");
  let reached = 0;
  const receiver = createServer((_request, response) => response.end()).on("connection", () => {
    reached += 1;
  });
  await new Promise<void>((resolve) => receiver.listen(PORT, "::", resolve));
  const poster = new Poster();
  const post = async (address: string, privateNetwork: boolean, listed: string[]): Promise<string> => {
    const url = `http://${address.includes(":") ? `[${address}]` : address}:${PORT}/`;
    const posted = poster.post(url, { privateNetwork, listed }, { headers: {}, body: "x" });
    return posted.then(
      ({ status }) => String(status),
      (error: Error) => error.message,
    );
  };
  const toAll = async (privateNetwork: boolean, listed = (_address: string): string[] => []) => {
    const outcomes: Record<string, string> = {};
    for (const address of [...OWN, ...NEIGHBORS])
      outcomes[address] = await post(address, privateNetwork, listed(address));
    return outcomes;
  };
  const before = {
    member: await toAll(false),
    administrator: await toAll(true),
    "whole network listed": await toAll(false, () => ["0.0.0.0/0", "::/0"]),
  };
  const reachedBefore = reached;
  const after = await toAll(false, (address) => [`[${address}]:${PORT}`]);
  neighbor.kill();
  receiver.close();
  await poster.close();
  return { outcomes: { ...before, "address listed": after }, reached: reachedBefore };
}

if (process.argv[1] === import.meta.filename) {
  console.log(JSON.stringify(await main()));
  process.exit();
}
