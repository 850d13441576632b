import { createSocket } from "node:dgram";
import { isIP, isIPv6 } from "node:net";
import type { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/*
 * Detects addresses of this machine and its networks, for connections to URLs that users choose. The result changes
 * when the machine joins another network, so check each connection.
 */

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
export type Interfaces = ReturnType<typeof networkInterfaces>;

/**
 * Extracts an IPv4 address that is embedded in an IPv6 address. Returns undefined for text that is not an IP address.
 */
export function realAddress(text: string): IpAddress | undefined {
  const bare = text.replace(/%.*$/, ""); // The zone selects an interface and is not part of the address.
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

/** 0.0.0.0 and :: also lead to loopback. */
const leadsToLoopback = (address: IpAddress): boolean => ["loopback", "unspecified"].includes(address.range());

/** `isRoutedHere` also covers interfaces without a carrier. */
export function isOwnAddress(address: IpAddress, interfaces: Interfaces): boolean {
  return leadsToLoopback(address) || infosOf(interfaces).some((info) => isSame(address, realAddress(info.address)));
}

/** IPv6 networks have 64 bits. DHCPv6 gives an address as /128, so use at most 64 bits of the prefix. */
const MAX_IPV6_PREFIX = 64;

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
 * Whether the system routes packets for this address to this machine. Node does not list interfaces without a carrier,
 * such as an unplugged cable, but their addresses still lead here.
 * Connecting a UDP socket sends nothing, but makes the system choose the source address. For an address of this machine
 * it is that address or loopback.
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
    return false; // There is no route, so a connection would fail too.
  } finally {
    socket.close();
  }
}
