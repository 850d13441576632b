import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { type OnBeforeSendHeadersListenerDetails, protocol, type Session } from "electron";
import { typeOfPageFile } from "../server/media/file-types.ts";
import { CONTENT_SECURITY_POLICY, pagesFolder } from "../server/pages.ts";
import type { ServerHost } from "./attached-server.ts";
import { isPageOf, type Site } from "./sites.ts";

// test/support/import-rules.ts explains why this is not an import.
const { request: httpRequest } = process.getBuiltinModule("node:http");

export type Upstream = Pick<ServerHost, "url" | "token" | "isAlive" | "socket">;

/** Identifies each request. Replaces a value from the page. */
const REQUEST_ID = "x-hearth-request";
const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"];
/** Forwarded request headers. Without Cookie, Origin, Referer and Sec-… Videos load in ranges. */
const REQUEST_HEADERS = ["accept", "accept-language", "content-type", "user-agent", "range", "if-range"];
/** Response headers that are not forwarded: headers of the connection, and headers that store or request a sign-in. */
const DROPPED = ["connection", "keep-alive", "transfer-encoding", "set-cookie", "www-authenticate"];

/** A request of a page to the server, or of main itself. */
export interface ForwardedRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body: ReadableStream | null;
  /** With the query. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/** Headers that identify the caller, instead of those of the page. */
export type Credential = Readonly<Record<string, string>>;

export const asOperator = ({ token }: Upstream): Credential => ({ authorization: `Bearer ${token}` });

/** Sends a page's requests to the server, with a credential that the page does not know. */
export type Forwarding = (upstream: Upstream, request: ForwardedRequest) => Promise<Response>;

export const forwardAsOperator: Forwarding = (upstream, request) => forward(upstream, request, asOperator(upstream));

/** Registers a scheme that Chromium treats like https. Runs before the app is ready. */
export function registerScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true, stream: true };
  protocol.registerSchemesAsPrivileged([{ scheme: "app", privileges }]);
}

/** Serves the pages of a site: the built files, and the server for /api, /host, pictures and uploads. */
export function servePages(
  session: Session,
  site: Site,
  upstream: () => Upstream | undefined,
  forwarding: Forwarding = forwardAsOperator,
): void {
  // protocol.handle reports neither the sender of a request nor its end: request.signal never aborts, and a held poll
  // has no response stream to cancel. The session's webRequest reports both. ERR_ABORTED covers an aborted fetch, a
  // reload, a navigation, a crash, and a closed window.
  const requests = new Map<string, { allowed: boolean; aborted: AbortController }>();
  session.webRequest.onBeforeSendHeaders((details, send) => {
    const headers = Object.entries(details.requestHeaders).filter(([name]) => name.toLowerCase() !== REQUEST_ID);
    if (details.url.startsWith(site.url)) {
      const id = String(details.id);
      requests.set(id, { allowed: isAllowed(site, details), aborted: new AbortController() });
      headers.push([REQUEST_ID, id]);
    }
    send({ requestHeaders: Object.fromEntries(headers) });
  });
  const ended = ({ id }: { id: number }) => {
    requests.get(String(id))?.aborted.abort();
    requests.delete(String(id));
  };
  session.webRequest.onErrorOccurred(ended);
  session.webRequest.onCompleted(ended);
  session.protocol.handle("app", async (request) => {
    const entry = requests.get(request.headers.get(REQUEST_ID) ?? "");
    const { pathname, search } = new URL(request.url);
    if (!request.url.startsWith(site.url) || !entry?.allowed) return new Response(null, { status: 403 });
    if (!isCall(site, pathname) && !isFile(site, pathname)) return page(site, pathname);
    const server = upstream();
    if (!server) return notReady();
    const { method, headers, body } = request;
    const { signal } = entry.aborted;
    return forwarding(server, { method, headers, body, path: `${pathname}${search}`, signal });
  });
}

const isCall = ({ calls }: Site, path: string) => calls.some((start) => path.startsWith(start));
const isFile = ({ files }: Site, path: string) => files.some((start) => path.startsWith(start));

/**
 * Allows requests of our own page only, and each path only for the resource types that use it: a response of the API
 * is never a document or a script, whatever users have put into it.
 */
function isAllowed(site: Site, { url, method, resourceType, frame }: OnBeforeSendHeadersListenerDetails): boolean {
  const { pathname } = new URL(url);
  if (resourceType === "mainFrame") return method === "GET" && pathname === "/";
  if (!isPageOf(site, frame)) return false;
  if (isCall(site, pathname)) return resourceType === "xhr" && METHODS.includes(method);
  if (isFile(site, pathname)) return ["image", "media", "xhr"].includes(resourceType) && method === "GET";
  return ["script", "stylesheet", "font", "image", "xhr", "other"].includes(resourceType) && method === "GET";
}

/** Serves only index.html and files in `assets`. No other part of a request becomes part of a path. */
async function page({ page }: Site, path: string): Promise<Response> {
  const [, asset] = /^\/assets\/(\w[\w.-]*)$/.exec(path) ?? [];
  if (path !== "/" && !asset) return new Response(null, { status: 404 });
  const file = asset ? join("assets", asset) : join(page, "index.html");
  const content = await contentOf(join(pagesFolder, file));
  // The window reports a page that fails to load. A 404 would show an empty page.
  if (!content) return asset ? new Response(null, { status: 404 }) : Response.error();
  return new Response(content, {
    headers: {
      "content-type": typeOfPageFile(file),
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": asset ? "public, max-age=31536000, immutable" : "no-store",
    },
  });
}

async function contentOf(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (["ENOENT", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

export function forward(
  upstream: Upstream,
  { method, headers: given, body, path, signal }: ForwardedRequest,
  credential: Credential,
  onHeaders: (headers: IncomingHttpHeaders) => void = () => {},
): Promise<Response> {
  const { token } = upstream;
  const headers: Record<string, string> = {};
  for (const name of REQUEST_HEADERS) {
    const value = given.get(name);
    if (value !== null) headers[name] = value;
  }
  Object.assign(headers, credential);
  const { hostname, port } = new URL(upstream.url);
  const location = { host: reachable(hostname), port: Number(port) };
  // Each request opens a connection. In a pool, held polls would use up all connections, and requests would fail on
  // connections that a restarting server has closed.
  const createConnection: RequestOptions["createConnection"] = (_options, onConnection) => {
    connectToThread(upstream.socket === undefined ? location : { path: upstream.socket }, () =>
      upstream.isAlive(token),
    ).then(
      (socket) => onConnection(null, socket),
      (error: Error) => onConnection(error, undefined as never),
    );
    return undefined;
  };
  return new Promise((resolve) => {
    const options = { ...location, path, method, headers, signal, createConnection };
    const request = httpRequest(options, (answer) => {
      onHeaders(answer.headers);
      resolve(responseOf(answer));
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      // The server may have executed a request that was sent, so the page must not treat it as rejected.
      const isUnsent = ["ECONNREFUSED", "ENOENT"].includes(error.code ?? "") || error instanceof NotConnected;
      resolve(isUnsent ? notReady() : Response.error());
    });
    if (!body) request.end();
    // Ends both sides if either side ends early, so that no upload stays open.
    else pipeline(Readable.fromWeb(body as import("node:stream/web").ReadableStream), request, () => {});
  });
}

/** Calls the server for main itself, as the operator by default. @throws if it does not respond or refuses. */
export async function callServer<Result>(
  upstream: Upstream,
  method: string,
  path: string,
  credential: Credential = asOperator(upstream),
): Promise<Result> {
  const { signal } = new AbortController();
  const response = await forward(upstream, { method, headers: new Headers(), body: null, path, signal }, credential);
  const body = (await response.json()) as Result & { msg?: string };
  if (!response.ok) throw new Error(body.msg);
  return body;
}

/** The thread has ended, and another program may have its port. Nothing was sent. */
class NotConnected extends Error {}

/** While the thread is alive, no other program has its port. */
async function connectToThread(
  location: { host: string; port: number } | { path: string },
  isAlive: () => Promise<boolean>,
) {
  const socket = connect(location);
  await once(socket, "connect");
  socket.on("error", () => {}); // no one else listens before the request gets the socket
  if ((await isAlive()) && !socket.destroyed) return socket;
  socket.destroy();
  throw new NotConnected();
}

/** The Host header for a server at this URL. */
export function ownHost(url: string): string {
  const { hostname, port } = new URL(url);
  const host = reachable(hostname);
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The server may listen on all addresses. */
function reachable(hostname: string): string {
  if (hostname === "0.0.0.0") return "127.0.0.1";
  return hostname === "[::]" ? "::1" : hostname.replace(/^\[|\]$/g, "");
}

function responseOf(answer: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !DROPPED.includes(name)) headers.set(name, String(value));
  }
  const status = answer.statusCode ?? 502;
  const empty = status === 204 || status === 205 || status === 304;
  if (empty) answer.resume();
  return new Response(empty ? null : (Readable.toWeb(answer) as ReadableStream), { status, headers });
}

export function notReady(): Response {
  const body = { result: "error", msg: "The server is starting. Try again in a moment.", code: "SERVER_NOT_READY" };
  return Response.json(body, { status: 503, headers: { "retry-after": "1" } });
}
