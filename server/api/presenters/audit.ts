import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { AUDIT_ORIGINS, type AuditAct, type AuditEntry, auditActs, newestAuditId } from "../queries/audit.ts";
import { channelById } from "../queries/channels.ts";
import { userById } from "../queries/users.ts";
import { type AuditNameOf, auditInAllLanguages, auditInEnglish, auditNameOf } from "./audit-words.ts";

export const auditEntry = z.object({
  id: z.int(),
  at: z.int().describe("Milliseconds since the epoch."),
  actor: z.object({ user_id: z.int(), full_name: z.string() }).nullable().describe("Null: the server itself."),
  origin: z.enum(AUDIT_ORIGINS).describe("By which way it came; desktop: from the person at the machine."),
  action: z.string(), // of actions/audit-catalogue.ts, or as an earlier version named it
  target: z.string().describe("What changed: `user 12`, `host setting ALLOWED_HOSTS`."),
  before: z.unknown(),
  after: z.unknown(),
  act_id: z.int().describe("The first entry of the request that made this change: entries with the same are one act."),
  target_name: z.string().nullable().describe("The name that the target has now, of a user, channel, folder or group."),
});

/** An act: its first change, and what the same request changed besides. */
export const wireAuditAct = auditEntry.extend({
  more: z.array(auditEntry).describe("What the same request changed after that."),
});
export type WireAuditAct = z.output<typeof wireAuditAct>;

/** The present names of the people and channels that the changes are about, by their ids. */
export const auditNames = z.object({
  users: z.record(z.string(), z.string()),
  channels: z.record(z.string(), z.string()),
});

/** What an entry has to be like; what is left out admits all. */
export interface AuditSearch {
  /** Null: by the server itself. */
  actor_id?: number | null | undefined;
  actions?: ReadonlySet<string> | undefined;
  origin?: AuditEntry["origin"] | undefined;
  /** About this person or channel: as the target, or among those whom the change lists. */
  user_id?: number | undefined;
  channel_id?: number | undefined;
  /** Milliseconds since the epoch: from `since` on, and before `until`. */
  since?: number | undefined;
  until?: number | undefined;
  /** In the words of the pages, or in names, targets or values, in any case. */
  text?: string | undefined;
}

/** Ids of the audit that are read in one step. */
const STEP = 200;

/**
 * The newest acts older than the act `before` with an entry that matches, newest first and at most `limit`. An
 * iterator, for slices: an audit of years is searched to its end when little matches.
 */
export function* findAuditActs(
  reader: Reader,
  search: AuditSearch,
  { before, limit }: { before?: number | undefined; limit: number },
): Generator<undefined, WireAuditAct[]> {
  const found: WireAuditAct[] = [];
  const matches = matcherOf(search, auditNameOf(reader));
  let end = before ?? (newestAuditId(reader) ?? 0) + 1;
  while (end > 1 && found.length < limit) {
    const from = Math.max(1, end - STEP);
    for (const act of auditActs(reader, { from, before: end })) {
      if (found.length < limit && act.some(matches)) found.push(onWire(act));
    }
    end = from;
    yield undefined;
  }
  return found;
}

const onWire = ([first, ...more]: AuditAct): WireAuditAct => ({ ...first, more });

function matcherOf(search: AuditSearch, nameOf: AuditNameOf): (entry: AuditEntry) => boolean {
  const { actor_id, actions, origin, user_id, channel_id, since = 0, until = Number.POSITIVE_INFINITY } = search;
  const text = search.text?.trim().toLocaleLowerCase() ?? "";
  return (entry) => {
    if (entry.at < since || entry.at >= until) return false;
    if (actor_id !== undefined && (entry.actor?.user_id ?? null) !== actor_id) return false;
    if (actions && !actions.has(entry.action)) return false;
    if (origin !== undefined && entry.origin !== origin) return false;
    if (user_id !== undefined && !affectedBy(entry).users.has(user_id)) return false;
    if (channel_id !== undefined && !affectedBy(entry).channels.has(channel_id)) return false;
    return text === "" || searched(entry, nameOf).includes(text);
  };
}

function searched(entry: AuditEntry, nameOf: AuditNameOf): string {
  const { actor, action, target, target_name, before, after } = entry;
  const names = [actor?.full_name ?? "", action, target, target_name ?? ""];
  return [...auditInAllLanguages(entry, nameOf), ...names, JSON.stringify(before), JSON.stringify(after)]
    .join("\n")
    .toLocaleLowerCase();
}

interface Affected {
  readonly users: ReadonlySet<number>;
  readonly channels: ReadonlySet<number>;
}

/** Where the values of actions/audit-catalogue.ts hold ids of people; a value that is itself ids is "". */
const PEOPLE_IN: Readonly<Record<string, readonly string[]>> = {
  "subscribe users": [""],
  "unsubscribe users": [""],
  "change bot owner": [""],
  "create user group": ["members"],
  "change members of user group": ["add", "remove"],
  "revoke invitation": ["invited_by"],
  "join by invitation": ["invited_by"],
};
const CHANNELS_IN: Readonly<Record<string, readonly string[]>> = {
  "create invitation link": ["channels"],
  "invite by email": ["channels"],
  "join by invitation": ["channels"],
  "join without invitation": ["channels"],
  "create default channel group": ["streams"],
  "change channels of default channel group": [""],
  "delete default channel group": ["streams"],
};

/** The people and channels that an entry is about. */
export function affectedBy({ action, target, before, after }: AuditEntry): Affected {
  const [, kind, id] = /^(user|channel) (\d+)$/.exec(target) ?? [];
  const listed = (fields: readonly string[] = []) =>
    [before, after].flatMap((value) => fields.flatMap((field) => idsIn(field === "" ? value : fieldOf(value, field))));
  const named = [before, after].flatMap((value) => [value, ...Object.values(value ?? {})]).flatMap(membersOf);
  return {
    users: new Set([...(kind === "user" ? [Number(id)] : []), ...listed(PEOPLE_IN[action]), ...named]),
    channels: new Set([...(kind === "channel" ? [Number(id)] : []), ...listed(CHANNELS_IN[action])]),
  };
}

const fieldOf = (value: unknown, field: string): unknown =>
  value === null || typeof value !== "object" ? undefined : (value as Record<string, unknown>)[field];

/** The people whom a group setting names: docs/protocol.md#group-settings. */
const membersOf = (value: unknown): number[] => {
  const members = fieldOf(value, "direct_members");
  return members === undefined ? [] : idsIn(members);
};

const idsIn = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).filter((id): id is number => Number.isSafeInteger(id));

/** The names of everybody and every channel that the acts are about; a channel that is gone has none. */
export function namesIn(reader: Reader, acts: readonly WireAuditAct[]): z.output<typeof auditNames> {
  const users: Record<string, string> = {};
  const channels: Record<string, string> = {};
  for (const entry of acts.flatMap(({ more, ...first }) => [first, ...more])) {
    const affected = affectedBy(entry);
    for (const id of affected.users) users[id] ??= userById(reader, id)?.full_name ?? "";
    for (const id of affected.channels) channels[id] ??= channelById(reader, id)?.name ?? "";
  }
  const known = (names: Record<string, string>) =>
    Object.fromEntries(Object.entries(names).filter(([, name]) => name !== ""));
  return { users: known(users), channels: known(channels) };
}

const CSV_HEADER = [
  "time",
  "act",
  "entry",
  "by",
  "by_id",
  "from",
  "in_words",
  "action",
  "what",
  "name",
  "before",
  "after",
];

/** Acts between two points at which the table's making may be interrupted. */
const ACTS_OF_SLICE = 50;

/** The acts as a table, each change a row, in the form of RFC 4180; in pieces. Times are in UTC. */
export function* auditCsv(reader: Reader, acts: readonly WireAuditAct[]): Generator<undefined, Buffer[]> {
  const pieces = [Buffer.from(csvRow(CSV_HEADER))];
  const nameOf = auditNameOf(reader);
  for (let at = 0; at < acts.length; at += ACTS_OF_SLICE) {
    const rows = acts
      .slice(at, at + ACTS_OF_SLICE)
      .flatMap(({ more, ...first }) => [first, ...more])
      .map((entry) => cellsOf(entry, nameOf));
    pieces.push(Buffer.from(rows.map(csvRow).join("")));
    yield;
  }
  return pieces;
}

const csvRow = (cells: readonly (string | number)[]): string => `${cells.map(csvCell).join(",")}\r\n`;

function cellsOf(entry: AuditEntry, nameOf: AuditNameOf): (string | number)[] {
  const { id, at, act_id, actor, origin, action, target, target_name, before, after } = entry;
  return [
    new Date(at).toISOString(),
    act_id,
    id,
    actor?.full_name ?? "",
    actor?.user_id ?? "",
    origin,
    auditInEnglish(entry, nameOf),
    action,
    target,
    target_name ?? "",
    before === null ? "" : JSON.stringify(before),
    after === null ? "" : JSON.stringify(after),
  ];
}

/**
 * A cell that a spreadsheet reads as text: one that begins like a formula would be computed there, with what whoever
 * chose a name or a topic wrote into it.
 */
function csvCell(value: string | number): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
