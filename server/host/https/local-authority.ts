import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { BlockList, isIP, isIPv6 } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { realFiles, replaceFile } from "../../storage/files.ts";
import { CertificateRefused } from "./certificate-files.ts";
import type { KeyPair } from "./certificates.ts";

/** In the data folder. */
export const AUTHORITY_FOLDER = "https";
export const AUTHORITY_FILE = "authority.pem";

const DAY = 86_400_000;
/** Long, because after it ends every device has to install a new root. */
const ROOT_DAYS = 20 * 365;
const LEAF_DAYS = 60;
const RENEWED_DAYS_BEFORE = 20;
/** For devices whose clock is behind. */
const BACKDATED_DAYS = 2;
/**
 * A fixed time in the past, so that a root created while the clock is ahead is valid. People install the root by hand, so
 * Hearth cannot replace it after the clock is corrected.
 */
const ROOT_FROM = new Date("2024-01-01T00:00:00Z");

/** Networks without sites on the internet. Every root permits them. */
const PRIVATE_NETWORKS = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "100.64.0.0/10",
  "::1/128",
  "fc00::/7",
];

/** Names without sites on the internet, including all names below them (RFC 6762, RFC 6761, RFC 8375). */
const PRIVATE_NAMES = ["local", "localhost", "home.arpa"];

const family = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), family(address));
  }
  return list;
}

/** The names and addresses by which other devices reach this machine. */
export interface MachineNames {
  readonly hostname: string;
  readonly addresses: readonly string[];
}

export const machineNames = (): MachineNames => ({
  hostname: hostname(),
  addresses: Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address)),
});

let certificates: typeof import("./certificates.ts") | undefined;

/** Await it before an authority is created or signs. Other starts skip the ASN.1 library: 30 ms and 7 MB. */
export async function loadCertificates(): Promise<void> {
  certificates ??= await import("./certificates.ts");
}

function loadedCertificates(): typeof import("./certificates.ts") {
  if (!certificates) throw new Error("Await loadCertificates first.");
  return certificates;
}

/** A certificate authority for one machine. Its root stays, and it renews the server's certificate. */
export class LocalAuthority {
  readonly #root: KeyPair;
  /** Names that the root permits, including all names below them. */
  readonly #names: readonly string[];
  readonly #networks: BlockList;
  readonly #path: string;

  private constructor(path: string, root: KeyPair, permitted: readonly string[]) {
    this.#path = path;
    this.#root = root;
    this.#names = permitted.filter((one) => !one.includes("/"));
    this.#networks = listOf(permitted.filter((one) => one.includes("/")));
  }

  /** Creates the authority on first use. @throws CertificateRefused, and disk errors */
  static in(dataFolder: string, now: number, machine: MachineNames = machineNames()): LocalAuthority {
    const folder = join(dataFolder, AUTHORITY_FOLDER);
    const path = join(folder, AUTHORITY_FILE);
    if (existsSync(path)) return LocalAuthority.#read(path);
    const names = [...new Set([...PRIVATE_NAMES, ...ownDomain(machine.hostname)])];
    // Unique, because devices list roots of several machines by name.
    const name = `Hearth on ${machine.hostname.slice(0, 40) || "this machine"} (${randomBytes(2).toString("hex")})`;
    // Some organizations use public addresses. Permits those of this machine only.
    const networks = [...PRIVATE_NETWORKS, ...publicNetworks(machine.addresses)];
    const root = loadedCertificates().makeRoot({ name, names, networks, ...lifetime(now, ROOT_DAYS), from: ROOT_FROM });
    const permitted = [...names, ...networks];
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    const text = `${root.certificate.toString()}${root.key.export({ type: "pkcs8", format: "pem" })}# ${permitted.join(" ")}\n`;
    replaceFile(realFiles, folder, AUTHORITY_FILE, Buffer.from(text));
    chmodSync(path, 0o600);
    return new LocalAuthority(path, root, permitted);
  }

  /** Undefined if there is none. @throws CertificateRefused */
  static existing(dataFolder: string): LocalAuthority | undefined {
    const path = join(dataFolder, AUTHORITY_FOLDER, AUTHORITY_FILE);
    return existsSync(path) ? LocalAuthority.#read(path) : undefined;
  }

  static #read(path: string): LocalAuthority {
    try {
      const text = readFileSync(path, "utf8");
      const [, permitted = ""] = /^# (.*)$/m.exec(text) ?? [];
      const root = { certificate: new X509Certificate(text), key: createPrivateKey(text) };
      if (!root.certificate.checkPrivateKey(root.key)) throw new Error("its key belongs to another certificate");
      if (!root.certificate.verify(root.certificate.publicKey)) throw new Error("its signature is wrong");
      return new LocalAuthority(path, root, permitted.split(" "));
    } catch (cause) {
      const why = (cause as Error).message;
      throw new CertificateRefused("authority", path, why);
    }
  }

  get root(): X509Certificate {
    return this.#root.certificate;
  }

  /** Permitted names that are, or could become, top-level domains. Only roots of older versions have such names. */
  get topLevelNames(): string[] {
    return this.#names.filter((name) => !name.includes(".") && !PRIVATE_NAMES.includes(name));
  }

  /** Devices reject a root before its start. @throws CertificateRefused */
  assertBegun(now: number): void {
    const { validFromDate: from } = this.root;
    if (from.getTime() > now)
      throw new CertificateRefused("early authority", this.#path, from.toISOString().slice(0, 10));
  }

  /** The names for a certificate. A name that the root does not permit would invalidate the whole certificate. */
  namesOf({ hostname, addresses }: MachineNames, more: readonly string[] = []): string[] {
    const own = hostNames(hostname);
    const [short] = own.slice(-1);
    const named = ["localhost", ...own, ...(short ? [`${short}.local`] : []), ...more].filter((name) =>
      this.#permits(name),
    );
    const reached = ["127.0.0.1", "::1", ...addresses].filter((address) =>
      this.#networks.check(address, family(address)),
    );
    return [...new Set([...named, ...reached])];
  }

  #permits(name: string): boolean {
    return this.#names.some((permitted) => name === permitted || name.endsWith(`.${permitted}`));
  }

  leaf(names: readonly string[], now: number): KeyPair {
    const until = Math.min(now + LEAF_DAYS * DAY, this.root.validToDate.getTime());
    const name = names.find((one) => isIP(one) === 0 && one !== "localhost") ?? "Hearth";
    return loadedCertificates().makeLeaf(this.#root, {
      name,
      names,
      ...lifetime(now, LEAF_DAYS),
      until: new Date(until),
    });
  }
}

/** Whether the certificate must be renewed now. */
export const isDue = ({ validFromDate, validToDate }: X509Certificate, now: number): boolean =>
  now > validToDate.getTime() - RENEWED_DAYS_BEFORE * DAY || now < validFromDate.getTime();

const lifetime = (now: number, days: number) => ({
  from: new Date(now - BACKDATED_DAYS * DAY),
  until: new Date(now + days * DAY),
});

/** Without link-local IPv6 addresses, which cannot be in a URL. */
const publicNetworks = (addresses: readonly string[]): string[] => {
  const known = listOf([...PRIVATE_NETWORKS, "fe80::/10"]);
  return addresses
    .filter((address) => !known.check(address, family(address)))
    .map((address) => `${address}/${isIPv6(address) ? 128 : 32}`);
};

/** The full name of a machine, and the name without its domain. Empty if it is not a DNS name. */
function hostNames(name: string): string[] {
  const whole = name.toLowerCase().replace(/\.$/, "");
  const short = whole.split(".")[0] as string;
  return [...new Set([whole, short])].filter((one) => /^[a-z0-9]([a-z0-9.-]{0,200}[a-z0-9])?$/.test(one) && !isIP(one));
}

/** Country domains below which names are registered: co.uk, com.au. */
const REGISTRY = /^(?:ac|co|com|edu|gob|gov|go|mil|ne|net|or|org)\.[a-z]{2}$/;

/**
 * The full name of a machine, if it has a domain. A constraint also permits all names below it. So for a machine called
 * `dev`, the root would permit every site in .dev.
 */
const ownDomain = (name: string): string[] => hostNames(name).filter((one) => one.includes(".") && !REGISTRY.test(one));
