import { createSocket } from "node:dgram";
import { isIP, isIPv6 } from "node:net";
import type { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/*
 * Decides what this machine and its own network are, for everything that connects to an address somebody chose. The
 * answer changes while the server runs (a laptop joins another network), so callers ask again for each connection.
 */

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
export type Interfaces = ReturnType<typeof networkInterfaces>;

/**
 * The address that packets really go to: an IPv4 address that is embedded in an IPv6 address is taken out of it.
 * Undefined for text that is not an IP address.
 */
export function realAddress(text: string): IpAddress | undefined {
  const bare = text.replace(/%.*$/, ""); // a zone picks an interface and is no part of the address
  if (!ipaddr.isValid(bare)) return undefined;
  const address = ipaddr.parse(bare);
  if (address.kind() === "ipv4") return address;
  const v6 = address as ipaddr.IPv6;
  const bytes = v6.toByteArray();
  switch (v6.range()) {
    case "ipv4Mapped": // ::ffff:a.b.c.d
    case "rfc6145": // ::ffff:0:a.b.c.d
      return new ipaddr.IPv4(bytes.slice(12));
    case "rfc6052": // NAT64. In 64:ff9b:1::/48 only the network knows which bits are the IPv4 address.
      return v6.parts[2] === 0 ? new ipaddr.IPv4(bytes.slice(12)) : v6;
    case "6to4": // 2002:aabb:ccdd::
      return new ipaddr.IPv4(bytes.slice(2, 6));
    case "unicast": // ::a.b.c.d, IPv4-compatible
      return bytes.slice(0, 12).every((byte) => byte === 0) ? new ipaddr.IPv4(bytes.slice(12)) : v6;
    default:
      return v6;
  }
}

const isSame = (a: IpAddress, b: IpAddress | undefined): boolean => a.toString() === b?.toString();

/** 0.0.0.0 and :: lead to loopback, too. */
export const leadsToLoopback = (address: IpAddress): boolean => ["loopback", "unspecified"].includes(address.range());

/** Whether this machine has the address. `isRoutedHere` also knows the addresses of interfaces without a carrier. */
export function isOwnAddress(address: IpAddress, interfaces: Interfaces): boolean {
  return leadsToLoopback(address) || infosOf(interfaces).some((info) => isSame(address, realAddress(info.address)));
}

/**
 * IPv6 networks have 64 bits. An address from DHCPv6 comes without its network, as /128, so the prefix of an interface
 * never counts as longer than that.
 */
const MAX_IPV6_PREFIX = 64;

/** Whether the address is in a network that an interface of this machine is part of, by whatever range. */
export function isOnLink(address: IpAddress, interfaces: Interfaces): boolean {
  return infosOf(interfaces).some(({ cidr, internal }) => {
    if (internal || !cidr || !ipaddr.isValidCIDR(cidr)) return false;
    const [network, bits] = ipaddr.parseCIDR(cidr);
    if (network.kind() !== address.kind()) return false;
    return address.match(network, network.kind() === "ipv6" ? Math.min(bits, MAX_IPV6_PREFIX) : bits);
  });
}

const infosOf = (interfaces: Interfaces) => Object.values(interfaces).flatMap((infos = []) => infos);

/**
 * Whether the system would deliver packets for this address to this machine itself. Node does not list interfaces
 * without a carrier (an unplugged cable, a bridge of containers that has none), but their addresses lead here all the
 * same. Connecting a UDP socket sends nothing, and the system picks the source address: for one of its own addresses,
 * that address or one of loopback.
 */
export async function isRoutedHere(address: string): Promise<boolean> {
  if (isIP(address) === 0) return false;
  const socket = createSocket(isIPv6(address) ? "udp6" : "udp4");
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.connect(9, address, (error?: Error) => (error ? reject(error) : resolve()));
    });
    const source = realAddress(socket.address().address);
    return source !== undefined && (isSame(source, realAddress(address)) || source.range() === "loopback");
  } catch {
    return false; // there is no route: a connection would fail as well
  } finally {
    socket.close();
  }
}
