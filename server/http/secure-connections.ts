import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { createServer, type TLSSocket, type Server as TlsServer } from "node:tls";
import { ApiError, problem } from "../errors.ts";
import { hostOf, isConnectionEncrypted, isEncrypted, isForwarded, isFromThisMachine } from "./caller.ts";

/** HTTPS for connections from other machines. */
export interface Encryption {
  readonly isOn: boolean;
  /** A new object for each certificate. Without one, TLS connections are closed. */
  readonly credentials: { readonly cert: string; readonly key: string; readonly minVersion: "TLSv1.2" } | undefined;
}

/** The first byte of each TLS connection, and of no HTTP request. */
const HANDSHAKE = 0x16;

/**
 * Lets a Node server speak HTTPS and HTTP on one port. The window and the command line use HTTP on this machine; other
 * machines get `httpsNeeded` over HTTP.
 */
export class SecureConnections {
  readonly #encryption: Encryption;
  readonly #patience: number;
  readonly #onSecured: (plain: Socket, secured: TLSSocket) => void;
  #tls: TlsServer | undefined;
  #credentials: Encryption["credentials"];
  /** Connections without a first byte, or in a handshake, by the client's address and port. */
  readonly #beginning = new Map<string, { socket: Socket; timer: NodeJS.Timeout }>();

  /** `patience`: the limit for the first byte and the handshake, in milliseconds. */
  constructor(
    encryption: Encryption,
    { patience, onSecured }: { patience: number; onSecured: (plain: Socket, secured: TLSSocket) => void },
  ) {
    this.#encryption = encryption;
    this.#patience = patience;
    this.#onSecured = onSecured;
  }

  /** Takes over the new connections of this server. Call it before anything else listens for them. */
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

  /** Closes connections without a request, which would delay a stop. */
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
      if (first === null) return; // closed without a byte
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
 * The HTTPS URL of a page that a browser opened over HTTP. Undefined for other requests, and if the browser already uses
 * HTTPS and only its proxy speaks HTTP to us.
 */
export function encryptedPage(request: IncomingMessage): string | undefined {
  const { method, url = "" } = request;
  const isPage = (method === "GET" || method === "HEAD") && !/^\/(?:api|host|json)(?:[/?]|$)/.test(url);
  return isPage && url.startsWith("/") && !isEncrypted(request) ? `https://${hostOf(request)}${url}` : undefined;
}

/** Whether it arrived unencrypted from another machine, at us or at a trusted proxy. */
export function isExposed(request: IncomingMessage): boolean {
  const { socket } = request;
  if (!isConnectionEncrypted(socket) && !isFromThisMachine(socket)) return true;
  return isForwarded(request) && !isEncrypted(request);
}

export const httpsNeeded = (request: IncomingMessage) =>
  new ApiError("HTTPS_NEEDED", problem("https_required", { host: hostOf(request) ?? "" }), {}, { status: 403 });
