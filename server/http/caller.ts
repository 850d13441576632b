import type { IncomingMessage } from "node:http";
import { isIPv6, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** Removes the IPv6 form of an IPv4 address. */
export const plainAddress = (address = ""): string => (address.startsWith("::ffff:") ? address.slice(7) : address);

export const isLoopbackAddress = (address: string): boolean => address === "::1" || address.startsWith("127.");

/** Translated IPv4 addresses (NAT64, RFC 6052): one /64 contains the whole IPv4 internet. */
const NAT64 = "64:ff9b:0:0:0:0:";

/**
 * The source of an address, for limits: an IPv4 address, or the /64 of an IPv6 address, since one device can have all
 * addresses of its /64. The loopback address is its own source.
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

/** Whether a connection comes from this machine, over loopback or one of its own addresses in the network. */
export function isFromThisMachine({ remoteAddress, localAddress }: Socket): boolean {
  const from = plainAddress(remoteAddress);
  return isLoopbackAddress(from) || from === plainAddress(localAddress);
}

/** The description of a request by the trusted proxy that forwarded it. */
export interface ForwardedRequest {
  /** The client's, or the proxy's own if it names no client. */
  readonly address: string;
  readonly source: string;
  readonly host: string | undefined;
  readonly encrypted: boolean;
}

const forwarded = new WeakMap<IncomingMessage, ForwardedRequest>();

/** Call this before anything else reads the request. */
export function noteForwarded(request: IncomingMessage, said: ForwardedRequest): void {
  forwarded.set(request, said);
}

/** Whether a trusted proxy forwarded this request. */
export const isForwarded = (request: IncomingMessage): boolean => forwarded.has(request);

/** The client's IP address, for people and the log. Limits count `requestSource`. */
export const addressOf = (request: IncomingMessage): string =>
  forwarded.get(request)?.address ?? plainAddress(request.socket.remoteAddress);

export const requestSource = (request: IncomingMessage): string =>
  forwarded.get(request)?.source ?? sourceOf(request.socket.remoteAddress ?? "");

/** The Host header that the client sent, to us or to a trusted proxy. */
export const hostOf = (request: IncomingMessage): string | undefined =>
  forwarded.get(request)?.host ?? request.headers.host;

export const isConnectionEncrypted = (socket: Socket | TLSSocket): boolean =>
  "encrypted" in socket && socket.encrypted === true;

/** Whether the client's request was encrypted, to us or to a trusted proxy. */
export const isEncrypted = (request: IncomingMessage): boolean =>
  forwarded.get(request)?.encrypted ?? isConnectionEncrypted(request.socket);

const PROXY_HEADERS = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/**
 * Whether a program on this machine sent the request over loopback. A proxy on this machine forwards requests of others
 * over loopback, so requests with a proxy's header do not count, even if the proxy is not trusted.
 */
export const isLocal = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopbackAddress(plainAddress(socket.remoteAddress)) && PROXY_HEADERS.every((name) => headers[name] === undefined);

/** The client name of the chat window of the desktop app. */
export const DESKTOP_CLIENT = "HearthDesktop";

const MAX_CACHED = 500;
const cachedNames = new Map<string, string>();

/** The client's program, from its User-Agent: `ZulipPython/0.9.0 (Linux)` is ZulipPython. */
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
