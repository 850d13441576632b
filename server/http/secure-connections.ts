import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { createServer, type TLSSocket, type Server as TlsServer } from "node:tls";
import { ApiError } from "../errors.ts";
import { hostOf, isConnectionEncrypted, isEncrypted, isForwarded, isFromThisMachine } from "./caller.ts";

/** Whether connections of other machines are to be encrypted, and with what. */
export interface Encryption {
  readonly isOn: boolean;
  /** Another object for another certificate. Undefined while there is none: then nothing is encrypted, and nothing sent. */
  readonly credentials: { readonly cert: string; readonly key: string; readonly minVersion: "TLSv1.2" } | undefined;
}

/** A TLS connection begins with this byte, and no HTTP request does. */
const HANDSHAKE = 0x16;

/**
 * Lets a server of Node's speak HTTPS and HTTP at one port: the window and the command line go on with HTTP from this
 * machine, and whoever comes from elsewhere with HTTP hears that it takes HTTPS (`httpsNeeded`).
 */
export class SecureConnections {
  readonly #encryption: Encryption;
  readonly #patience: number;
  readonly #onSecured: (plain: Socket, secured: TLSSocket) => void;
  #tls: TlsServer | undefined;
  #credentials: Encryption["credentials"];
  /** Those that have not said yet what they speak, or shake hands, by the caller's address and port. */
  readonly #beginning = new Map<string, { socket: Socket; timer: NodeJS.Timeout }>();

  /** `patience`: how long a connection may take to begin, in milliseconds. */
  constructor(
    encryption: Encryption,
    { patience, onSecured }: { patience: number; onSecured: (plain: Socket, secured: TLSSocket) => void },
  ) {
    this.#encryption = encryption;
    this.#patience = patience;
    this.#onSecured = onSecured;
  }

  /** Takes over the new connections of this server, before anybody else listens for them. */
  watch(server: Server): void {
    const [listener] = server.listeners("connection") as ((socket: Socket) => void)[];
    if (!listener) throw new Error("Node's HTTP server does not listen for connections.");
    server.removeListener("connection", listener);
    const serve = (socket: Socket) => listener.call(server, socket);
    server.on("connection", (socket: Socket) => {
      if (this.#encryption.isOn) this.#begin(socket, serve);
      else serve(socket);
    });
  }

  /** Connections without a request yet hold up no stop. */
  close(): void {
    for (const { socket } of this.#beginning.values()) socket.destroy();
  }

  #begin(socket: Socket, serve: (socket: Socket) => void): void {
    const name = nameOf(socket);
    const end = () => socket.destroy();
    const timer = setTimeout(end, this.#patience).unref();
    this.#beginning.set(name, { socket, timer });
    socket.once("close", () => {
      clearTimeout(timer);
      this.#beginning.delete(name);
    });
    socket.on("error", end);
    socket.once("readable", () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return; // it has closed without a byte
      socket.unshift(first);
      if (first[0] === HANDSHAKE) return this.#shakeHands(socket, serve);
      clearTimeout(timer);
      this.#beginning.delete(name);
      socket.removeListener("error", end);
      serve(socket);
    });
  }

  #shakeHands(socket: Socket, serve: (socket: Socket) => void): void {
    const { credentials } = this.#encryption;
    if (!credentials) return void socket.destroy();
    this.#tls ??= this.#createTls(serve);
    if (credentials !== this.#credentials) {
      this.#credentials = credentials;
      this.#tls.setSecureContext(credentials);
    }
    this.#tls.emit("connection", socket);
  }

  #createTls(serve: (socket: Socket) => void): TlsServer {
    const tls = createServer({ ALPNProtocols: ["http/1.1"], handshakeTimeout: this.#patience });
    tls.on("secureConnection", (secured) => {
      const begun = this.#beginning.get(nameOf(secured));
      if (!begun) return void secured.destroy();
      this.#beginning.delete(nameOf(secured));
      clearTimeout(begun.timer);
      this.#onSecured(begun.socket, secured);
      serve(secured);
    });
    return tls;
  }
}

const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * The URL at which a browser finds a page that it opened without encryption; undefined for other requests, and where the
 * browser has that URL already, and only its proxy speaks plain HTTP to us.
 */
export function encryptedPage(request: IncomingMessage): string | undefined {
  const { method, url = "" } = request;
  const isPage = (method === "GET" || method === "HEAD") && !/^\/(?:api|host|json)(?:[/?]|$)/.test(url);
  return isPage && url.startsWith("/") && !isEncrypted(request) ? `https://${hostOf(request)}${url}` : undefined;
}

/** Whether it comes from another machine without encryption, to us or to a trusted proxy. */
export function isExposed(request: IncomingMessage): boolean {
  const { socket } = request;
  if (!isConnectionEncrypted(socket) && !isFromThisMachine(socket)) return true;
  return isForwarded(request) && !isEncrypted(request);
}

export const httpsNeeded = (request: IncomingMessage) =>
  new ApiError(
    "HTTPS_NEEDED",
    `This server takes HTTPS only: https://${hostOf(request)}. What was sent by HTTP was not read, but others on the network may have seen it.`,
    {},
    { status: 403 },
  );
