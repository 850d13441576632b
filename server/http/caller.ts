import type { IncomingMessage } from "node:http";

/** IPv4 in its own notation also where the socket speaks IPv6. */
export const plainAddress = (address = ""): string => (address.startsWith("::ffff:") ? address.slice(7) : address);

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
