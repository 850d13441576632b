import type { IncomingMessage } from "node:http";
import { ApiError, problem } from "../errors.ts";
import { hostOf, isEncrypted } from "./caller.ts";

/**
 * Browsers send cookies to all ports of a machine, so the name has the port. Over HTTPS it has the prefix `__Host-`:
 * browsers then accept the cookie over HTTPS only, and HTTP cannot replace it.
 */
function cookieName(request: IncomingMessage): string {
  const encrypted = isEncrypted(request);
  const port = /:(\d{1,5})$/.exec(hostOf(request) ?? "")?.[1] ?? (encrypted ? "443" : "80");
  return `${encrypted ? "__Host-" : ""}hearth_session_${port}`;
}

/** The token in the session cookie. Undefined with an Authorization header, which wins. */
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

/** The header that sets the cookie. `seconds: 0` removes it. */
export const sessionCookie = (request: IncomingMessage, token: string, seconds: number): string =>
  `${cookieName(request)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isEncrypted(request) ? "; Secure" : ""}`;

/** SameSite ignores ports: a page of another program on this machine can send our cookie, but not our origin. */
export function isOwnOrigin(request: IncomingMessage): boolean {
  const [{ origin }, host] = [request.headers, hostOf(request)];
  // Both schemes, since a TLS proxy might not be a trusted one.
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

export const badOrigin = () => new ApiError("BAD_ORIGIN", problem("origin_not_allowed"), {}, { status: 403 });
