import type { IncomingMessage } from "node:http";
import { ApiError } from "../errors.ts";
import { hostOf, isEncrypted } from "./caller.ts";

/**
 * A browser sends the cookies of one port of a machine to all of them, so the port is in the name. One of an encrypted
 * connection has a name of its own: browsers take it from no other, and let nothing that is not encrypted replace it.
 */
function cookieName(request: IncomingMessage): string {
  const encrypted = isEncrypted(request);
  const port = /:(\d{1,5})$/.exec(hostOf(request) ?? "")?.[1] ?? (encrypted ? "443" : "80");
  return `${encrypted ? "__Host-" : ""}hearth_session_${port}`;
}

/** What the session cookie holds. An Authorization header wins over it: there is none then. */
export function sessionIn(request: IncomingMessage): string | undefined {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined || cookie === undefined) return undefined;
  const name = cookieName(request);
  for (const pair of cookie.split(";")) {
    const [key = "", value = ""] = pair.trim().split("=");
    if (key === name && /^[\w-]{1,100}$/.test(value)) return value;
  }
  return undefined;
}

/** The header that keeps the token for so many seconds; without a token, the one that removes it. */
export const sessionCookie = (request: IncomingMessage, token: string, seconds: number): string =>
  `${cookieName(request)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isEncrypted(request) ? "; Secure" : ""}`;

/** SameSite knows no ports: a page of another program on this machine may send our cookie, but not claim our origin. */
export function isOwnOrigin(request: IncomingMessage): boolean {
  const [{ origin }, host] = [request.headers, hostOf(request)];
  // Both schemes: a TLS proxy need not be among the trusted ones.
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

export const badOrigin = () =>
  new ApiError(
    "BAD_ORIGIN",
    "A browser may do this from the server's own pages only: the Origin header names another, or none.",
    {},
    { status: 403 },
  );
