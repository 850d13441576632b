import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { controlPath } from "../http/control-socket.ts";
import { localUrl } from "./listening.ts";
import { isLocked } from "./lock.ts";

/** What `host.json` holds while a server runs in a folder; for the folder's owner only. */
interface HostFile {
  url: string;
  /** The operator's. */
  token: string;
  pid: number;
}

/** A server that is busy takes a moment to respond. */
const PROBE_MS = 2000;

const hostFileIn = (folder: string): string => `${folder}/host.json`;

/** Throws the errors of the disk. */
export function writeHostFile(folder: string, content: HostFile): void {
  const path = hostFileIn(folder);
  writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Throws the errors of the disk. */
export const removeHostFile = (folder: string): void => rmSync(hostFileIn(folder), { force: true });

/** Undefined if there is none, and for the remains of a power failure. Throws the errors of the disk. */
function readHostFile(folder: string): HostFile | undefined {
  try {
    return JSON.parse(readFileSync(hostFileIn(folder), "utf8")) as HostFile;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The URL of the server that `host.json` names; undefined if it does not respond, or not as this folder's server. */
export async function respondingUrl(folder: string): Promise<string | undefined> {
  const host = readHostFile(folder);
  if (!host) return undefined;
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    const { result } = (await request({ folder, host }, { method: "GET", path: "/host/session", signal })) as Envelope;
    return result === "success" ? host.url : undefined;
  } catch {
    return undefined;
  }
}

export type CallServer = <Answer>(method: string, path: string, body?: URLSearchParams) => Promise<Answer>;

/**
 * Calls of the server that runs in a folder, as its operator. Throws an Error for users if none runs; the calls do so
 * too, and throw what the server says of a refusal.
 */
export function callsTo(folder: string): CallServer {
  const notRunning = new Error(`No server runs in ${folder}. Start it with "hearth serve" first.`);
  // A copy of a folder holds the host.json of the server that runs in the original.
  const host = isLocked(folder) ? readHostFile(folder) : undefined;
  if (!host) throw notRunning;
  return async <Answer>(method: string, path: string, body?: URLSearchParams) => {
    const answer = (await request({ folder, host }, { method, path, body }).catch(() => {
      throw notRunning; // a killed server left host.json; another program may have its port
    })) as Answer & Envelope;
    if (answer.result !== "success") throw new Error(answer.msg);
    return answer;
  };
}

interface Envelope {
  result: string;
  msg: string;
}

interface Call {
  method: string;
  path: string;
  body?: URLSearchParams | undefined;
  signal?: AbortSignal;
}

/** By the socket in the folder, which other network namespaces reach too; where there is none, by the URL. */
async function request({ folder, host }: { folder: string; host: HostFile }, call: Call): Promise<unknown> {
  const { hostname, port } = new URL(host.url);
  const address = localUrl({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) }) ?? host.url;
  if (process.platform === "win32") return json(await send(address, host, call));
  const { path: socketPath, release } = controlPath(folder);
  const response = await send(address, host, call, socketPath)
    .catch((error: NodeJS.ErrnoException) => {
      // A request that has reached a server is not repeated.
      if (error.syscall !== "connect") throw error;
      return send(address, host, call);
    })
    .finally(release);
  return json(response);
}

function send(
  origin: string,
  { token }: HostFile,
  { method, path, body, signal }: Call,
  socketPath?: string,
): Promise<IncomingMessage> {
  const { request: httpRequest } = process.getBuiltinModule("node:http");
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { "content-type": "application/x-www-form-urlencoded" }),
  };
  return new Promise((resolve, reject) => {
    httpRequest(`${origin}${path}`, {
      method,
      headers,
      agent: false,
      ...(signal && { signal }),
      ...(socketPath && { socketPath }),
    })
      .on("response", resolve)
      .on("error", reject)
      .end(body?.toString());
  });
}
