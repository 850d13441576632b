import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { BlockList, isIP, isIPv6 } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { realFiles, replaceFile } from "../../storage/files.ts";
import { CertificateRefused } from "./certificate-files.ts";
import type { KeyPair } from "./certificates.ts";

/** Of the data folder. */
export const AUTHORITY_FOLDER = "https";
export const AUTHORITY_FILE = "authority.pem";

const DAY = 86_400_000;
/** Devices that have installed the root go on trusting it; beyond its end all of them would have to do it again. */
const ROOT_DAYS = 20 * 365;
const LEAF_DAYS = 60;
const RENEWED_DAYS_BEFORE = 20;
/** For clocks that are behind. */
const BACKDATED_DAYS = 2;
/**
 * Before any Hearth: a root that is made while the clock is ahead is valid all the same. Each device installs it by hand,
 * so Hearth cannot replace it when the clock is right again.
 */
const ROOT_FROM = new Date("2024-01-01T00:00:00Z");

/** Networks whose addresses no site of the internet has: every root may vouch for these. */
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

/** Names that no site of the internet has, with all names below them (RFC 6762, RFC 6761, RFC 8375). */
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

/** By what other devices reach this machine. */
export interface MachineNames {
  readonly hostname: string;
  readonly addresses: readonly string[];
}

export const machineNames = (): MachineNames => ({
  hostname: hostname(),
  addresses: Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address)),
});

let certificates: typeof import("./certificates.ts") | undefined;

/** Must end before an authority is created or signs. The ASN.1 library costs 30 ms and 7 MB, so other starts skip it. */
export async function loadCertificates(): Promise<void> {
  certificates ??= await import("./certificates.ts");
}

function loadedCertificates(): typeof import("./certificates.ts") {
  if (!certificates) throw new Error("Await loadCertificates first.");
  return certificates;
}

/** The authority that Hearth makes for one machine. Its root stays; the server's certificate is made anew at will. */
export class LocalAuthority {
  readonly #root: KeyPair;
  /** Names that the root may vouch for, with all names below them. */
  readonly #names: readonly string[];
  readonly #networks: BlockList;

  readonly #path: string;

  private constructor(path: string, root: KeyPair, permitted: readonly string[]) {
    this.#path = path;
    this.#root = root;
    this.#names = permitted.filter((one) => !one.includes("/"));
    this.#networks = listOf(permitted.filter((one) => one.includes("/")));
  }

  /** Of this data folder; made at the first use. @throws CertificateRefused, and the errors of the disk */
  static in(dataFolder: string, now: number, machine: MachineNames = machineNames()): LocalAuthority {
    const folder = join(dataFolder, AUTHORITY_FOLDER);
    const path = join(folder, AUTHORITY_FILE);
    if (existsSync(path)) return LocalAuthority.#read(path);
    const names = [...new Set([...PRIVATE_NAMES, ...ownDomain(machine.hostname)])];
    // A device lists it by its name, beside those of other machines.
    const name = `Hearth on ${machine.hostname.slice(0, 40) || "this machine"} (${randomBytes(2).toString("hex")})`;
    // Some organizations give their computers addresses of the internet: those of this one, and no others.
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

  /** Of this data folder; undefined if none was made. @throws CertificateRefused */
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

  /**
   * Top-level domains, or names that could become some, below which the root can vouch for everything. Only roots that an
   * older Hearth made on a machine without a domain have one.
   */
  get topLevelNames(): string[] {
    return this.#names.filter((name) => !name.includes(".") && !PRIVATE_NAMES.includes(name));
  }

  /** No device accepts a root before its time. @throws CertificateRefused */
  assertBegun(now: number): void {
    const { validFromDate: from } = this.root;
    if (from.getTime() > now)
      throw new CertificateRefused("early authority", this.#path, from.toISOString().slice(0, 10));
  }

  /** The names that a certificate can hold. A name that the root cannot vouch for would void the whole certificate. */
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

/** Whether a certificate of the authority is to be made anew now. */
export const isDue = ({ validFromDate, validToDate }: X509Certificate, now: number): boolean =>
  now > validToDate.getTime() - RENEWED_DAYS_BEFORE * DAY || now < validFromDate.getTime();

const lifetime = (now: number, days: number) => ({
  from: new Date(now - BACKDATED_DAYS * DAY),
  until: new Date(now + days * DAY),
});

/** Link-local addresses of IPv6 stand in no URL. */
const publicNetworks = (addresses: readonly string[]): string[] => {
  const known = listOf([...PRIVATE_NETWORKS, "fe80::/10"]);
  return addresses
    .filter((address) => !known.check(address, family(address)))
    .map((address) => `${address}/${isIPv6(address) ? 128 : 32}`);
};

/** The name of a machine, whole and without its domain; none if it is not a DNS name. */
function hostNames(name: string): string[] {
  const whole = name.toLowerCase().replace(/\.$/, "");
  const short = whole.split(".")[0] as string;
  return [...new Set([whole, short])].filter((one) => /^[a-z0-9]([a-z0-9.-]{0,200}[a-z0-9])?$/.test(one) && !isIP(one));
}

/** Where countries register names: co.uk, com.au. */
const REGISTRY = /^(?:ac|co|com|edu|gob|gov|go|mil|ne|net|or|org)\.[a-z]{2}$/;

/**
 * The whole name of a machine, if it has a domain. A constraint covers all names below the one that it names, so a name
 * without a domain is left out: for a machine called `dev`, the root could vouch for every site in .dev.
 */
const ownDomain = (name: string): string[] => hostNames(name).filter((one) => one.includes(".") && !REGISTRY.test(one));
