import type { IncomingMessage } from "node:http";
import { ApiError } from "../errors.ts";

/** A browser sends the cookies of one port of a machine to all of them, so the port is in the name. */
function cookieName(request: IncomingMessage): string {
  return `hearth_session_${/:(\d{1,5})$/.exec(request.headers.host ?? "")?.[1] ?? "80"}`;
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
  `${cookieName(request)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;

/** SameSite knows no ports: a page of another program on this machine may send our cookie, but not claim our origin. */
export function isOwnOrigin({ headers: { origin, host } }: IncomingMessage): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

export const badOrigin = () =>
  new ApiError(
    "BAD_ORIGIN",
    "A browser may do this from the server's own pages only: the Origin header names another, or none.",
    {},
    { status: 403 },
  );
