import { z } from "zod";
import { DAY_MS } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { apiEmail } from "../access/email-visibility.ts";
import { canSeeUser } from "../access/people.ts";
import {
  hidesPresence,
  isActive,
  isFromFuture,
  lastUpdateId,
  type Presence,
  presences,
  shownPresence,
  showsPresence,
  statusAt,
} from "../queries/presence.ts";
import { type User, userById } from "../queries/users.ts";
import { registerPart } from "./register-part.ts";

/** UNIX seconds in each field: docs/protocol.md#presence. */
export const wirePresence = z.object({ active_timestamp: z.int(), idle_timestamp: z.int() });
export type WirePresence = z.output<typeof wirePresence>;

export const clientPresence = z.object({
  client: z.string(),
  status: z.enum(["active", "idle"]),
  timestamp: z.int(),
  pushable: z.boolean().exactOptional(),
});
export type WireClientPresence = z.output<typeof clientPresence>;
export const presenceByClient = z.record(z.string(), clientPresence);
type PresenceByClient = z.output<typeof presenceByClient>;

const seconds = (ms: number) => Math.floor(ms / 1000);

/** A user who was never active counts as active at the time they joined, since clients need a time. */
export const modernPresence = (user: User, { activeAt, seenAt }: Presence): WirePresence => ({
  active_timestamp: seconds(activeAt ?? user.joined_at),
  idle_timestamp: seconds(seenAt),
});

/** Combines all of a user's clients into one. */
export function legacyPresence(presence: Presence): Omit<WireClientPresence, "pushable"> {
  const active = isActive(presence);
  const timestamp = seconds(active ? (presence.activeAt as number) : presence.seenAt);
  return { client: "website", status: active ? "active" : "idle", timestamp };
}

const byClient = (presence: Presence): PresenceByClient => {
  const one = legacyPresence(presence);
  return { aggregated: one, website: { ...one, pushable: false } };
};

export interface PresenceQuery {
  /** Milliseconds since the epoch. */
  now: number;
  /** Omits users who were last seen more than this many days ago. */
  days: number;
  /** True: by user id. False: the legacy format, by API email. */
  slim: boolean;
  /** Only changes after this update. */
  after?: number | undefined;
}

/** The presences that the viewer can see: of visible users who share theirs. */
export function presencesSeenBy(
  reader: Reader,
  viewer: User,
  { now, days, slim, after = Number.NEGATIVE_INFINITY }: PresenceQuery,
): Record<string, WirePresence | PresenceByClient> {
  const since = now - days * DAY_MS;
  const found: Record<string, WirePresence | PresenceByClient> = {};
  for (const [id, presence] of presences(reader).byUser) {
    if (presence.seenAt < since || isFromFuture(presence, now) || presence.updateId <= after) continue;
    const user = userById(reader, id) as User;
    if (!showsPresence(reader, user) || !canSeeUser(reader, viewer, user)) continue;
    if (slim) found[id] = modernPresence(user, presence);
    else found[apiEmail(reader, user)] = byClient(presence);
  }
  return found;
}

/** The response to a request for a single user. */
export const userPresence = z.record(
  z.enum(["aggregated", "website"]),
  z.object({ status: z.enum(["active", "idle", "offline"]), timestamp: z.int() }),
);

/** For a user of `userWithPresence`. A hidden presence has the time when the user joined, since it must reveal nothing. */
export function presenceOf(reader: Reader, user: User, now: number): z.output<typeof userPresence> {
  const presence = shownPresence(reader, user, now) ?? { activeAt: null, seenAt: user.joined_at, updateId: -1 };
  const { status, timestamp } = legacyPresence(presence);
  const isOffline = hidesPresence(reader, user) || statusAt(presence, now) === "offline";
  return { aggregated: { status: isOffline ? "offline" : status, timestamp }, website: { status, timestamp } };
}

export const registerParts = {
  presence: registerPart({
    fields: {
      presences: z
        .record(z.string(), z.union([wirePresence, presenceByClient]))
        .describe("By user ID, or by API email in the older form."),
      presence_last_update_id: z.int(),
      server_timestamp: z.number().describe("UNIX seconds."),
    },
    read: ({ reader, viewer, now, slimPresence, presenceHistoryLimitDays }) => ({
      presences: presencesSeenBy(reader, viewer, { now, days: presenceHistoryLimitDays, slim: slimPresence }),
      presence_last_update_id: lastUpdateId(reader),
      server_timestamp: now / 1000,
    }),
    spectators: ({ now }) => ({ presences: {}, presence_last_update_id: -1, server_timestamp: now / 1000 }),
  }),
};
