import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { CONTROL_SOCKET, controlPath } from "../../http/control-socket.ts";
import { withPath } from "../../storage/errors.ts";
import { realFiles } from "../../storage/files.ts";
import { localUrl } from "./listening.ts";
import { isLocked } from "./lock.ts";

/** The content of `host.json` while a server runs. Only the owner of the folder can read it. */
export interface HostFile {
  url: string;
  /** The operator's token. */
  token: string;
  pid: number;
}

/** A busy server responds late. */
const PROBE_MS = 2000;

const hostFileIn = (folder: string): string => `${folder}/host.json`;

/** Throws disk errors. */
export function writeHostFile(folder: string, content: HostFile): void {
  const path = hostFileIn(folder);
  try {
    writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
    realFiles.rename(`${path}.new`, path);
  } catch (error) {
    rmSync(`${path}.new`, { force: true });
    throw withPath(error, path);
  }
}

/** Throws disk errors. */
export const removeHostFile = (folder: string): void => realFiles.remove(hostFileIn(folder));

/** Undefined if the file is missing, or damaged by a power failure. Throws disk errors. */
export function readHostFile(folder: string): HostFile | undefined {
  try {
    return JSON.parse(readFileSync(hostFileIn(folder), "utf8")) as HostFile;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The URL of the responding server, or its socket if `host.json` could not be written. */
export async function respondingUrl(folder: string): Promise<string | undefined> {
  try {
    const host = readHostFile(folder);
    const signal = AbortSignal.timeout(PROBE_MS);
    const { result } = (await request({ folder, host }, { method: "GET", path: "/host/session", signal })) as Envelope;
    return result === "success" ? (host?.url ?? join(folder, CONTROL_SOCKET)) : undefined;
  } catch {
    return undefined;
  }
}

export type CallServer = <Answer>(method: string, path: string, body?: URLSearchParams) => Promise<Answer>;

/**
 * Returns a function that calls the running server as the operator. Both throw an Error for users if no server runs. The
 * function also throws the server's error message.
 */
export function callsTo(folder: string): CallServer {
  const notRunning = new Error(`No server runs in ${folder}. Start it with "hearth serve" first.`);
  // A copy of a folder contains the host.json of the original.
  if (!isLocked(folder)) throw notRunning;
  const host = readHostFile(folder);
  return async <Answer>(method: string, path: string, body?: URLSearchParams) => {
    const answer = (await request({ folder, host }, { method, path, body }).catch(() => {
      throw notRunning; // host.json of a killed server: another program may have the port
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

/** Uses the socket in the folder, which works across network namespaces. Without a socket, uses the URL. */
async function request({ folder, host }: { folder: string; host: HostFile | undefined }, call: Call): Promise<unknown> {
  if (process.platform !== "win32") {
    const { path: socketPath, release } = controlPath(folder);
    try {
      return await json(await send("http://localhost", call, { socketPath }));
    } catch (error) {
      // Never repeats a request that reached a server.
      if (!host || (error as NodeJS.ErrnoException).syscall !== "connect") throw error;
    } finally {
      release();
    }
  }
  if (!host) throw new Error("There is no host.json.");
  const { hostname, port } = new URL(host.url);
  const address = localUrl({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) }) ?? host.url;
  return json(await send(address, call, { token: host.token }));
}

function send(
  origin: string,
  { method, path, body, signal }: Call,
  { socketPath, token }: { socketPath?: string; token?: string },
): Promise<IncomingMessage> {
  const { request: httpRequest } = process.getBuiltinModule("node:http");
  const content = body?.toString();
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(content !== undefined && {
      "content-type": "application/x-www-form-urlencoded",
      "content-length": Buffer.byteLength(content), // Node sets it for POST, but not for DELETE
    }),
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
      .end(content);
  });
}
