/*
 * What the system refuses, in words for people. Errors of Node's fs do not name the file if they come from an open file:
 * storage/files.ts adds it.
 */

type SystemError = NodeJS.ErrnoException;

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "there is no room left on its disk",
  EDQUOT: "there is no room left on its disk",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "its disk takes no changes",
  ENOENT: "it is not there",
  ENOTDIR: "a part of its path is a file",
  EISDIR: "it is a folder",
  EIO: "its disk reports errors",
};

/** Why a file or folder cannot be used: the end of a sentence that names it. */
export const reasonOf = (error: unknown): string | undefined => REASONS[(error as SystemError).code ?? ""];

const TEXTS: Readonly<Record<string, string>> = {
  ENOSPC: "There is no room left on its disk. Make room there, and try again.",
  EDQUOT: "There is no room left on its disk. Make room there, and try again.",
  EACCES: "This user may not read and write it. Give it to the user that Hearth runs as.",
  EPERM: "This user may not read and write it. Give it to the user that Hearth runs as.",
  EROFS: "Its disk takes no changes. Make the disk writable, or use another one.",
  ENOENT: "It is not there. Check its path, and whether its disk is connected.",
  ENOTDIR: "A part of its path is a file. Check the path.",
  EISDIR: "It is a folder. Give the path of a file.",
  EIO: "Its disk reports errors. Copy the data folder to another disk, and check this one.",
};

/** An error of the system about a file or folder, as sentences that name it; undefined for any other error. */
export function diskErrorText(error: unknown): string | undefined {
  const { path, syscall, code = "" } = error as SystemError;
  if (path === undefined || syscall === undefined) return undefined; // errors about ports have no path
  return `${path}: ${TEXTS[code] ?? `The system refuses to use it (${code}).`}`;
}

/** An error of the system that did not let this user at a file of the data folder; undefined for any other. */
export function forbiddenFileText(folder: string, error: SystemError): string | undefined {
  const { path, code = "" } = error;
  if (path === undefined || !["EACCES", "EPERM", "EROFS"].includes(code)) return undefined;
  return (
    `This user may not read and write ${path} (${code}). ` +
    `Give the data folder ${folder}, with all that is in it, to the user that Hearth runs as.`
  );
}

/** The error with the path of the file that it is about. */
export function withPath(error: unknown, path: string): unknown {
  const system = error as SystemError;
  if (system.syscall !== undefined) system.path ??= path;
  return error;
}
