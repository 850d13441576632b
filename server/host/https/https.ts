import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { join } from "node:path";
import type { HttpsSetting } from "../../api/queries/operator-settings.ts";
import {
  type CertificateFiles,
  type CertificateProblem,
  CertificateRefused,
  type Credentials,
  credentialsOf,
  loadCertificate,
  markOf,
} from "./certificate-files.ts";
import {
  AUTHORITY_FILE,
  AUTHORITY_FOLDER,
  isDue,
  LocalAuthority,
  loadCertificates,
  type MachineNames,
  machineNames,
} from "./local-authority.ts";

/** Interval of checks for changed addresses, files and dates. */
const CHECK_MS = 3000;

export interface HttpsState {
  readonly use: HttpsSetting["use"];
  /** The certificate that new connections get. */
  readonly certificate: X509Certificate | undefined;
  /** The root certificate of the local authority. */
  readonly root: X509Certificate | undefined;
  /** Why the configured certificate is not in use, in a sentence. */
  readonly problem: string | undefined;
  /** The problem in parts; undefined if a person cannot fix it. */
  readonly refusal: CertificateProblem | undefined;
}

export interface HttpsOptions {
  dataFolder: string;
  setting: () => HttpsSetting;
  now: () => number;
  report: (line: string) => void;
  machine?: (() => MachineNames) | undefined;
  /** Interval of checks for changes, in milliseconds. */
  check?: number | undefined;
}

/**
 * The certificate for new connections. If HTTPS is on but there is no certificate, connections are refused, so that a
 * missing file never leads to unencrypted data.
 */
export class Https {
  readonly #options: HttpsOptions;
  readonly #machine: () => MachineNames;
  /** For example the name that mDNS announces. */
  #moreNames: readonly string[] = [];
  #applied = "";
  #authority: LocalAuthority | undefined;
  #credentials: Credentials | undefined;
  #certificate: X509Certificate | undefined;
  #problem: Error | undefined;
  /** The names in the certificate, or the state of its files. */
  #mark = "";
  #timer: NodeJS.Timeout | undefined;

  private constructor(options: HttpsOptions) {
    this.#options = options;
    this.#machine = options.machine ?? machineNames;
  }

  static async start(options: HttpsOptions): Promise<Https> {
    const https = new Https(options);
    if (options.setting().use === "local authority") await loadCertificates();
    https.refresh();
    return https;
  }

  get isOn(): boolean {
    return this.#options.setting().use !== "off";
  }

  get credentials(): Credentials | undefined {
    return this.#credentials;
  }

  get state(): HttpsState {
    const { use } = this.#options.setting();
    const problem = use === "off" ? undefined : this.#problem;
    return {
      use,
      certificate: this.#certificate,
      root: this.#authority?.root,
      problem: problem?.message,
      refusal: problem instanceof CertificateRefused ? problem.problem : undefined,
    };
  }

  /** The local authority's root; undefined if it is not in use. */
  get root(): X509Certificate | undefined {
    return this.#options.setting().use === "local authority" ? this.#authority?.root : undefined;
  }

  /** Whether new connections get a certificate for this name or IP address. */
  covers(host: string): boolean {
    const certificate = this.#certificate;
    return Boolean(isIP(host) ? certificate?.checkIP(host) : certificate?.checkHost(host));
  }

  set moreNames(names: readonly string[]) {
    this.#moreNames = names;
    this.refresh();
  }

  /** Tries a setting before it is stored. @throws CertificateRefused */
  async try(setting: HttpsSetting): Promise<void> {
    if (setting.use === "files") loadCertificate(setting, this.#options.now());
    if (setting.use !== "local authority") return;
    await loadCertificates();
    this.#ownAuthority();
  }

  /** Applies changes of the setting, the files, the addresses of this machine, and the clock. */
  refresh(): void {
    const setting = this.#options.setting();
    const applied = JSON.stringify(setting);
    if (applied !== this.#applied) {
      this.#applied = applied;
      this.#mark = "";
      this.#credentials = this.#certificate = this.#problem = undefined;
      clearInterval(this.#timer);
      this.#timer =
        setting.use === "off" ? undefined : setInterval(() => this.refresh(), this.#options.check ?? CHECK_MS).unref();
    }
    try {
      if (setting.use === "files") this.#followFiles(setting);
      if (setting.use === "local authority") this.#followNames();
    } catch (error) {
      const problem = error as Error;
      if (this.#problem?.message !== problem.message) this.#options.report(`HTTPS: ${problem.message}`);
      this.#problem = problem;
    }
  }

  #followFiles(files: CertificateFiles): void {
    const mark = markOf(files);
    const hasEnded = this.#certificate && this.#certificate.validToDate.getTime() <= this.#options.now();
    if (mark === this.#mark && !hasEnded) return;
    // Throws until both files match, because a renewal writes them one after the other.
    const { certificate, credentials } = loadCertificate(files, this.#options.now());
    this.#mark = mark;
    this.#present(certificate, credentials);
  }

  #followNames(): void {
    const authority = this.#ownAuthority();
    const names = authority.namesOf(this.#machine(), this.#moreNames);
    const mark = names.join(" ");
    const now = this.#options.now();
    if (mark !== this.#mark || !this.#certificate || isDue(this.#certificate, now)) {
      const { certificate, key } = authority.leaf(names, now);
      this.#mark = mark;
      this.#present(
        certificate,
        credentialsOf(certificate.toString(), key.export({ type: "pkcs8", format: "pem" }).toString()),
      );
    }
    authority.assertBegun(now);
    this.#problem = undefined;
  }

  #ownAuthority(): LocalAuthority {
    const { dataFolder, now } = this.#options;
    try {
      this.#authority ??= this.#reported(LocalAuthority.in(dataFolder, now(), this.#machine()));
    } catch (error) {
      if (error instanceof CertificateRefused) throw error;
      throw new CertificateRefused("unwritable", join(dataFolder, AUTHORITY_FOLDER), (error as Error).message);
    }
    return this.#authority;
  }

  #reported(authority: LocalAuthority): LocalAuthority {
    const file = join(this.#options.dataFolder, AUTHORITY_FOLDER, AUTHORITY_FILE);
    for (const name of authority.topLevelNames)
      this.#options.report(
        `HTTPS: the root in ${file} can vouch for every site in .${name}. Stop Hearth and delete this file for a new root, which each device has to trust again.`,
      );
    return authority;
  }

  #present(certificate: X509Certificate, credentials: Credentials): void {
    this.#certificate = certificate;
    this.#credentials = credentials;
    this.#problem = undefined;
    this.#options.report(`HTTPS: the certificate is for ${certificate.subjectAltName}, until ${certificate.validTo}.`);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
