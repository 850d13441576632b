import { extname } from "node:path";
import type { Installation } from "../bridge-types.ts";
import { INSTALLER_ENDINGS, installerFor } from "./installation.ts";
import { UpdateRefused } from "./refused.ts";
import { compareVersions, type Release, readRelease, releaseFileName, updateKey } from "./release.ts";

export interface RunningVersion {
  version: string;
  installation: Installation | null;
  platform: NodeJS.Platform;
  arch: string;
  /** macOS: whether the system allows replacing this program. */
  isSigned(): Promise<boolean>;
}

/** A newer release, reduced to the file for this installation. */
export interface FoundUpdate {
  release: Release;
  feed: URL;
  /** Size of the file in bytes. */
  size: number;
}

/**
 * The newest release of a feed; undefined if it is the running version. `name` selects the installer, instead of an
 * automatic choice. @throws UpdateRefused, or the signal's reason.
 */
export async function findUpdate(
  feed: URL,
  about: { running: RunningVersion; key: string | null; name: string | undefined; signal: AbortSignal },
): Promise<FoundUpdate | undefined> {
  const { running, key, name, signal } = about;
  const { installation, version, platform, arch } = running;
  if (key === null) throw new UpdateRefused("noKey");
  if (installation === null) throw new UpdateRefused("notInstalled");
  if (installation === "mac" && !(await running.isSigned())) throw new UpdateRefused("unsigned");
  const ending = INSTALLER_ENDINGS[installation];
  if (name !== undefined && extname(name).toLowerCase() !== ending.toLowerCase())
    throw new UpdateRefused("otherKind", { detail: ending });
  const fileName = releaseFileName(platform, arch);
  const release = await readRelease(feed, { key: updateKey(key), fileName, signal });
  const files = release.files.filter(({ url }) => name === undefined || url === name);
  if (name !== undefined && files.length === 0) throw new UpdateRefused("otherFile", { detail: name });
  const order = compareVersions(release.version, version);
  if (order < 0) throw new UpdateRefused("older", { detail: release.version });
  if (order === 0) return undefined;
  const file = installerFor(files, { ending, arch });
  if (!file) throw new UpdateRefused("noFile", { detail: ending });
  return { release: { ...release, files: [file] }, feed, size: file.size };
}

/** @throws UpdateRefused if this is not a web URL. */
export function feedOf(address: string): URL {
  const url = URL.parse(address);
  if (
    !url ||
    !["http:", "https:"].includes(url.protocol) ||
    url.username !== "" ||
    url.search !== "" ||
    url.hash !== ""
  )
    throw new UpdateRefused("address", { detail: address.slice(0, 200) });
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}
