import type { IncomingMessage } from "node:http";
import { BlockList, isIP, SocketAddress } from "node:net";
import { isConnectionEncrypted, noteForwarded, plainAddress, sourceOf } from "./caller.ts";
import { nameIn } from "./hostnames.ts";

/** One hop of a request, as the proxy that received it describes it. */
interface Hop {
  /** The sender's address; undefined if it is missing, hidden or malformed. */
  readonly address?: string | undefined;
  readonly proto?: string | undefined;
  readonly host?: string | undefined;
}

/** Reads the headers of the proxies in the setting TRUSTED_PROXIES: docs/protocol.md#behind-a-reverse-proxy. */
export class TrustedProxies {
  readonly #setting: () => readonly string[];
  #listed: readonly string[] = [];
  #networks = new BlockList();

  constructor(setting: () => readonly string[]) {
    this.#setting = setting;
  }

  has(address: string): boolean {
    const listed = this.#setting();
    if (listed !== this.#listed) {
      this.#listed = listed;
      this.#networks = networksOf(listed);
    }
    const [bare = ""] = address.split("%");
    const family = isIP(bare);
    return listed.length > 0 && family !== 0 && this.#networks.check(bare, family === 6 ? "ipv6" : "ipv4");
  }

  /** Records the forwarding headers of a request from a trusted proxy. */
  read(request: IncomingMessage): void {
    if (this.#setting().length === 0) return;
    const peer = plainAddress(request.socket.remoteAddress);
    if (!this.has(peer)) return;
    const said = [hopsOfXForwarded(request), hopsOfForwarded(request)].filter((hops) => hops !== undefined);
    if (said.length === 0) return;
    const [first, second = first] = said.map((hops) => this.#clientIn(hops)) as [Hop, Hop?];
    // A client can send the kind of header that the proxy does not set, so values that differ are ignored.
    const agreed = <Name extends keyof Hop>(name: Name) => (first[name] === second[name] ? first[name] : undefined);
    const named = agreed("address");
    // A header must not make a client look like this machine.
    const address = named === undefined || [peer, "127.0.0.1", "::1"].includes(named) ? undefined : named;
    const proto = agreed("proto");
    noteForwarded(request, {
      address: address ?? peer,
      // Differs from the source of the proxy's own requests, from which accounts may have signed in.
      source: address === undefined ? `via:${sourceOf(peer)}` : sourceOf(address),
      host: agreed("host"),
      encrypted: proto === undefined ? isConnectionEncrypted(request.socket) : proto === "https",
    });
  }

  /** The hop at which the first trusted proxy of the chain received the request. `hops`: the newest first. */
  #clientIn(hops: readonly Hop[]): Hop {
    let client: Hop = {};
    for (const hop of hops) {
      client = { ...client, ...hop, address: hop.address };
      if (hop.address === undefined || !this.has(hop.address)) break;
    }
    return client;
  }
}

/** `127.0.0.1`, `::1`, `10.0.0.0/8`; IPv4 addresses also in their IPv6 form. */
function networksOf(listed: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const entry of listed) {
    const [text = "", bits] = entry.split("/");
    const address = plainAddress(text);
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) networks.addAddress(address, family);
    else networks.addSubnet(address, Number(bits), family);
  }
  return networks;
}

/** An IP address, with or without a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`. */
function addressIn(text: string): string | undefined {
  const address = /^\[([^\]]*)\](?::\w+)?$/.exec(text)?.[1] ?? /^([\d.]+):\w+$/.exec(text)?.[1] ?? text;
  const family = isIP(address);
  if (family === 0 || address.includes("%")) return undefined;
  return plainAddress(new SocketAddress({ address, family: family === 6 ? "ipv6" : "ipv4" }).address);
}

const protoIn = (text = ""): string | undefined => (/^https?$/i.test(text) ? text.toLowerCase() : undefined);
const hostIn = (text = ""): string | undefined => (nameIn(text) === undefined ? undefined : text);

/** The items of a header, the newest hop first; undefined without the header. */
function itemsOf({ headers }: IncomingMessage, name: string): string[] | undefined {
  const text = headers[name]?.toString();
  return text
    ?.split(",")
    .map((item) => item.trim())
    .reverse();
}

/** From X-Forwarded-For, -Proto and -Host. A header that a proxy has replaced has fewer items than the others. */
function hopsOfXForwarded(request: IncomingMessage): Hop[] | undefined {
  const [addresses, protos, hosts] = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"].map((name) =>
    itemsOf(request, name),
  );
  if (!addresses && !protos && !hosts) return undefined;
  return (addresses ?? [""]).map((text, index) => ({
    address: addressIn(text),
    ...itemAt("proto", protos?.[index], protoIn),
    ...itemAt("host", hosts?.[index], hostIn),
  }));
}

/** A hop without the item inherits that of the hop after it. */
const itemAt = <Name extends string>(
  name: Name,
  text: string | undefined,
  read: (text: string) => string | undefined,
) => (text === undefined ? {} : ({ [name]: read(text) } as Record<Name, string | undefined>));

const PAIR = /\s*([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w:[\]-]+))\s*(?:([;,])|$)/y;

/** From Forwarded (RFC 7239). A malformed header names no client. */
function hopsOfForwarded({ headers }: IncomingMessage): Hop[] | undefined {
  const { forwarded: text } = headers;
  if (text === undefined) return undefined;
  const hops: Hop[] = [{}];
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length) {
    const [all, name = "", quoted, plain = "", end] = PAIR.exec(text) ?? [];
    if (all === undefined) return [{}];
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    Object.assign(hops[0] as Hop, pairOf(name.toLowerCase(), value));
    if (end === ",") hops.unshift({});
  }
  return hops;
}

function pairOf(name: string, value: string): Hop {
  if (name === "for") return { address: addressIn(value) };
  if (name === "proto") return { proto: protoIn(value) };
  return name === "host" ? { host: hostIn(value) } : {};
}
