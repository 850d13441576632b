import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createSecureContext } from "node:tls";

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

export interface LoadedCertificate {
  readonly certificate: X509Certificate;
  readonly credentials: Credentials;
}

export interface Credentials {
  readonly cert: string;
  readonly key: string;
  readonly minVersion: "TLSv1.2";
}

/** The oldest systems that still get updates need TLS 1.2. */
export const credentialsOf = (cert: string, key: string): Credentials => ({ cert, key, minVersion: "TLSv1.2" });

/** Limits memory if someone chooses a wrong file. */
const MAX_BYTES = 1 << 20;

export const CERTIFICATE_PROBLEMS = [
  "missing",
  "forbidden",
  "unreadable",
  "too large",
  "no certificate",
  "no key",
  "locked key",
  "other key",
  "ended",
  "not yet",
  "unusable",
  "authority",
  "early authority",
  "unwritable",
] as const;

export interface CertificateProblem {
  readonly code: (typeof CERTIFICATE_PROBLEMS)[number];
  readonly file: string;
  /** A day, the other file, a system message, or "". */
  readonly detail: string;
}

/** The message is for the person who chose the files. */
export class CertificateRefused extends Error {
  readonly problem: CertificateProblem;
  constructor(code: CertificateProblem["code"], file: string, detail = "") {
    super(WORDS[code](file, detail));
    this.problem = { code, file, detail };
  }
}

const WORDS: Record<CertificateProblem["code"], (file: string, detail: string) => string> = {
  missing: (file) => `There is no file ${file}.`,
  forbidden: (file) => `Hearth may not read ${file}.`,
  unreadable: (file, why) => `${file} cannot be read: ${why}.`,
  "too large": (file) => `${file} is too large for a certificate or a key.`,
  "no certificate": (file) => `${file} holds no certificate in PEM form ("-----BEGIN CERTIFICATE-----").`,
  "no key": (file) => `${file} holds no private key in PEM form ("-----BEGIN PRIVATE KEY-----").`,
  "locked key": (file) => `The key in ${file} is locked by a passphrase, which nobody could type at a start.`,
  "other key": (file, certificate) => `The key in ${file} does not belong to the certificate in ${certificate}.`,
  ended: (file, when) => `The certificate in ${file} ended on ${when}.`,
  "not yet": (file, when) => `The certificate in ${file} begins only on ${when}.`,
  unusable: (file, why) => `The certificate in ${file} cannot be used: ${why}.`,
  authority: (file, why) =>
    `${file} cannot be used: ${why}. Put it back from a copy, or delete it for a new authority, which each device has to trust anew.`,
  "early authority": (file, when) =>
    `The authority in ${file} is valid only from ${when}. This computer's clock was ahead when it was made, or is behind now. If the clock is right, delete the file for a new authority, which each device has to trust again.`,
  unwritable: (file, why) => `${file} cannot be written: ${why}.`,
};

/** Reads a certificate, with its chain, and its key. @throws CertificateRefused */
export function loadCertificate(files: CertificateFiles, now: number): LoadedCertificate {
  const chain = textOf(files.certificate);
  const certificate = certificateIn(chain, files.certificate);
  const keyText = textOf(files.key);
  const key = keyIn(keyText, files.key);
  if (!certificate.checkPrivateKey(key)) throw new CertificateRefused("other key", files.key, files.certificate);
  if (certificate.validToDate.getTime() <= now)
    throw new CertificateRefused("ended", files.certificate, day(certificate.validToDate));
  if (certificate.validFromDate.getTime() > now)
    throw new CertificateRefused("not yet", files.certificate, day(certificate.validFromDate));
  try {
    const credentials = credentialsOf(chain, keyText);
    createSecureContext(credentials); // refuses here, instead of at each connection
    return { certificate, credentials };
  } catch (error) {
    throw new CertificateRefused("unusable", files.certificate, (error as Error).message);
  }
}

/** Changes when a file changes. */
export function markOf({ certificate, key }: CertificateFiles): string {
  return [certificate, key]
    .map((path) => {
      const { mtimeMs = 0, size = 0, ino = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return `${mtimeMs} ${size} ${ino}`;
    })
    .join(", ");
}

function textOf(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new CertificateRefused("too large", path);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof CertificateRefused) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") throw new CertificateRefused("missing", path);
    if (code === "EACCES" || code === "EPERM") throw new CertificateRefused("forbidden", path);
    throw new CertificateRefused("unreadable", path, message);
  }
}

function certificateIn(text: string, path: string): X509Certificate {
  try {
    if (text.includes("-----BEGIN CERTIFICATE-----")) return new X509Certificate(text);
  } catch {
    // refused below
  }
  throw new CertificateRefused("no certificate", path);
}

function keyIn(text: string, path: string): KeyObject {
  if (/-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(text)) throw new CertificateRefused("locked key", path);
  try {
    return createPrivateKey(text);
  } catch {
    throw new CertificateRefused("no key", path);
  }
}

const day = (date: Date): string => date.toISOString().slice(0, 10);
