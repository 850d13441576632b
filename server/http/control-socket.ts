import { chmodSync, closeSync, openSync, rmSync } from "node:fs";
import type { IncomingMessage, Server } from "node:http";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";

/** In the data folder, while the server runs. */
export const CONTROL_SOCKET = "control.sock";

/** Systems allow 104 to 108 bytes, with a final zero. */
const MAX_PATH = 100;
const LOOPBACK = { value: "127.0.0.1" };

const connections = new WeakSet<Socket>();

/**
 * A request at the control socket is the operator's: only users who could read the token in `host.json` can open the
 * socket, and a full disk may have no room for that file. It is for the server's address, which links then name.
 */
export function signControlRequest({ socket, headers }: IncomingMessage, token: string, host: string): void {
  if (!connections.has(socket)) return;
  headers.authorization = `Bearer ${token}`;
  headers.host = host;
}

export interface ControlSocket {
  /** Accepts no more connections. Resolves when all have ended. */
  close(): Promise<void>;
}

/** A path of the socket that is short enough, until `release`. Throws the errors of the system. */
export function controlPath(folder: string): { path: string; release(): void } {
  const path = join(folder, CONTROL_SOCKET);
  if (Buffer.byteLength(path) <= MAX_PATH || process.platform !== "linux") return { path, release: () => {} };
  const descriptor = openSync(folder, "r");
  return { path: `/proc/self/fd/${descriptor}/${CONTROL_SOCKET}`, release: () => closeSync(descriptor) };
}

/**
 * Has a server accept connections at a Unix socket in the data folder, too: so commands reach it from other network
 * namespaces. For the process that holds the folder's lock, since it replaces the socket of a killed server. Rejects
 * with the errors of the system.
 */
export async function listenAtControlSocket(server: Server, folder: string): Promise<ControlSocket> {
  const listener = createServer((socket) => {
    connections.add(socket);
    // A Unix socket has no addresses. For limits, and for what only this machine may do, it is this machine.
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
