import { type MailTimes, mailTime } from "../../notifications/decision.ts";
import type { Reader } from "../../storage/transaction.ts";
import { presences } from "../queries/presence.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";
import { couldBeStandIn } from "./email-visibility.ts";

/** The address of an imported person whose own address is unknown: `freeStubEmail` of actions/imports.ts. */
const IMPORTED = /^imported-\d+-\d+@/i;
/** Names that never have a mail server (RFC 6761). */
const UNREACHABLE = /@(?:.*\.)?(?:invalid|localhost)$/i;

export const isDeliverable = (reader: Reader, email: string): boolean =>
  email.includes("@") && !UNREACHABLE.test(email) && !IMPORTED.test(email) && !couldBeStandIn(reader, email);

/** An active person with an email address that mails can reach. */
export function personToMail(reader: Reader, userId: number): User | undefined {
  const user = userById(reader, userId);
  return user?.is_active && !user.is_bot && isDeliverable(reader, user.email) ? user : undefined;
}

/** When a message from `sentAt` may be mailed to the user, in milliseconds. */
export function mailTimeFor(reader: Reader, userId: number, { sentAt, now }: { sentAt: number; now: number }): number {
  const settings: MailTimes = {
    email_notifications_batching_period_seconds: userSetting(
      reader,
      userId,
      "email_notifications_batching_period_seconds",
    ),
    push_away_minutes: userSetting(reader, userId, "push_away_minutes"),
  };
  const activeAt = presences(reader).byUser.get(userId)?.activeAt ?? null;
  // A time in the future comes from a wrong clock.
  return mailTime(settings, { sentAt, activeAt: activeAt !== null && activeAt <= now ? activeAt : null });
}
