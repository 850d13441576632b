import { readFile } from "node:fs/promises";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { type OnBeforeSendHeadersListenerDetails, protocol, type Session } from "electron";
import { CONTENT_SECURITY_POLICY, contentType, pagesFolder } from "../server/pages.ts";

export const PAGE_ORIGIN = "app://hearth";
export const PAGE_URL = `${PAGE_ORIGIN}/`;

/** What answers now: where, and the credential of its start. */
export interface Upstream {
  readonly url: string;
  readonly token: string;
}

/** Set on each request on its way to `answer`, whatever the page had there: it says which one it is. */
const REQUEST_ID = "x-hearth-request";
const PASSED_ON = ["/api/", "/host/"];
const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"];
/** Of the page's headers, the ones that the server has a use for. Cookies, Origin, Referer and Sec-… are not among them. */
const REQUEST_HEADERS = ["accept", "accept-language", "content-type", "user-agent"];
/** Those of one connection, and what would make the window keep or ask for a sign-in. */
const DROPPED = ["connection", "keep-alive", "transfer-encoding", "set-cookie", "www-authenticate"];

/** Before the app is ready: a scheme that Chromium treats like https. */
export function registerScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: "app", privileges }]);
}

/** Serves app://hearth/ in this session: the built pages, and the server behind /api, /host and /generated. */
export function servePages(session: Session, upstream: () => Upstream | undefined): void {
  // protocol.handle tells neither who asks nor that nobody waits any longer (its request.signal never aborts, and
  // the answer's stream is cancelled only once there is an answer: a held poll would stay). The session's webRequest
  // does: each request has an entry from its headers to its end, and ERR_ABORTED comes for a fetch that the page
  // aborts, a reload, a navigation, a crash and a window that is closed alike.
  const asked = new Map<string, { allowed: boolean; gone: AbortController }>();
  session.webRequest.onBeforeSendHeaders((details, send) => {
    const headers = Object.entries(details.requestHeaders).filter(([name]) => name.toLowerCase() !== REQUEST_ID);
    if (details.url.startsWith(PAGE_URL)) {
      const id = String(details.id);
      asked.set(id, { allowed: isAllowed(details), gone: new AbortController() });
      headers.push([REQUEST_ID, id]);
    }
    send({ requestHeaders: Object.fromEntries(headers) });
  });
  const ended = ({ id }: { id: number }) => {
    asked.get(String(id))?.gone.abort();
    asked.delete(String(id));
  };
  session.webRequest.onErrorOccurred(ended);
  session.webRequest.onCompleted(ended);
  session.protocol.handle("app", async (request) => {
    const entry = asked.get(request.headers.get(REQUEST_ID) ?? "");
    const { host, pathname, search } = new URL(request.url);
    if (host !== "hearth" || !entry?.allowed) return new Response(null, { status: 403 });
    if (!isPassedOn(pathname)) return page(pathname);
    return passOn(upstream(), request, `${pathname}${search}`, entry.gone.signal);
  });
}

const isPassedOn = (path: string) =>
  PASSED_ON.some((start) => path.startsWith(start)) || path.startsWith("/generated/");

/**
 * Only our own page asks, and for each thing in the one way that it has a use for: an answer of the API is never a
 * document or a script, whatever somebody has put into it.
 */
function isAllowed({ url, method, resourceType, frame }: OnBeforeSendHeadersListenerDetails): boolean {
  const { pathname } = new URL(url);
  if (resourceType === "mainFrame") return method === "GET" && pathname === "/";
  if (!frame || frame.parent !== null || frame.origin !== PAGE_ORIGIN) return false;
  if (PASSED_ON.some((start) => pathname.startsWith(start))) return resourceType === "xhr" && METHODS.includes(method);
  if (pathname.startsWith("/generated/")) return ["image", "xhr"].includes(resourceType) && method === "GET";
  return ["script", "stylesheet", "font", "image", "xhr", "other"].includes(resourceType) && method === "GET";
}

/** One HTML file, and what lies flat in `assets`: a path is never put together from what was asked for otherwise. */
async function page(path: string): Promise<Response> {
  const [, asset] = /^\/assets\/(\w[\w.-]*)$/.exec(path) ?? [];
  if (path !== "/" && !asset) return new Response(null, { status: 404 });
  const file = asset ? join("assets", asset) : join("admin", "index.html");
  const content = await contentOf(join(pagesFolder, file));
  // A page that is missing is a load that fails, and the window says so; a 404 would be an empty page.
  if (!content) return asset ? new Response(null, { status: 404 }) : Response.error();
  return new Response(content, {
    headers: {
      "content-type": contentType(file),
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

// Polls are held: Chromium's six connections to a host, or Node's pool, would leave none for the rest. A connection is
// not kept for a second request: one that a restarting server has closed would fail what was sent on it.
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

function passOn(
  upstream: Upstream | undefined,
  page: Request,
  path: string,
  gone: AbortSignal,
): Promise<Response> | Response {
  if (!upstream) return notReady();
  const headers: Record<string, string> = { authorization: `Bearer ${upstream.token}` };
  for (const name of REQUEST_HEADERS) {
    const value = page.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const { hostname, port } = new URL(upstream.url);
  const options = { agent, host: reachable(hostname), port, path, method: page.method, headers, signal: gone };
  return new Promise((resolve) => {
    const request = httpRequest(options, (answer) => resolve(responseOf(answer)));
    request.on("error", (error: NodeJS.ErrnoException) => {
      // Where something may have been sent, it may have been done: the page must not take it for refused.
      resolve(error.code === "ECONNREFUSED" ? notReady() : Response.error());
    });
    if (!page.body) request.end();
    // Whichever of the two ends early ends the other, so that no upload is kept that nobody reads.
    else pipeline(Readable.fromWeb(page.body as import("node:stream/web").ReadableStream), request, () => {});
  });
}

/** A server that listens at every address is reached at this machine's own. */
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
