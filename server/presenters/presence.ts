import { z } from "zod";
import { apiEmail } from "../access/email-visibility.ts";
import { canSeeUser } from "../access/people.ts";
import { isActive, lastUpdateId, type Presence, presences, shownPresence, showsPresence } from "../queries/presence.ts";
import { type User, userById } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { registerPart } from "./register-part.ts";

/** Each field in UNIX seconds: docs/protocol.md#presence. */
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

const DAY_MS = 86_400_000;

const seconds = (ms: number) => Math.floor(ms / 1000);

/** Who was never active counts as active when they joined: clients need a time. */
export const modernPresence = (user: User, { activeAt, seenAt }: Presence): WirePresence => ({
  active_timestamp: seconds(activeAt ?? user.joined_at),
  idle_timestamp: seconds(seenAt),
});

/** All of a person's programs are told of as one. */
export function legacyPresence(known: Presence): Omit<WireClientPresence, "pushable"> {
  const active = isActive(known);
  const timestamp = seconds(active ? (known.activeAt as number) : known.seenAt);
  return { client: "website", status: active ? "active" : "idle", timestamp };
}

const byClient = (known: Presence): PresenceByClient => {
  const one = legacyPresence(known);
  return { aggregated: one, website: { ...one, pushable: false } };
};

export interface PresenceQuery {
  /** Milliseconds since the epoch. */
  now: number;
  /** Who was not here for longer is left out. */
  days: number;
  /** By user id; else the older form, by API email. */
  slim: boolean;
  /** Only what changed after this update. */
  after?: number | undefined;
}

/** Of those whom the viewer may know of, and who let others know. */
export function presencesSeenBy(
  reader: Reader,
  viewer: User,
  { now, days, slim, after = Number.NEGATIVE_INFINITY }: PresenceQuery,
): Record<string, WirePresence | PresenceByClient> {
  const since = now - days * DAY_MS;
  const found: Record<string, WirePresence | PresenceByClient> = {};
  for (const [id, known] of presences(reader).byUser) {
    if (known.seenAt < since || known.updateId <= after) continue;
    const user = userById(reader, id) as User;
    if (!showsPresence(reader, user) || !canSeeUser(reader, viewer, user)) continue;
    if (slim) found[id] = modernPresence(user, known);
    else found[apiEmail(reader, user)] = byClient(known);
  }
  return found;
}

/** Somebody's own; undefined where it is hidden, or nothing is known. */
export function presenceOf(reader: Reader, user: User): PresenceByClient | undefined {
  const presence = shownPresence(reader, user);
  return presence && byClient(presence);
}

export const registerParts = {
  presence: registerPart(
    {
      presences: z
        .record(z.string(), z.union([wirePresence, presenceByClient]))
        .describe("By user id, or by API email in the older form."),
      presence_last_update_id: z.int(),
      server_timestamp: z.number().describe("UNIX seconds."),
    },
    ({ reader, viewer, now, slimPresence, presenceHistoryLimitDays }) => ({
      presences: presencesSeenBy(reader, viewer, { now, days: presenceHistoryLimitDays, slim: slimPresence }),
      presence_last_update_id: lastUpdateId(reader),
      server_timestamp: now / 1000,
    }),
  ),
};
