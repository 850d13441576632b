import { z } from "zod";
import { canSeeUser } from "../access/people.ts";
import { userSetting } from "../queries/user-settings.ts";
import { NO_STATUS, type StoredStatus, storedStatus, storedStatuses } from "../queries/user-statuses.ts";
import { allUsers, type User } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";
import type { RegisterPart } from "./register-context.ts";

/** Unicode code points. */
export const MAX_STATUS_LENGTH = 60;

/** As a change says it: "" for what is not there. */
export interface StatusFields {
  away: boolean;
  status_text: string;
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
}

/** What is empty is left out. */
export type WireStatus = Partial<StatusFields>;
export const wireStatus = z.object({
  away: z.boolean().optional().describe("Deprecated: true where the user's presence is hidden."),
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
}) as unknown as z.ZodType<WireStatus>;

function onWire(status: StoredStatus, away: boolean): WireStatus {
  const said = Object.fromEntries(Object.entries(status).filter(([, value]) => value !== ""));
  return away ? { away, ...said } : said;
}

/** Hides when they are here. */
export const isAway = (reader: Reader, user: User): boolean =>
  !user.is_bot && !userSetting(reader, user.id, "presence_enabled");

export const statusOf = (reader: Reader, user: User): WireStatus =>
  onWire(storedStatus(reader, user.id), isAway(reader, user));

/** By user id, of those whom the viewer may know of and who have one. */
function statusesSeenBy(reader: Reader, viewer: User): Record<string, WireStatus> {
  const stored = storedStatuses(reader);
  const found: Record<string, WireStatus> = {};
  for (const user of allUsers(reader)) {
    const [status, away] = [stored.get(user.id), isAway(reader, user)];
    if ((status || away) && canSeeUser(reader, viewer, user)) found[user.id] = onWire(status ?? NO_STATUS, away);
  }
  return found;
}

export const registerParts: Record<string, RegisterPart> = {
  user_status: ({ reader, viewer }) => ({ user_status: statusesSeenBy(reader, viewer) }),
};
