import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { canSeeUser } from "../access/people.ts";
import { userSetting } from "../queries/user-settings.ts";
import { NO_STATUS, type StoredStatus, storedStatus, storedStatuses } from "../queries/user-statuses.ts";
import { allUsers, type User } from "../queries/users.ts";
import { registerPart } from "./register-part.ts";

/** Unicode code points. */
export const MAX_STATUS_LENGTH = 60;

const statusFields = z.object({
  away: z.boolean().describe("Deprecated: true if the user hides their presence."),
  status_text: z.string(),
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.string(),
});
/** The form in `user_status` events: unset fields are "". */
export type StatusFields = z.output<typeof statusFields>;

/** The form in /register and GET /users/{user_id}/status: unset fields are omitted. */
export const wireStatus = statusFields.exactPartial();
export type WireStatus = z.output<typeof wireStatus>;

function onWire(status: StoredStatus, away: boolean): WireStatus {
  const said = Object.fromEntries(Object.entries(status).filter(([, value]) => value !== ""));
  return away ? { away, ...said } : said;
}

/** Whether the user hides their presence. */
export const isAway = (reader: Reader, user: User): boolean =>
  !user.is_bot && !userSetting(reader, user.id, "presence_enabled");

export const statusOf = (reader: Reader, user: User): WireStatus =>
  onWire(storedStatus(reader, user.id), isAway(reader, user));

/** The statuses of users that the viewer can see, by user id. */
function statusesSeenBy(reader: Reader, viewer: User): Record<string, WireStatus> {
  const stored = storedStatuses(reader);
  const found: Record<string, WireStatus> = {};
  for (const user of allUsers(reader)) {
    const [status, away] = [stored.get(user.id), isAway(reader, user)];
    if ((status || away) && canSeeUser(reader, viewer, user)) found[user.id] = onWire(status ?? NO_STATUS, away);
  }
  return found;
}

export const registerParts = {
  user_status: registerPart({
    fields: { user_status: z.record(z.string(), wireStatus) },
    read: ({ reader, viewer }) => ({ user_status: statusesSeenBy(reader, viewer) }),
    spectators: { user_status: {} },
  }),
};
