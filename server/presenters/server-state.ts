import { z } from "zod";
import { auditEntries, auditEntry, newestAuditId } from "../queries/audit.ts";
import { allChannels } from "../queries/channels.ts";
import { messageIndex } from "../queries/message-index.ts";
import { firstIdSince, haveWritten } from "../queries/messages.ts";
import { organizationCreatedAt, organizationSetting } from "../queries/organization.ts";
import { activeUserIds, type User, userById } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { organizationPictureUrl } from "./pictures.ts";
import { avatarUrl } from "./users.ts";

/** The state of the server at one moment: the answer of GET /host/state. All times are in milliseconds. */
export const serverSample = z.object({
  sample: z.int().describe("Give it back as `after`."),
  now: z.int(),
  started_at: z.int(),
  version: z.string(),
  organization: z.object({
    name: z.string(),
    picture_url: z.string(),
    created_at: z.int(),
    people: z.int().describe("Active, without bots."),
    bots: z.int().describe("Active."),
    channels: z.int().describe("Not archived."),
    messages: z.int(),
    people_wrote: z.boolean().describe("Whether anybody but the server itself has sent a message."),
  }),
  network: z.object({
    host: z.string(),
    port: z.int(),
    lan: z.boolean().describe("Whether other machines can connect."),
    addresses: z.array(z.object({ url: z.string(), interface: z.string() })),
  }),
  online: z.object({
    people: z
      .array(z.object({ user_id: z.int(), full_name: z.string(), avatar_url: z.string() }))
      .describe("The first 50, by name."),
    people_count: z.int(),
    bots_count: z.int(),
  }),
  queues: z.object({ total: z.int(), waiting: z.int() }),
  messages: z.object({
    last_hour: z.int(),
    per_minute: z.array(z.int()).length(60).describe("Oldest first; the last is the minute that runs."),
    minute: z.int().describe("When it began."),
  }),
  storage: z.object({
    data_folder: z.string(),
    database_bytes: z.int(),
    log_bytes: z.int(),
    disk_free_bytes: z.int(),
    disk_total_bytes: z.int(),
    accepts_writes: z.boolean(),
  }),
  memory: z.object({ process_bytes: z.int() }),
  event_loop: z.object({ delay_ms_median: z.number(), delay_ms_p99: z.number(), delay_ms_max: z.number() }),
  audit: z.array(auditEntry).describe("The newest 10, newest first."),
  newest_audit_id: z.int().nullable(),
});
export type ServerSample = z.output<typeof serverSample>;

const WATCHED = [
  "messages",
  "users",
  "channels",
  "event_queues",
  "audit",
  "organization",
  "organization_settings",
  "organization_pictures",
];

/** A new object whenever something changes that a sample shows. */
export const serverStateMark = (reader: Reader): object => reader.derived("host state mark", WATCHED, () => ({}));

export function organizationFigures(reader: Reader): ServerSample["organization"] {
  const counted = reader.derived("host state figures", ["users", "channels"], (rows) => {
    const users = activeUserIds(rows).map((id) => userById(rows, id) as User);
    const bots = users.filter((user) => user.is_bot).length;
    const channels = allChannels(rows).filter((channel) => !channel.is_archived).length;
    return { people: users.length - bots, bots, channels };
  });
  return {
    name: organizationSetting(reader, "name"),
    picture_url: organizationPictureUrl(reader, "icon"),
    created_at: organizationCreatedAt(reader),
    ...counted,
    messages: messageIndex(reader).count(reader),
    people_wrote: haveWritten(reader),
  };
}

const MAX_SHOWN = 50;

export function onlineUsers(reader: Reader, userIds: Iterable<number>): ServerSample["online"] {
  const users = [...userIds].map((id) => userById(reader, id)).filter((user) => user?.is_active) as User[];
  const people = users.filter((user) => !user.is_bot);
  people.sort((a, b) => a.full_name.localeCompare(b.full_name) || a.id - b.id);
  return {
    people: people
      .slice(0, MAX_SHOWN)
      .map((user) => ({ user_id: user.id, full_name: user.full_name, avatar_url: avatarUrl(user) })),
    people_count: people.length,
    bots_count: users.length - people.length,
  };
}

const MINUTE = 60_000;

/**
 * How many messages were sent in each of the last 60 minutes. Ids ascend with time and have no gaps, so the first id of
 * each minute is enough: it is searched for once, and no message is counted.
 */
export class MessageRate {
  readonly #firstIds = new Map<number, number>();

  perMinute(reader: Reader, now: number): ServerSample["messages"] {
    const minute = Math.floor(now / MINUTE) * MINUTE;
    const end = messageIndex(reader).last(reader) + 1;
    const oldest = minute - 59 * MINUTE;
    for (const time of this.#firstIds.keys()) if (time < oldest || time > minute) this.#firstIds.delete(time);
    let next = end;
    const per_minute: number[] = [];
    for (let time = minute; time >= oldest; time -= MINUTE) {
      const first = Math.min(next, this.#firstIds.get(time) ?? firstIdSince(reader, time, next));
      this.#firstIds.set(time, first);
      per_minute.unshift(next - first);
      next = first;
    }
    return { last_hour: end - next, per_minute, minute };
  }
}

const AUDIT_SHOWN = 10;

export const newestAudit = (reader: Reader): Pick<ServerSample, "audit" | "newest_audit_id"> =>
  reader.derived("newest audit", ["audit", "users", "channels"], (rows) => ({
    audit: auditEntries(rows, AUDIT_SHOWN),
    newest_audit_id: newestAuditId(rows),
  }));
