import { execFile } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { basename } from "node:path";

export interface Owner {
  pid: number;
  name: string;
}

/** The process that listens on a TCP port; undefined if the system does not reveal it to this user. */
export async function portOwner(port: number, platform = process.platform): Promise<Owner | undefined> {
  if (platform === "linux") return ownerInProc(port);
  if (platform === "darwin") {
    return ownerInLsof(await output("/usr/sbin/lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"]));
  }
  if (platform !== "win32") return undefined;
  const pid = pidInNetstat(await output("netstat.exe", ["-ano"]), port);
  if (pid === undefined) return undefined;
  const name = nameInTasklist(await output("tasklist.exe", ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"]));
  return name === undefined ? undefined : { pid, name };
}

/** The first free port after `taken` at this address; undefined if the next hundred are taken. */
export async function freePortAfter(taken: number, address: string): Promise<number | undefined> {
  for (let port = taken + 1; port <= Math.min(taken + 100, 65_535); port++) {
    if ((await listenError(port, address)) === undefined) return port;
  }
  return undefined;
}

export async function isTaken(port: number, address: string): Promise<boolean> {
  return (await listenError(port, address)) === "EADDRINUSE";
}

/** The system's error code for listening on a port; undefined if that works. */
function listenError(port: number, address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host: address, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Finds the socket in the kernel's table, and its owner in /proc/<pid>/fd. Only root sees processes of other users. */
function ownerInProc(port: number): Owner | undefined {
  const sockets = new Set(["tcp", "tcp6"].flatMap((table) => listeningSockets(textOf(`/proc/net/${table}`), port)));
  if (sockets.size === 0) return undefined;
  for (const pid of namesIn("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    for (const fd of namesIn(`/proc/${pid}/fd`)) {
      if (!sockets.has(linkAt(`/proc/${pid}/fd/${fd}`))) continue;
      // The name of the executable: threads can rename the process.
      const name = basename(linkAt(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, "");
      return name === "" ? undefined : { pid: Number(pid), name };
    }
  }
  return undefined;
}

/** `socket:[inode]` of each line of /proc/net/tcp that listens (0A) on the port. */
export function listeningSockets(table: string, port: number): string[] {
  const hexadecimal = port.toString(16).toUpperCase().padStart(4, "0");
  return table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(`:${hexadecimal}`) && fields[3] === "0A")
    .map((fields) => `socket:[${fields[9]}]`);
}

/** `lsof -Fpc`: a line `p<pid>`, then `c<command>`. */
export function ownerInLsof(text: string): Owner | undefined {
  const [, pid, name] = /^p(\d+)\nc(.+)$/m.exec(text) ?? [];
  return pid && name ? { pid: Number(pid), name } : undefined;
}

/** Looks for an unconnected foreign address: Windows translates the word LISTENING. */
export function pidInNetstat(text: string, port: number): number | undefined {
  for (const line of text.split(/\r?\n/)) {
    const [kind, local = "", foreign, , pid] = line.trim().split(/\s+/);
    if (kind !== "TCP" || !local.endsWith(`:${port}`)) continue;
    if ((foreign === "0.0.0.0:0" || foreign === "[::]:0") && Number(pid) > 0) return Number(pid);
  }
  return undefined;
}

export function nameInTasklist(text: string): string | undefined {
  return /^"([^"]+)","\d+"/m.exec(text)?.[1];
}

function output(program: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    // After an error the dialog says "another program".
    execFile(program, args, { timeout: 3000, windowsHide: true }, (_error, stdout) => resolve(stdout));
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // the process has ended
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // the process of another user, or has ended
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
