import type { IncomingMessage } from "node:http";
import { isIPv6, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** Removes the IPv6 form of an IPv4 address. */
export const plainAddress = (address = ""): string => (address.startsWith("::ffff:") ? address.slice(7) : address);

export const isLoopbackAddress = (address: string): boolean => address === "::1" || address.startsWith("127.");

/** Translated IPv4 addresses (NAT64, RFC 6052): the whole IPv4 internet is in one /64. */
const NAT64 = "64:ff9b:0:0:0:0:";

/**
 * What limits count an address as: an IPv4 address, or the /64 of an IPv6 address, of which a single device has all
 * addresses. The loopback address stays as it is.
 */
export function sourceOf(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(":") || plain === "::1") return plain;
  const [bare = "", zone] = plain.split("%");
  if (!isIPv6(bare)) return plain;
  const groups = groupsOf(bare);
  const text = `${groups.slice(0, 6).join(":")}:`;
  if (text === NAT64)
    return groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join(".");
  // Link-local addresses of two interfaces belong to two networks.
  return `${groups.slice(0, 4).join(":")}::/64${zone === undefined ? "" : `%${zone}`}`;
}

/** The eight groups of an IPv6 address, in lower case without leading zeros. */
function groupsOf(address: string): string[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = (high = "0", low = "0") => ((Number(high) << 8) | Number(low)).toString(16);
  const text = dotted ? `${dotted[1]}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}` : address;
  const [head = [], tail = []] = text.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const zeros = new Array<string>(8 - head.length - tail.length).fill("0");
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16).toString(16));
}

/** Whether a connection comes from this machine, also to one of its own addresses in the network: no other has those. */
export function isFromThisMachine({ remoteAddress, localAddress }: Socket): boolean {
  const from = plainAddress(remoteAddress);
  return isLoopbackAddress(from) || from === plainAddress(localAddress);
}

/** What a trusted proxy says about a request that it passed on. */
export interface ForwardedRequest {
  /** The client's, or the proxy's own where it names none. */
  readonly address: string;
  readonly source: string;
  readonly host: string | undefined;
  readonly encrypted: boolean;
}

/** What trusted proxies say about the requests that they passed on. */
const forwarded = new WeakMap<IncomingMessage, ForwardedRequest>();

/** Called before anything else looks at the request. */
export function noteForwarded(request: IncomingMessage, said: ForwardedRequest): void {
  forwarded.set(request, said);
}

/** Whether a trusted proxy passed this request on. */
export const isForwarded = (request: IncomingMessage): boolean => forwarded.has(request);

/** The caller's IP address, for people and for the log. Limits count `requestSource`. */
export const addressOf = (request: IncomingMessage): string =>
  forwarded.get(request)?.address ?? plainAddress(request.socket.remoteAddress);

/** What every limit counts a request as. */
export const requestSource = (request: IncomingMessage): string =>
  forwarded.get(request)?.source ?? sourceOf(request.socket.remoteAddress ?? "");

/** The host that the caller addressed: the Host header, or what a trusted proxy received as such. */
export const hostOf = (request: IncomingMessage): string | undefined =>
  forwarded.get(request)?.host ?? request.headers.host;

export const isConnectionEncrypted = (socket: Socket | TLSSocket): boolean =>
  "encrypted" in socket && socket.encrypted === true;

/** Whether the caller's request was encrypted, to us or to a trusted proxy. */
export const isEncrypted = (request: IncomingMessage): boolean =>
  forwarded.get(request)?.encrypted ?? isConnectionEncrypted(request.socket);

const PROXY_HEADERS = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/**
 * Whether a program on this machine sent the request over loopback. A proxy on this machine sends requests of others in
 * this way: so none that carries a proxy's header counts, whether the proxy is trusted or not.
 */
export const isLocal = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopbackAddress(plainAddress(socket.remoteAddress)) && PROXY_HEADERS.every((name) => headers[name] === undefined);

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
