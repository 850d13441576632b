import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { ApiError, type Problem, problem, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { operatorSetting } from "../queries/operator-settings.ts";
import { ROLES, type User, userById } from "../queries/users.ts";
import { type Interfaces, type IpAddress, isOnLink, isOwnAddress, realAddress } from "./own-network.ts";

/** Which hosts an outgoing webhook can reach. It depends on the person who chose the URL. */
export interface WebhookTargets {
  /** Administrators can choose hosts in the local network. */
  privateNetwork: boolean;
  /** Names, addresses and networks that the operator allows. Only these can lead to this machine. */
  listed: readonly string[];
}

/** Checked at each delivery, so that the webhook loses access when that person loses their role. */
export function webhookTargets(reader: Reader, chosenBy: number): WebhookTargets {
  const user = userById(reader, chosenBy);
  return {
    privateNetwork: user?.is_active === true && user.role <= ROLES.administrator,
    listed: operatorSetting(reader, "WEBHOOK_ALLOWED_HOSTS"),
  };
}

/** Private networks, which administrators can use without the operator. */
const NETWORK_RANGES: readonly string[] = ["private", "uniqueLocal"];

/** Metadata services of clouds, which return credentials. Others are link-local. */
const METADATA: readonly string[] = ["fd00:ec2::254", "100.100.100.200", "192.0.0.192", "168.63.129.16"];

/**
 * Whether an entry of the operator allows the target. Entries are hosts, addresses or networks, each with an optional
 * `:port`. A network does not allow this machine's own address; that needs an entry of its own.
 */
function isListed(listed: readonly string[], { name, port, real, isOwn }: Target): boolean {
  return listed.some((entry) => {
    const [, host = "", listedPort] =
      /^(\[[^\]]+\](?:\/\d+)?|[^:]+|[0-9a-f:]+(?:\/\d+)?)(?::(\d+))?$/i.exec(entry) ?? [];
    if (listedPort !== undefined && Number(listedPort) !== port) return false;
    const bare = host.replace(/[[\]]/g, "");
    if (bare.toLowerCase() === name.toLowerCase()) return true;
    if (!bare.includes("/") || !ipaddr.isValidCIDR(bare)) return realAddress(bare)?.toString() === real.toString();
    const [network, bits] = ipaddr.parseCIDR(bare);
    if (network.kind() !== real.kind() || !real.match(network, bits)) return false;
    return !isOwn || network.range() === "loopback" || bits === real.toByteArray().length * 8;
  });
}

interface Target {
  /** The URL's hostname. */
  name: string;
  port: number;
  real: IpAddress;
  isOwn: boolean;
}

export interface Connection {
  /** The URL's hostname. */
  name: string;
  port: number;
  /** The hostname itself, or an address that it resolves to. */
  address: string;
  interfaces: Interfaces;
  /** The result of `isRoutedHere`. */
  isRoutedHere?: boolean;
}

/** The reason why the webhook cannot connect, or undefined. */
export function reasonAgainstTarget(
  targets: WebhookTargets,
  { name, port, address, interfaces, isRoutedHere = false }: Connection,
): Problem | undefined {
  const real = realAddress(address);
  if (!real) return problem("invalid_ip_address", { address });
  const isOwn = isRoutedHere || isOwnAddress(real, interfaces);
  if (isListed(targets.listed, { name, port, real, isOwn })) return undefined;
  const range = real.range();
  const isPrivate = NETWORK_RANGES.includes(range);
  // People who cannot reach the local network must not learn its addresses from DNS names.
  const isShown = targets.privateNetwork || ipaddr.isValid(name);
  const target = isShown && name !== real.toString() ? `${name} (${real})` : name;
  if (range !== "unicast" && !isPrivate) return problem("webhook_address_blocked", { target, range });
  if (isOwn) return problem("webhook_address_is_server", { target });
  if (METADATA.includes(real.toString())) return problem("webhook_address_is_metadata", { target });
  if ((isPrivate || isOnLink(real, interfaces)) && !targets.privateNetwork)
    return problem("webhook_address_is_local", { target });
  return undefined;
}

/**
 * Validates the URL of an outgoing webhook. A literal IP address is checked now; a hostname is checked at each
 * delivery.
 */
export function allowedWebhookAddress(reader: Reader, viewer: User, given: string, parameter: string): string {
  const text = given.trim();
  if (text.length > MAX_URL_LENGTH)
    throw refusedParameter(parameter, "webhook_url_too_long", { count: MAX_URL_LENGTH });
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw refusedParameter(parameter, "invalid_webhook_url");
  if (url.username !== "" || url.password !== "") throw refusedParameter(parameter, "webhook_url_has_credentials");
  url.hash = "";
  const name = hostnameOf(url);
  if (ipaddr.isValid(name)) {
    const reason = reasonAgainstTarget(webhookTargets(reader, viewer.id), {
      name,
      address: name,
      port: portOf(url),
      interfaces: networkInterfaces(),
    });
    if (reason) throw new ApiError("BAD_REQUEST", reason, { var_name: parameter });
  }
  return url.href;
}

const MAX_URL_LENGTH = 2000;

/** Removes the brackets of an IPv6 address. */
const hostnameOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");
const portOf = (url: URL): number => Number(url.port || (url.protocol === "https:" ? 443 : 80));
