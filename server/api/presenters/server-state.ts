import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { AUDIT_NAME_TABLES, auditEntries, newestAuditId } from "../queries/audit.ts";
import { systemBotIds } from "../queries/bots.ts";
import { allChannels } from "../queries/channels.ts";
import { importedBetween } from "../queries/import-ranges.ts";
import { openInvitationCounts } from "../queries/invitations.ts";
import { messageCounts, messageIndex } from "../queries/message-index.ts";
import { firstIdWrittenSince } from "../queries/messages.ts";
import { organizationCreatedAt, organizationSetting } from "../queries/organization.ts";
import { activeUserIds, ROLES, type User, userById } from "../queries/users.ts";
import { deliveryCounts, retriedBots } from "../queries/webhook-deliveries.ts";
import { auditEntry } from "./audit.ts";
import { organizationPictureUrl } from "./pictures.ts";
import { wireProblem } from "./problems.ts";
import { avatarUrl } from "./users.ts";

const hostFigures = z.object({
  storage: z.object({
    data_folder: z.string(),
    database_bytes: z.int(),
    log_bytes: z.int(),
    disk_free_bytes: z.int(),
    disk_total_bytes: z.int(),
    damaged_uploads: z.int().describe("Uploaded files that are damaged or missing."),
  }),
  memory: z.object({ process_bytes: z.int() }),
  event_loop: z.object({ delay_ms_median: z.number(), delay_ms_p99: z.number(), delay_ms_max: z.number() }),
  backups: z.object({
    last_at: z
      .int()
      .nullable()
      .describe("Time of the organization's newest backup; null if there is none. Ignores times in the future."),
    ahead_at: z
      .int()
      .nullable()
      .describe("Time of the newest backup from the future, caused by a wrong clock; null if there is none."),
    is_old: z.boolean().describe("Whether daily backups are on, but there was none for three days."),
    failure: z.object({ at: z.int(), problem: wireProblem }).nullable().describe("Failure of the newest attempt."),
  }),
  audit: z.array(auditEntry).describe("The newest 10 entries, newest first."),
  newest_audit_id: z.int().nullable(),
});

export type HostFigures = z.output<typeof hostFigures>;

/** The state of the server at one moment: the response of GET /host/state. All times are in milliseconds. */
export const serverSample = z.object({
  sample: z.int().describe("Pass it as `after` to wait for a newer sample."),
  now: z.int(),
  started_at: z.int(),
  version: z.string(),
  organization: z.object({
    name: z.string(),
    picture_url: z.string(),
    created_at: z.int(),
    people: z.int().describe("Active people, without bots."),
    guests: z.int().describe("Guests among the active people."),
    bots: z.int().describe("Active bots, without the server's own bots."),
    joined_last_week: z.int().describe("Active people who joined in the last 7 days."),
    newcomers: z
      .array(z.object({ user_id: z.int(), full_name: z.string(), avatar_url: z.string(), joined_at: z.int() }))
      .describe("The newest 10 people who joined in the last 7 days, newest first."),
    channels: z.int().describe("Channels that are not archived."),
    messages: z.int().describe("Messages from people and their bots."),
    notices: z.int().describe("System messages from the server's own bots, such as a channel rename."),
    people_wrote: z.boolean().describe("Whether anyone except the server itself has sent a message."),
  }),
  network: z.object({
    host: z.string(),
    port: z.int(),
    lan: z.boolean().describe("Whether other machines can connect."),
    https: z.enum(["off", "local authority", "files"]).describe("How other machines connect: the setting HTTPS."),
    addresses: z.array(z.object({ url: z.string(), interface: z.string() })),
  }),
  online: z.object({
    people: z
      .array(z.object({ user_id: z.int(), full_name: z.string(), avatar_url: z.string() }))
      .describe("The first 50 people, ordered by name."),
    people_count: z.int(),
    elsewhere_count: z.int().describe("People with an app other than the chat window of the desktop app."),
    bots_count: z.int(),
  }),
  queues: z.object({
    total: z.int().describe("Event queues of apps, including the chat page."),
    waiting: z.int(),
    pages: z
      .object({ total: z.int(), waiting: z.int() })
      .describe("Event queues of Hearth's own pages, except the chat page."),
  }),
  messages: z.object({
    last_hour: z.int().describe("Messages from people and their bots."),
    per_minute: z.array(z.int()).length(60).describe("Oldest first. The last item is the current minute."),
    notices_last_hour: z.int().describe("System messages from the server's own bots."),
    notices_per_minute: z.array(z.int()).length(60),
    minute: z.int().describe("Start of the current minute."),
  }),
  deliveries: z
    .object({
      waiting: z.int(),
      failed: z.int(),
      retried: z
        .object({
          count: z.int(),
          bots: z
            .array(z.object({ bot_id: z.int(), full_name: z.string(), waiting: z.int() }))
            .describe("The first 5 bots."),
        })
        .describe("Bots whose next delivery failed and is being retried."),
    })
    .describe("Deliveries of outgoing webhooks. `failed`: deliveries that were given up."),
  invitations: z
    .object({ links: z.int(), people: z.int() })
    .describe(
      "Invitations that can still be used. `links`: reusable links. `people`: invited people who have not joined.",
    ),
  accepts_writes: z.boolean().describe("False while the disk is full."),
  host: hostFigures.nullable().describe("State of the machine, for the operator and owners; null for others."),
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
  "invitations",
  "webhook_deliveries",
  "bots",
];

/** Returns a new object whenever data in a sample changes. */
export const serverStateMark = (reader: Reader): object => reader.derived("host state mark", WATCHED, () => ({}));

const WEEK_MS = 7 * 86_400_000;
const NEWCOMERS_SHOWN = 10;

export function organizationFigures(reader: Reader, now: number): ServerSample["organization"] {
  const { newestFirst, ...counted } = reader.derived("host state figures", ["users", "channels"], (rows) => {
    const users = activeUserIds(rows).map((id) => userById(rows, id) as User);
    const people = users.filter((user) => !user.is_bot);
    const guests = people.filter(({ role }) => role === ROLES.guest).length;
    const channels = allChannels(rows).filter((channel) => !channel.is_archived).length;
    people.sort((a, b) => b.joined_at - a.joined_at || b.id - a.id);
    return { newestFirst: people, people: people.length, guests, bots: users.length - people.length, channels };
  });
  const firstOlder = newestFirst.findIndex(({ joined_at }) => joined_at <= now - WEEK_MS);
  const joined = firstOlder < 0 ? newestFirst.length : firstOlder;
  const { messages: sent, notices } = messageCounts(reader);
  const messages = sent - notices;
  return {
    name: organizationSetting(reader, "name"),
    picture_url: organizationPictureUrl(reader, "icon"),
    created_at: organizationCreatedAt(reader),
    ...counted,
    joined_last_week: joined,
    newcomers: newestFirst.slice(0, Math.min(joined, NEWCOMERS_SHOWN)).map((user) => ({
      user_id: user.id,
      full_name: user.full_name,
      avatar_url: avatarUrl(user),
      joined_at: user.joined_at,
    })),
    messages,
    notices,
    people_wrote: messages > 0,
  };
}

const DELIVERY_TABLES = ["webhook_deliveries", "users", "bots", "bot_services"];
const BOTS_SHOWN = 5;

/** Items that need attention: failed deliveries and unused invitations. */
export const waitingFigures = (reader: Reader, now: number): Pick<ServerSample, "deliveries" | "invitations"> => ({
  deliveries: reader.derived("host state deliveries", DELIVERY_TABLES, (rows) => ({
    ...deliveryCounts(rows),
    retried: retriedBots(rows, BOTS_SHOWN),
  })),
  invitations: openInvitationCounts(reader, now),
});

const MAX_SHOWN = 50;

/** `elsewhere`: those with an app other than the chat window of the desktop app. */
export function onlineUsers(
  reader: Reader,
  userIds: Iterable<number>,
  elsewhere: ReadonlySet<number>,
): ServerSample["online"] {
  const users = [...userIds].map((id) => userById(reader, id)).filter((user) => user?.is_active) as User[];
  const people = users.filter((user) => !user.is_bot);
  people.sort((a, b) => a.full_name.localeCompare(b.full_name) || a.id - b.id);
  return {
    people: people
      .slice(0, MAX_SHOWN)
      .map((user) => ({ user_id: user.id, full_name: user.full_name, avatar_url: avatarUrl(user) })),
    people_count: people.length,
    elsewhere_count: people.filter(({ id }) => elsewhere.has(id)).length,
    bots_count: users.length - people.length,
  };
}

/** The organization's name, and the number of people among these users. */
export const organizationSummary = (reader: Reader, online: Iterable<number>) => {
  let peopleOnline = 0;
  for (const id of online) {
    const user = userById(reader, id);
    if (user?.is_active && !user.is_bot) peopleOnline += 1;
  }
  return { name: organizationSetting(reader, "name"), peopleOnline };
};

const MINUTE = 60_000;

interface Minute {
  /** The id of the first message in it. */
  first: number;
  /** The number of system messages among its messages with an id below `countedTo`. */
  notices: number;
  countedTo: number;
}

/**
 * Counts the messages of each of the last 60 minutes. Ids ascend with time and have no gaps, so the first id of each
 * minute is enough: it is searched for once. The sender of a message is looked up in the index, also once.
 */
export class MessageRate {
  readonly #minutes = new Map<number, Minute>();

  perMinute(reader: Reader, now: number): ServerSample["messages"] {
    const minute = Math.floor(now / MINUTE) * MINUTE;
    const end = messageIndex(reader).last(reader) + 1;
    const oldest = minute - 59 * MINUTE;
    for (const time of this.#minutes.keys()) if (time < oldest || time > minute) this.#minutes.delete(time);
    const bots = new Set(systemBotIds(reader));
    const [per_minute, notices_per_minute]: [number[], number[]] = [[], []];
    let [next, notices_last_hour] = [end, 0];
    for (let time = minute; time >= oldest; time -= MINUTE) {
      const known = this.#minutes.get(time);
      const first = Math.min(next, known?.first ?? firstIdWrittenSince(reader, time, next));
      const from = known?.countedTo ?? first;
      const notices = (known?.notices ?? 0) + messageIndex(reader).countBy(reader, bots, { first: from, end: next });
      this.#minutes.set(time, { first, notices, countedTo: next });
      const imported = importedBetween(reader, first, next - 1);
      per_minute.unshift(Math.max(0, next - first - imported - notices)); // the clock may have been set back
      notices_per_minute.unshift(notices);
      notices_last_hour += notices;
      next = first;
    }
    const last_hour = per_minute.reduce((sum, count) => sum + count, 0);
    return { last_hour, per_minute, notices_last_hour, notices_per_minute, minute };
  }
}

const AUDIT_SHOWN = 10;

export const newestAudit = (reader: Reader): Pick<HostFigures, "audit" | "newest_audit_id"> =>
  reader.derived("newest audit", ["audit", ...AUDIT_NAME_TABLES], (rows) => ({
    audit: auditEntries(rows, AUDIT_SHOWN),
    newest_audit_id: newestAuditId(rows),
  }));
