import { z } from "zod";
import { canSeeUser } from "../access/people.ts";
import { type User, userById } from "../access/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { organizationSetting } from "./organization.ts";
import type { RegisterPart } from "./register-context.ts";
import { userSetting } from "./user-settings.ts";
import { apiEmail } from "./users.ts";

/** Contract/register.json, presences: each field in UNIX seconds. */
export const wirePresence = z.object({ active_timestamp: z.int(), idle_timestamp: z.int() });
export type WirePresence = z.output<typeof wirePresence>;

export const clientPresence = z.object({
  client: z.string(),
  status: z.enum(["active", "idle"]),
  timestamp: z.int(),
  pushable: z.boolean().optional(),
});
export type WireClientPresence = z.output<typeof clientPresence>;
type PresenceByClient = Record<string, WireClientPresence>;

/** Milliseconds since the epoch. */
export interface Presence {
  /** When the person last did something; null: not since they are here. */
  readonly activeAt: number | null;
  /** When a program of theirs last said anything. */
  readonly seenAt: number;
  /** Ascends with every change of anybody's. */
  readonly updateId: number;
}

/** Clients say it every minute; who has said nothing for so long is gone (server_presence_offline_threshold_seconds). */
const OFFLINE_MS = 200_000;
/** One report of being active lasts until the next is due, and a little longer. */
const ACTIVE_MS = 70_000;
const DAY_MS = 86_400_000;

/** What is known of who is here: in memory, and written down now and then. */
export interface Presences {
  readonly byUser: Map<number, Presence>;
  /** Whose is newer than what is written down. */
  readonly unsaved: Set<number>;
  /** The newest; ascending over restarts, since it is at least the time. */
  lastUpdateId: number;
}

interface Row {
  id: number;
  active: number | null;
  seen: number;
  update_id: number;
}

const kept = new WeakMap<object, Presences>();

export function presences(reader: Reader): Presences {
  const database = reader.derived("the database itself", [], (itself) => itself);
  let known = kept.get(database);
  if (!known) {
    const rows = reader.all<Row>(
      "SELECT user_id AS id, active_at AS active, seen_at AS seen, update_id FROM presences ORDER BY user_id",
    );
    known = {
      byUser: new Map(rows.map(({ id, active, seen, update_id }) => [id, presence(active, seen, update_id)])),
      unsaved: new Set(),
      lastUpdateId: rows.reduce((last, { update_id }) => Math.max(last, update_id), 0),
    };
    kept.set(database, known);
  }
  return known;
}

const presence = (activeAt: number | null, seenAt: number, updateId: number): Presence => ({
  activeAt,
  seenAt,
  updateId,
});

/** Whether it is kept, and told, when the user is here. */
export const showsPresence = (reader: Reader, user: User): boolean =>
  !user.is_bot &&
  user.is_active &&
  userSetting(reader, user.id, "presence_enabled") &&
  !organizationSetting(reader, "presence_disabled");

const isActive = ({ activeAt, seenAt }: Presence): boolean => activeAt !== null && seenAt - activeAt < ACTIVE_MS;

/** As others see it who are told of changes. */
export function statusAt(known: Presence | undefined, now: number): "active" | "idle" | "offline" {
  if (!known || now - known.seenAt > OFFLINE_MS) return "offline";
  return isActive(known) ? "active" : "idle";
}

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

export interface PresencesWanted {
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
  { now, days, slim, after = Number.NEGATIVE_INFINITY }: PresencesWanted,
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
  const known = presences(reader).byUser.get(user.id);
  return known && showsPresence(reader, user) ? byClient(known) : undefined;
}

/** -1 where nobody was here yet. */
export function lastUpdateId(reader: Reader): number {
  const known = presences(reader);
  return known.lastUpdateId === 0 ? -1 : known.lastUpdateId;
}

export const registerParts: Record<string, RegisterPart> = {
  presence: ({ reader, viewer, now, slimPresence, presenceHistoryLimitDays }) => ({
    presences: presencesSeenBy(reader, viewer, { now, days: presenceHistoryLimitDays, slim: slimPresence }),
    presence_last_update_id: lastUpdateId(reader),
    server_timestamp: now / 1000,
  }),
};
