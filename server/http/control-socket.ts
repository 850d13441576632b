import { chmodSync, closeSync, openSync, rmSync } from "node:fs";
import type { IncomingMessage, Server } from "node:http";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";

/** In the data folder, while the server runs. */
export const CONTROL_SOCKET = "control.sock";

/** Operating systems allow 104 to 108 bytes, including the terminating NUL byte. */
const MAX_PATH = 100;
const LOOPBACK = { value: "127.0.0.1" };

const connections = new WeakSet<Socket>();

/**
 * Requests at the control socket have the operator's credential: only users who can read the token in `host.json` can
 * open the socket, and a full disk may have no room for that file. They get the server's own host, for links. A request
 * with a cookie, of the desktop app's chat window, has only the rights of its session.
 */
export function signControlRequest({ socket, headers }: IncomingMessage, token: string, host: string): void {
  if (!connections.has(socket)) return;
  headers.host = host;
  if (headers.cookie === undefined) headers.authorization = `Bearer ${token}`;
  else headers.origin = `http://${host}`;
}

export interface ControlSocket {
  /** Stops accepting connections. Resolves when all have ended. */
  close(): Promise<void>;
}

/** The path to the socket; undefined if it is too long for the system. */
export function shortControlPath(folder: string): string | undefined {
  const path = join(folder, CONTROL_SOCKET);
  return Buffer.byteLength(path) <= MAX_PATH ? path : undefined;
}

/** A path to the socket that is short enough, valid until `release`. @throws errors of the system. */
export function controlPath(folder: string): { path: string; release(): void } {
  const path = shortControlPath(folder);
  if (path !== undefined) return { path, release: () => {} };
  if (process.platform !== "linux") return { path: join(folder, CONTROL_SOCKET), release: () => {} };
  const descriptor = openSync(folder, "r");
  return { path: `/proc/self/fd/${descriptor}/${CONTROL_SOCKET}`, release: () => closeSync(descriptor) };
}

/**
 * Lets a server accept connections at a Unix socket in the data folder too, for commands in other network namespaces.
 * Only the process that holds the folder's lock may call it, since it replaces the socket of a killed server.
 * @throws errors of the system.
 */
export async function listenAtControlSocket(server: Server, folder: string): Promise<ControlSocket> {
  const listener = createServer((socket) => {
    connections.add(socket);
    // A Unix socket has no addresses. Limits and permissions treat it as loopback.
    Object.defineProperties(socket, { remoteAddress: LOOPBACK, localAddress: LOOPBACK });
    server.emit("connection", socket);
  });
  rmSync(join(folder, CONTROL_SOCKET), { force: true });
  const { path, release } = controlPath(folder);
  const closed = new Promise<void>((resolve) => {
    listener.once("close", () => {
      release();
      resolve();
    });
  });
  await new Promise<void>((resolve, reject) => {
    listener.once("error", (error) => {
      release();
      reject(error);
    });
    listener.listen(path, resolve);
  });
  chmodSync(join(folder, CONTROL_SOCKET), 0o600);
  return {
    close() {
      listener.close();
      return closed;
    },
  };
}
