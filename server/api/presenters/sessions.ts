import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { sessionDigest, sessionId } from "../access/sessions.ts";
import { type Session, sessionsOf } from "../queries/sessions.ts";
import type { User } from "../queries/users.ts";

const milliseconds = () => z.int().describe("Milliseconds since the epoch.");

export const wireSession = z.object({
  id: z.string().describe("For DELETE /host/sessions/{session_id}."),
  created_at: milliseconds(),
  expires_at: milliseconds(),
  browser: z.string().describe("Name of the browser, such as `Firefox`; empty if unknown."),
  system: z.string().describe("Operating system, such as `Windows`; empty if unknown."),
  is_current: z.boolean().describe("Whether it is the session of this request."),
});
export type WireSession = z.output<typeof wireSession>;

/** The number of browsers in which a user is signed in. */
export const wireSignIns = z.object({
  user_id: z.int(),
  browsers: z.int(),
  newest_at: milliseconds().describe("Start of the newest session, in milliseconds since the epoch."),
});

/** The user's sessions that are valid at `now`, newest first. `token`: the content of the caller's cookie. */
export function sessionList(reader: Reader, user: User, now: number, token: string | undefined): WireSession[] {
  const own = token === undefined ? undefined : sessionDigest(token);
  return sessionsOf(reader, user, now).map((session) => ({
    id: sessionId(session),
    created_at: session.created_at,
    expires_at: session.expires_at,
    ...browserOf(session),
    is_current: session.digest === own,
  }));
}

/** The first match wins, since other browsers also claim to be Chrome and Safari, and Android claims to be Linux. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/^HearthDesktop\//, "Hearth"],
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

export function browserOf({ user_agent }: Pick<Session, "user_agent">): { browser: string; system: string } {
  const first = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(user_agent))?.[1] ?? "";
  return { browser: first(BROWSERS), system: first(SYSTEMS) };
}
