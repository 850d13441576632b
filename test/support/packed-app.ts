import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Electron's fuses follow this text in its executable. */
export const FUSE_SENTINEL = "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX";

/** Runs `npm run package` with an Electron. Returns what it printed. */
export async function packApp(electron: string, folder: string, args: string[]): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = { ...inherited, ELECTRON_OVERRIDE_DIST_PATH: electron };
  const command = ["server/run.mjs", "package", "--dir", `-c.directories.output=${folder}`, ...args];
  const builder = spawn(process.execPath, command, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [builder.stdout, builder.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  }
  const [code] = await once(builder, "close");
  assert.equal(code, 0, said);
  return said;
}

/** The fuses in the order of Electron's fuse wire, version 1; true for on. Newer fuses are ignored. */
export function fusesOf(executable: string): Record<string, boolean> {
  const binary = readFileSync(executable);
  const at = binary.indexOf(FUSE_SENTINEL);
  assert.ok(at > 0, "no fuse wire");
  const wire = binary.subarray(at + FUSE_SENTINEL.length);
  assert.equal(wire[0], 1, "the version of the wire");
  const names = ["runAsNode", "cookieEncryption", "nodeOptions", "nodeCliInspect", "asarIntegrity"].concat([
    "onlyLoadAppFromAsar",
    "browserV8Snapshot",
    "grantFileProtocolExtraPrivileges",
  ]);
  return Object.fromEntries(names.map((name, index) => [name, wire[2 + index] === "1".charCodeAt(0)]));
}

export const EXPECTED_FUSES = {
  runAsNode: false,
  cookieEncryption: false,
  nodeOptions: false,
  nodeCliInspect: false,
  asarIntegrity: true,
  onlyLoadAppFromAsar: true,
  browserV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
};

export interface Entry {
  path: string;
  size: number;
  isInside: boolean;
}

interface Header {
  files?: Record<string, Header>;
  size?: number;
  unpacked?: boolean;
}

/** The header of an asar is a JSON text whose length is the fourth number. */
function headerOf(archive: string): string {
  const bytes = readFileSync(archive);
  return bytes.toString("utf8", 16, 16 + bytes.readUInt32LE(12));
}

/** The files of an asar. */
export function filesOf(archive: string): Entry[] {
  const walk = (path: string, { files, size = 0, unpacked }: Header): Entry[] =>
    files
      ? Object.entries(files).flatMap(([name, one]) => walk(path ? `${path}/${name}` : name, one))
      : [{ path, size, isInside: !unpacked }];
  return walk("", JSON.parse(headerOf(archive)) as Header);
}

/** The checksum that Electron compares with the one in its executable. */
export const headerChecksum = (archive: string): string => createHash("sha256").update(headerOf(archive)).digest("hex");
