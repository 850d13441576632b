import ipaddr from "ipaddr.js";
import { badRequest } from "../errors.ts";
import { operatorSetting } from "../queries/operator-settings.ts";
import { ROLES, type User, userById } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Where an outgoing webhook may lead, for the person who picked its address. */
export interface WebhookTargets {
  /** Hosts of the local network, for administrators. */
  privateNetwork: boolean;
  /** Names, addresses and networks that the operator allows, loopback included. */
  listed: readonly string[];
}

/** Judged at each delivery, so that an address loses its network when the person who picked it loses their role. */
export function webhookTargets(reader: Reader, chosenBy: number): WebhookTargets {
  const user = userById(reader, chosenBy);
  return {
    privateNetwork: user?.is_active === true && user.role <= ROLES.administrator,
    listed: operatorSetting(reader, "WEBHOOK_ALLOWED_HOSTS"),
  };
}

const bytesToV4 = (bytes: number[]): ipaddr.IPv4 => new ipaddr.IPv4(bytes);

/** The address that packets really go to: an IPv4 address inside an IPv6 one is taken out of it. */
function unwrapped(address: Address): Address {
  if (address.kind() === "ipv4") return address;
  const v6 = address as ipaddr.IPv6;
  const bytes = v6.toByteArray();
  switch (v6.range()) {
    case "ipv4Mapped": // ::ffff:a.b.c.d
      return v6.toIPv4Address();
    case "rfc6052": // NAT64, 64:ff9b::a.b.c.d
    case "rfc6145": // ::ffff:0:a.b.c.d
      return bytesToV4(bytes.slice(12));
    case "6to4": // 2002:aabb:ccdd::
      return bytesToV4(bytes.slice(2, 6));
    case "unicast": // ::a.b.c.d, IPv4-compatible
      return bytes.slice(0, 12).every((byte) => byte === 0) ? bytesToV4(bytes.slice(12)) : v6;
    default:
      return v6;
  }
}

/** Networks that administrators may name without the operator: those of offices and homes. */
const NETWORK_RANGES: readonly string[] = ["private", "uniqueLocal"];

/** Where clouds answer with credentials; the others of their kind are link-local. */
const METADATA: readonly string[] = ["fd00:ec2::254", "100.100.100.200", "192.0.0.192"];

/** Whether an operator's entry (`192.168.1.0/24`, `127.0.0.1`, `localhost`, each with or without `:port`) means this. */
function isListed(listed: readonly string[], name: string, address: Address, port: number): boolean {
  return listed.some((entry) => {
    const [, host = "", listedPort] =
      /^(\[[^\]]+\](?:\/\d+)?|[^:]+|[0-9a-f:]+(?:\/\d+)?)(?::(\d+))?$/i.exec(entry) ?? [];
    if (listedPort !== undefined && Number(listedPort) !== port) return false;
    const bare = host.replace(/^\[|\]/g, "");
    if (bare.toLowerCase() === name.toLowerCase()) return true;
    if (bare.includes("/") && ipaddr.isValidCIDR(bare)) {
      const [network, bits] = ipaddr.parseCIDR(bare);
      return network.kind() === address.kind() && address.match(network, bits);
    }
    return ipaddr.isValid(bare) && unwrapped(ipaddr.parse(bare)).toString() === address.toString();
  });
}

/**
 * Why a webhook may not connect to this address, in words; undefined where it may. `name`: the host in the URL, of which
 * `address` is one of those that it resolves to.
 */
export function reasonAgainstTarget(
  targets: WebhookTargets,
  { name, address, port, own }: { name: string; address: string; port: number; own: readonly OwnAddress[] },
): string | undefined {
  if (!ipaddr.isValid(address)) return `${address} is not an address.`;
  const real = unwrapped(ipaddr.parse(address));
  if (isListed(targets.listed, name, real, port)) return undefined;
  const range = real.range();
  const isOwn = own.some(
    (one) => one.port === port && unwrapped(ipaddr.parse(one.address)).toString() === real.toString(),
  );
  // Whoever may not reach the local network learns nothing of its addresses from names.
  const leads =
    targets.privateNetwork || ipaddr.isValid(name)
      ? `${name} leads to ${real.toString()}`
      : `${name} leads to an address`;
  if (isOwn) return `${leads}, which is Hearth itself.`;
  if (METADATA.includes(real.toString())) return `${leads}, where machines keep their credentials.`;
  if (NETWORK_RANGES.includes(range))
    return targets.privateNetwork
      ? undefined
      : `${leads} in the local network: an administrator has to choose such an address.`;
  return range === "unicast"
    ? undefined
    : `${leads} (${range}), which webhooks may not reach unless the operator lists it in WEBHOOK_ALLOWED_HOSTS.`;
}

export interface OwnAddress {
  address: string;
  port: number;
}

/**
 * The address that a webhook's messages are to be posted to, as it is stored. What it resolves to is judged at each
 * delivery; an address that stands in it already is judged now.
 */
export function allowedWebhookAddress(reader: Reader, viewer: User, given: string, parameter: string): string {
  const text = given.trim();
  if (text.length > MAX_URL_LENGTH) throw badRequest(`${parameter} is too long: at most ${MAX_URL_LENGTH} characters.`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw badRequest(`${parameter} is not a web address (http:// or https://).`);
  if (url.username !== "" || url.password !== "") throw badRequest(`${parameter} cannot hold a name or a password.`);
  url.hash = "";
  const name = hostnameOf(url);
  if (ipaddr.isValid(name)) {
    const reason = reasonAgainstTarget(webhookTargets(reader, viewer.id), {
      name,
      address: name,
      port: portOf(url),
      own: [],
    });
    if (reason) throw badRequest(`${parameter}: ${reason}`);
  }
  return url.href;
}

const MAX_URL_LENGTH = 2000;

/** Without the brackets of an IPv6 address. */
export const hostnameOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");
export const portOf = (url: URL): number => Number(url.port || (url.protocol === "https:" ? 443 : 80));
