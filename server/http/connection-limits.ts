import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import {
  addressOf,
  isForwarded,
  isFromThisMachine,
  isLoopbackAddress,
  plainAddress,
  requestSource,
  sourceOf,
} from "./caller.ts";
import { answerUnparsed } from "./connections.ts";
import { isMultipart } from "./multipart.ts";
import { noteArrival } from "./turns.ts";

export interface ConnectionLimits {
  readonly total: number;
  readonly perAddress: number;
  /** For a reverse proxy, trusted or on this machine, which connects for many clients. The rest of the total is for others. */
  readonly perLoopback: number;
  /** Bytes of responses that clients have not read yet, of all connections together. */
  readonly unsentBytes: number;
  /** Bytes a second at which a client must read a response, after `readingGrace` milliseconds. */
  readonly readingRate: number;
  readonly readingGrace: number;
  /** Longest time of a request's body, in milliseconds. A multipart body gets more while it arrives at `readingRate`. */
  readonly body: number;
  /** Interval of the checks of the last four limits, in milliseconds. */
  readonly check: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  total: 5000,
  perAddress: 1000,
  perLoopback: 4500,
  unsentBytes: 256 << 20,
  readingRate: 20_000,
  readingGrace: 30_000,
  body: 30_000,
  check: 1000,
};

/** Files for a checkpoint (ten), the next segment of the log (three), pages and uploads. */
const RESERVED_FILES = 20;
const MIN_CONNECTIONS = 4;

/**
 * The number of connections that leaves storage enough file descriptors under the system's limit of open files. Call it
 * when everything else is open.
 */
export function maxConnections(proc = "/proc/self"): number {
  let [limit, open] = [Number.NaN, 0];
  try {
    // NaN for "unlimited"
    limit = Number(/^Max open files\s+(\S+)/m.exec(readFileSync(`${proc}/limits`, "utf8"))?.[1]);
    open = readdirSync(`${proc}/fd`).length;
  } catch {
    // On other systems, the usual limits are far above ours.
  }
  if (Number.isNaN(limit)) return CONNECTION_LIMITS.total;
  return Math.max(MIN_CONNECTIONS, Math.min(CONNECTION_LIMITS.total, limit - open - RESERVED_FILES));
}

interface Connection {
  readonly socket: Socket;
  readonly source: string;
  /** The latest request; undefined before the first. */
  request: IncomingMessage | undefined;
  /** When the latest request arrived; before the first request, when the connection opened. */
  requestedAt: number;
  /** Bytes received before the latest request. */
  sentBefore: number;
  /** The response to the latest request. */
  response: ServerResponse | undefined;
  /** Whether it is a WebSocket now. */
  isUpgraded: boolean;
  /** Bytes of responses that the client has read, and when it last read any. */
  taken: number;
  takenAt: number;
}

const isLoopback = (address: string) => address === "127.0.0.1" || address === "::1";
/** The source that reads the response: behind a trusted proxy, the client of the latest request. */
const readerOf = ({ source, request }: Connection): string => (request ? requestSource(request) : source);
const isIdle = ({ response, isUpgraded }: Connection) =>
  !isUpgraded && (!response || response.writableFinished || response.destroyed);

/**
 * Prevents one client from using up all connections, or the memory. At a limit, a new connection replaces the one that
 * has been idle the longest. If none is idle, the new one is closed.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #isTrustedProxy: (address: string) => boolean;
  readonly #open = new Map<Socket, Connection>();
  /** Time of the latest connection from another machine, by performance.now(). */
  #otherMachineAt: number | undefined;
  /** Requests since the start. */
  requests = 0;
  readonly #perSource = new Map<string, number>();

  constructor(limits: ConnectionLimits, isTrustedProxy: (address: string) => boolean) {
    this.#limits = limits;
    this.#isTrustedProxy = isTrustedProxy;
  }

  get counts() {
    const { total, perAddress } = this.#limits;
    const since = this.#otherMachineAt;
    const ago = since === undefined ? null : Math.round(performance.now() - since);
    return { open: this.#open.size, max: total, max_of_address: perAddress, ms_since_other_machine: ago };
  }

  /** Watches this server's connections. Its requests have to pass `tracking`. */
  watch(server: Server): void {
    server.on("connection", (socket: Socket) => this.#admit(socket));
    const timer = setInterval(() => {
      this.#closeSlowSenders(performance.now());
      this.#closeSlowReaders(performance.now());
    }, this.#limits.check).unref();
    server.on("close", () => clearInterval(timer));
  }

  /** After a TLS handshake, requests arrive at the socket that decrypts the connection. */
  secured(plain: Socket, secured: Socket): void {
    const connection = this.#open.get(plain);
    if (!connection) return void secured.destroy();
    this.#open.delete(plain);
    this.#open.set(secured, { ...connection, socket: secured });
    secured.once("close", () => this.#remove(secured));
  }

  tracking(listener: RequestListener): RequestListener {
    return (request, response) => {
      this.requests += 1;
      noteArrival();
      if (isForwarded(request) && !isLoopbackAddress(addressOf(request))) this.#otherMachineAt = performance.now();
      const connection = this.#open.get(request.socket);
      if (connection) {
        connection.request = request;
        connection.requestedAt = performance.now();
        connection.sentBefore = request.socket.bytesRead;
        connection.response = response;
      }
      listener(request, response);
    };
  }

  /** Call it for requests that pass `upgrade` instead of `tracking`. */
  upgraded(request: IncomingMessage): void {
    this.requests += 1;
    const connection = this.#open.get(request.socket);
    if (connection) Object.assign(connection, { request, requestedAt: performance.now(), isUpgraded: true });
  }

  #admit(socket: Socket): void {
    noteArrival();
    const address = plainAddress(socket.remoteAddress);
    if (!isFromThisMachine(socket)) this.#otherMachineAt = performance.now();
    const { total, perAddress, perLoopback } = this.#limits;
    const source = sourceOf(address);
    const bound = isLoopback(address) || this.#isTrustedProxy(address) ? perLoopback : perAddress;
    const ofSource = this.#perSource.get(source) ?? 0;
    const hasRoom =
      (ofSource < bound || this.#closeIdle((connection) => connection.source === source)) &&
      (this.#open.size < total || this.#closeIdle(() => true));
    if (!hasRoom) return void socket.destroy();
    this.#open.set(socket, {
      socket,
      source,
      request: undefined,
      requestedAt: performance.now(),
      sentBefore: 0,
      response: undefined,
      isUpgraded: false,
      taken: 0,
      takenAt: 0,
    });
    this.#perSource.set(source, (this.#perSource.get(source) ?? 0) + 1);
    socket.once("close", () => this.#remove(socket));
  }

  /** Closes the connection that has been idle the longest, of those that may be closed. Returns false if there is none. */
  #closeIdle(mayClose: (connection: Connection) => boolean): boolean {
    let longest: Connection | undefined;
    for (const connection of this.#open.values()) {
      if (longest && longest.requestedAt <= connection.requestedAt) continue;
      if (isIdle(connection) && mayClose(connection)) longest = connection;
    }
    if (longest) this.#close(longest);
    return longest !== undefined;
  }

  #close({ socket }: Connection): void {
    this.#remove(socket);
    socket.destroy();
  }

  #remove(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (!connection) return;
    this.#open.delete(socket);
    const left = (this.#perSource.get(connection.source) as number) - 1;
    if (left > 0) this.#perSource.set(connection.source, left);
    else this.#perSource.delete(connection.source);
  }

  #closeSlowSenders(now: number): void {
    const { body, readingRate } = this.#limits;
    for (const { socket, request, requestedAt, sentBefore } of this.#open.values()) {
      if (!request || request.complete || now - requestedAt < body) continue;
      const allowed = isMultipart(request) ? ((socket.bytesRead - sentBefore) / readingRate) * 1000 : 0;
      if (now - requestedAt < body + allowed) continue;
      answerUnparsed(Object.assign(new Error("timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
    }
  }

  #closeSlowReaders(now: number): void {
    const { unsentBytes, readingRate, readingGrace } = this.#limits;
    const behind: Connection[] = [];
    let unsent = 0;
    for (const connection of this.#open.values()) {
      const { socket } = connection;
      const taken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || taken !== connection.taken) {
        connection.taken = taken;
        connection.takenAt = now;
      }
      if (socket.writableLength === 0) continue;
      // Node reports progress only after the kernel has taken a whole write.
      if (now - connection.takenAt > readingGrace + (socket.writableLength / readingRate) * 1000) {
        this.#close(connection);
      } else {
        behind.push(connection);
        unsent += socket.writableLength;
      }
    }
    if (unsent <= unsentBytes) return;
    // Closes connections of the source with the most unread bytes first, its largest response first.
    const bySource = new Map<string, number>();
    for (const connection of behind)
      bySource.set(readerOf(connection), (bySource.get(readerOf(connection)) ?? 0) + connection.socket.writableLength);
    const most = (connection: Connection) => bySource.get(readerOf(connection)) as number;
    behind.sort((a, b) => most(b) - most(a) || b.socket.writableLength - a.socket.writableLength);
    for (const connection of behind) {
      if (unsent <= unsentBytes) return;
      unsent -= connection.socket.writableLength;
      this.#close(connection);
    }
  }
}
