import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Uses a real disk, because a flush costs nothing if /tmp is in memory. */
const DISK = existsSync("/var/tmp") ? "/var/tmp" : tmpdir();
/** Folders still to be removed. */
const folders = new Set<string>();
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export const diskFolder = (name: string): string => join(DISK, name);

/** A folder on a disk that is removed when the benchmark ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(diskFolder("hearth-bench-run-"));
  folders.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

export interface Child {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
  /** Milliseconds from the spawn to the first response. */
  readonly startedIn: number;
  stop(): Promise<void>;
}

/** Node options for the servers under test; `--profile` sets them. */
export const nodeOptions: string[] = [];

/** Starts a server that prints its URL. Resolves after its first response. */
async function startProcess(file: string, args: string[]): Promise<Child> {
  const start = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, join(root, file), ...args], {
    cwd: root,
    // server/run.mjs sets the same variables for users.
    env: {
      NODE_COMPILE_CACHE: join(root, ".build", "compile-cache"),
      MALLOC_TRIM_THRESHOLD_: String(128 << 10),
      ...process.env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const found = /http:\/\/\S+/.exec(output);
      if (found) resolve(found[0]);
    });
    void exited.then(() => reject(new Error(`${file} ended before it answered: ${output}`)));
  });
  await new Promise<void>((resolve, reject) => {
    get(`${url}/api/v1/server_settings`, (response) => response.resume().on("end", resolve)).on("error", reject);
  });
  return {
    pid: child.pid as number,
    port: Number(new URL(url).port),
    url,
    startedIn: performance.now() - start,
    async stop() {
      child.kill("SIGTERM");
      await exited;
      process.off("exit", kill);
    },
  };
}

/**
 * Starts the production bundle that server/run.mjs built. `checkpointAfter`, in bytes of log, is a supervisor option
 * that the command line lacks.
 */
export const startHearth = (folder: string, checkpointAfter?: number): Promise<Child> =>
  checkpointAfter === undefined
    ? startProcess(".build/app/cli.js", ["serve", "--data", folder, "--port", "0", "--rate-limit", "off"])
    : startProcess("test/bench/serve.ts", [folder, String(checkpointAfter)]);

export const startBare = (event: string): Promise<Child> => startProcess("test/bench/bare.ts", [event]);

/** Clock ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const TICKS = 100;

/** User and system seconds of a process and its threads; NaN without /proc. */
export function cpuSeconds(pid: number): number {
  const fields = procFile(pid, "stat")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Resident memory in MB; NaN without /proc. */
export const memory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(procFile(pid, "status"))?.[1] ?? Number.NaN) / 1024;

function procFile(pid: number, name: string): string {
  const path = `/proc/${pid}/${name}`;
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
