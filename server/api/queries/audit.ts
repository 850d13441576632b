import type { Reader } from "../../storage/transaction.ts";
import { channelFolderById } from "./channel-folders.ts";
import { channelById } from "./channels.ts";
import { defaultStreamGroupById } from "./default-stream-groups.ts";
import { customEmojiById } from "./emoji.ts";
import { userGroupById } from "./user-groups.ts";
import { userById } from "./users.ts";

export const AUDIT_ORIGINS = ["api", "desktop", "server"] as const;

export interface AuditEntry {
  id: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** Null: the server itself. */
  actor: { user_id: number; full_name: string } | null;
  origin: (typeof AUDIT_ORIGINS)[number];
  /** An action of actions/audit-catalogue.ts, or of an earlier version. */
  action: string;
  target: string;
  before: unknown;
  after: unknown;
  /** The id of the first entry of the same request. */
  act_id: number;
  /** The current name of a user, channel, folder or group. */
  target_name: string | null;
}

interface Row {
  id: number;
  at: number;
  actor_id: number | null;
  origin: AuditEntry["origin"];
  action: string;
  target: string;
  before: string | null;
  after: string | null;
  first_id: number | null;
}

const COLUMNS = "id, at, actor_id, origin, action, target, before, after, first_id";

export const newestAuditId = (reader: Reader): number | null =>
  reader.value<number | null>("SELECT MAX(id) FROM audit") ?? null;

/** Filters the entries. An omitted field matches all. */
export interface AuditFilter {
  /** Only entries with a lower id. */
  before?: number | undefined;
  actor_id?: number | undefined;
  action?: string | undefined;
  target?: string | undefined;
  origin?: AuditEntry["origin"] | undefined;
  /** Milliseconds since the epoch: from `since` (inclusive) to `until` (exclusive). */
  since?: number | undefined;
  until?: number | undefined;
}

/** Newest first, at most `limit`. */
export function auditEntries(reader: Reader, limit: number, filter: AuditFilter = {}): AuditEntry[] {
  const rows = reader.all<Row>(
    `SELECT ${COLUMNS} FROM audit
     WHERE id < ?1 AND (?2 IS NULL OR actor_id = ?2) AND (?3 IS NULL OR action = ?3) AND (?4 IS NULL OR target = ?4)
       AND (?5 IS NULL OR origin = ?5) AND at >= ?6 AND at < ?7
     ORDER BY id DESC LIMIT ?8`,
    filter.before ?? Number.MAX_SAFE_INTEGER,
    filter.actor_id ?? null,
    filter.action ?? null,
    filter.target ?? null,
    filter.origin ?? null,
    filter.since ?? 0,
    filter.until ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
  return rows.map((row) => entryOf(reader, row));
}

/** The changes of one request, in order. */
export type AuditAct = readonly [AuditEntry, ...AuditEntry[]];

/**
 * The acts whose first entry is older than `before` and not older than `from`, newest first. The caller limits the work
 * by the range of ids: an act has an entry per change of its request.
 */
export function auditActs(reader: Reader, { from, before }: { from: number; before: number }): AuditAct[] {
  return reader
    .all<Row>(
      `SELECT ${COLUMNS} FROM audit WHERE first_id IS NULL AND id >= ? AND id < ? ORDER BY id DESC`,
      from,
      before,
    )
    .map((first) => [
      entryOf(reader, first),
      ...reader
        .all<Row>(`SELECT ${COLUMNS} FROM audit WHERE first_id = ? ORDER BY id`, first.id)
        .map((row) => entryOf(reader, row)),
    ]);
}

function entryOf(reader: Reader, { actor_id, before, after, first_id, ...row }: Row): AuditEntry {
  const actor = actor_id === null ? undefined : userById(reader, actor_id);
  return {
    ...row,
    actor: actor ? { user_id: actor.id, full_name: actor.full_name } : null,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
    act_id: first_id ?? row.id,
    target_name: nameOf(reader, row.target),
  };
}

/** The tables with the names of actors and targets. */
export const AUDIT_NAME_TABLES = [
  "users",
  "channels",
  "channel_folders",
  "default_stream_groups",
  "default_stream_group_channels", // read with the group
  "custom_emoji",
  "user_groups",
] as const;

/** Reads the current name of a target, by the prefix of its id. */
const NAMES: Readonly<Record<string, (reader: Reader, id: number) => string | undefined>> = {
  user: (reader, id) => userById(reader, id)?.full_name,
  channel: (reader, id) => channelById(reader, id)?.name,
  "channel folder": (reader, id) => channelFolderById(reader, id)?.name,
  "default channel group": (reader, id) => defaultStreamGroupById(reader, id)?.name,
  "custom emoji": (reader, id) => customEmojiById(reader, id)?.name,
  "user group": (reader, id) => userGroupById(reader, id)?.name,
};

function nameOf(reader: Reader, target: string): string | null {
  const [, kind = "", id] = /^(.+) (\d+)$/.exec(target) ?? [];
  return NAMES[kind]?.(reader, Number(id)) ?? null;
}
