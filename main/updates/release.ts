import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { z } from "zod";
import type { UpdateProblem } from "../bridge-types.ts";
import { readText } from "./download.ts";
import { UpdateRefused } from "./refused.ts";

// A feed is a folder from electron-builder, on the web or on disk: a file that describes the newest release, and its
// installers. Hearth adds a signature of the file (docs/SECURITY.md#updates). So only the owner of the private key decides
// what is installed, because the file contains the checksum of each installer.

export interface ReleaseFile {
  /** File name in the feed. */
  readonly url: string;
  /** In base64. */
  readonly sha512: string;
  /** In bytes. */
  readonly size: number;
}

export interface Release {
  readonly version: string;
  /** Plain text, or empty. */
  readonly notes: string;
  /** Milliseconds since the epoch; null if unknown. */
  readonly madeAt: number | null;
  readonly files: readonly ReleaseFile[];
}

const MAX_RELEASE_BYTES = 256 << 10;
const MAX_INSTALLER_BYTES = 4 * 1024 ** 3;
const MAX_NOTES = 20_000;
const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,64}))?$/;

const note = z.object({ note: z.string().nullish() });
const releaseFile = z.object({
  version: z.string().regex(VERSION),
  files: z
    .array(
      z.object({
        // A plain name, so that it cannot point to another folder or server.
        url: z.string().regex(/^\w[\w.+~() -]{0,199}$/),
        sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
        size: z.int().min(1).max(MAX_INSTALLER_BYTES),
      }),
    )
    .min(1)
    .max(50),
  releaseNotes: z.union([z.string(), z.array(note).max(100)]).nullish(),
  releaseDate: z.string().nullish(),
});

/** The file name that electron-builder uses for this system and processor. */
export function releaseFileName(platform: NodeJS.Platform, arch: string): string {
  if (platform === "darwin") return "latest-mac.yml";
  if (platform !== "linux") return "latest.yml";
  return arch === "x64" ? "latest-linux.yml" : `latest-linux-${arch}.yml`;
}

/** An Ed25519 key: 32 bytes in base64. @throws UpdateRefused */
export function updateKey(text: string): KeyObject {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) throw new UpdateRefused("key");
  const x = Buffer.from(text, "base64").toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

/** The URL of the feed must end with "/". @throws UpdateRefused */
export async function readRelease(
  feed: URL,
  { key, fileName, signal }: { key: KeyObject; fileName: string; signal: AbortSignal },
): Promise<Release> {
  const read = (name: string, missing: UpdateProblem["code"]) =>
    readText(new URL(name, feed), { limit: MAX_RELEASE_BYTES, missing, signal });
  const text = await read(fileName, "noRelease");
  const signature = Buffer.from(await read(`${fileName}.sig`, "noSignature"), "base64");
  if (!verify(null, Buffer.from(text), key, signature)) throw new UpdateRefused("wrongSignature");
  return parsed(text, fileName, feed);
}

async function parsed(text: string, fileName: string, feed: URL): Promise<Release> {
  // Lazy, because most starts never read a feed.
  const { parseUpdateInfo } = await import("electron-updater/out/providers/Provider.js");
  let found: unknown;
  try {
    found = parseUpdateInfo(text, fileName, feed);
  } catch {
    throw new UpdateRefused("malformed", { detail: fileName });
  }
  const { success, data, error } = releaseFile.safeParse(found);
  if (!success) throw new UpdateRefused("malformed", { detail: error.issues[0]?.path.join(".") || fileName });
  const { version, files, releaseNotes, releaseDate } = data;
  const notes = Array.isArray(releaseNotes) ? releaseNotes.map((one) => one.note ?? "").join("\n\n") : releaseNotes;
  const madeAt = Date.parse(releaseDate ?? "");
  return { version, files, notes: plain(notes ?? ""), madeAt: Number.isNaN(madeAt) ? null : madeAt };
}

/** Removes control characters, because a change of the writing direction could change the meaning. */
const plain = (text: string): string =>
  text
    .replaceAll(/[^\P{C}\n\t]/gu, "")
    .trim()
    .slice(0, MAX_NOTES);

/** Negative if the first version is older, by semantic versioning. */
export function compareVersions(first: string, second: string): number {
  const [a = [], b = []] = [first, second].map((version): string[] => VERSION.exec(version) ?? []);
  for (const part of [1, 2, 3]) {
    const difference = Number(a[part]) - Number(b[part]);
    if (difference !== 0) return difference;
  }
  return comparePreReleases(a[4], b[4]);
}

/** A release is newer than its pre-releases. */
function comparePreReleases(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const [first, second] = [a.split("."), b.split(".")];
  for (const [index, one] of first.entries()) {
    const other = second[index];
    if (other === undefined) return 1;
    if (one === other) continue;
    const [isNumber, isOtherNumber] = [one, other].map((part) => /^\d+$/.test(part));
    if (isNumber && isOtherNumber) return Number(one) - Number(other);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return first.length - second.length;
}
