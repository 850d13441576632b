import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** IPv4 in its own notation also where the socket speaks IPv6. */
export const plainAddress = (address = ""): string => (address.startsWith("::ffff:") ? address.slice(7) : address);

export const isLoopbackAddress = (address: string): boolean => address === "::1" || address.startsWith("127.");

/** Whether a connection is of this machine, to one of its own addresses in the network too: no other can send from those. */
export function isFromThisMachine({ remoteAddress, localAddress }: Socket): boolean {
  const from = plainAddress(remoteAddress);
  return isLoopbackAddress(from) || from === plainAddress(localAddress);
}

/** The caller's address. */
export const addressOf = (request: IncomingMessage): string => plainAddress(request.socket.remoteAddress);

const MAX_CACHED = 500;
const cachedNames = new Map<string, string>();

/** The program that calls, by its User-Agent: `ZulipPython/0.9.0 (Linux)` is ZulipPython. */
export function clientOf(request: IncomingMessage): string {
  const agent = request.headers["user-agent"] ?? "";
  let client = cachedNames.get(agent);
  if (client === undefined) {
    client = (/^\s*([^\s/]*)/.exec(agent)?.[1] ?? "").slice(0, 30) || "unspecified";
    if (cachedNames.size >= MAX_CACHED) cachedNames.clear();
    if (agent.length <= 500) cachedNames.set(agent, client);
  }
  return client;
}
