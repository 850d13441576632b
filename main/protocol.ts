import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, RequestOptions } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { type OnBeforeSendHeadersListenerDetails, protocol, type Session } from "electron";
import { typeOfPageFile } from "../server/media/file-types.ts";
import { CONTENT_SECURITY_POLICY, pagesFolder } from "../server/pages.ts";
import type { ServerHost } from "./attached-server.ts";

// test/support/import-rules.ts explains why this is not an import.
const { request: httpRequest } = process.getBuiltinModule("node:http");

export const PAGE_ORIGIN = "app://hearth";
export const PAGE_URL = `${PAGE_ORIGIN}/`;

export type Upstream = Pick<ServerHost, "url" | "token" | "isAlive" | "socket">;

/** Identifies each request. Replaces a value from the page. */
const REQUEST_ID = "x-hearth-request";
const FORWARDED = ["/api/", "/host/"];
const PICTURES = ["/generated/", "/user_avatars/"];
const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"];
/** Forwarded request headers. Without Cookie, Origin, Referer and Sec-… */
const REQUEST_HEADERS = ["accept", "accept-language", "content-type", "user-agent"];
/** Response headers that are not forwarded: headers of the connection, and headers that store or request a sign-in. */
const DROPPED = ["connection", "keep-alive", "transfer-encoding", "set-cookie", "www-authenticate"];

/** Registers a scheme that Chromium treats like https. Runs before the app is ready. */
export function registerScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: "app", privileges }]);
}

/** Serves app://hearth/: the built pages, and the server for /api, /host and pictures. */
export function servePages(session: Session, upstream: () => Upstream | undefined): void {
  // protocol.handle reports neither the sender of a request nor its end: request.signal never aborts, and a held poll
  // has no response stream to cancel. The session's webRequest reports both. ERR_ABORTED covers an aborted fetch, a
  // reload, a navigation, a crash, and a closed window.
  const requests = new Map<string, { allowed: boolean; aborted: AbortController }>();
  session.webRequest.onBeforeSendHeaders((details, send) => {
    const headers = Object.entries(details.requestHeaders).filter(([name]) => name.toLowerCase() !== REQUEST_ID);
    if (details.url.startsWith(PAGE_URL)) {
      const id = String(details.id);
      requests.set(id, { allowed: isAllowed(details), aborted: new AbortController() });
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
    const { host, pathname, search } = new URL(request.url);
    if (host !== "hearth" || !entry?.allowed) return new Response(null, { status: 403 });
    if (!isForwarded(pathname)) return page(pathname);
    return forward(upstream(), request, `${pathname}${search}`, entry.aborted.signal);
  });
}

const isPicture = (path: string) => PICTURES.some((start) => path.startsWith(start));
const isForwarded = (path: string) => FORWARDED.some((start) => path.startsWith(start)) || isPicture(path);

/**
 * Allows requests of our own page only, and each path only for the resource types that use it: a response of the API
 * is never a document or a script, whatever users have put into it.
 */
function isAllowed({ url, method, resourceType, frame }: OnBeforeSendHeadersListenerDetails): boolean {
  const { pathname } = new URL(url);
  if (resourceType === "mainFrame") return method === "GET" && pathname === "/";
  if (!frame || frame.parent !== null || frame.origin !== PAGE_ORIGIN) return false;
  if (FORWARDED.some((start) => pathname.startsWith(start))) return resourceType === "xhr" && METHODS.includes(method);
  if (isPicture(pathname)) return ["image", "xhr"].includes(resourceType) && method === "GET";
  return ["script", "stylesheet", "font", "image", "xhr", "other"].includes(resourceType) && method === "GET";
}

/** Serves only index.html and files in `assets`. No other part of a request becomes part of a path. */
async function page(path: string): Promise<Response> {
  const [, asset] = /^\/assets\/(\w[\w.-]*)$/.exec(path) ?? [];
  if (path !== "/" && !asset) return new Response(null, { status: 404 });
  const file = asset ? join("assets", asset) : join("admin", "index.html");
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

function forward(
  upstream: Upstream | undefined,
  page: Request,
  path: string,
  signal: AbortSignal,
): Promise<Response> | Response {
  if (!upstream) return notReady();
  const { token } = upstream;
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  for (const name of REQUEST_HEADERS) {
    const value = page.headers.get(name);
    if (value !== null) headers[name] = value;
  }
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
    const options = { ...location, path, method: page.method, headers, signal, createConnection };
    const request = httpRequest(options, (answer) => resolve(responseOf(answer)));
    request.on("error", (error: NodeJS.ErrnoException) => {
      // The server may have executed a request that was sent, so the page must not treat it as rejected.
      const isUnsent = ["ECONNREFUSED", "ENOENT"].includes(error.code ?? "") || error instanceof NotConnected;
      resolve(isUnsent ? notReady() : Response.error());
    });
    if (!page.body) request.end();
    // Ends both sides if either side ends early, so that no upload stays open.
    else pipeline(Readable.fromWeb(page.body as import("node:stream/web").ReadableStream), request, () => {});
  });
}

/** Calls the server as the operator, for main itself. @throws if the server does not respond or refuses. */
export async function callServer(upstream: Upstream | undefined, method: string, path: string): Promise<unknown> {
  const request = new Request(`${PAGE_ORIGIN}${path}`, { method });
  const response = await forward(upstream, request, path, new AbortController().signal);
  const body = (await response.json()) as { msg?: string };
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

function notReady(): Response {
  const body = { result: "error", msg: "The server is starting. Try again in a moment.", code: "SERVER_NOT_READY" };
  return Response.json(body, { status: 503, headers: { "retry-after": "1" } });
}
