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
  origin: z.enum(AUDIT_ORIGINS).describe("Where the change came from. `desktop`: the operator's credential."),
  action: z.string(), // from actions/audit-catalogue.ts, or from an earlier version
  target: z.string().describe("The changed object, such as `user 12` or `host setting ALLOWED_HOSTS`."),
  before: z.unknown(),
  after: z.unknown(),
  act_id: z.int().describe("ID of the first entry of the same request. Entries with the same value are one act."),
  target_name: z.string().nullable().describe("Current name of the target, if it is a user, channel, folder or group."),
});

/** An act: the first change of a request, and its other changes. */
export const wireAuditAct = auditEntry.extend({
  more: z.array(auditEntry).describe("Further changes of the same request."),
});
export type WireAuditAct = z.output<typeof wireAuditAct>;

/** The current names of the people and channels in the changes, by id. */
export const auditNames = z.object({
  users: z.record(z.string(), z.string()),
  channels: z.record(z.string(), z.string()),
});

/** The search criteria. An omitted field matches all entries. */
export interface AuditSearch {
  /** Null: the server itself. */
  actor_id?: number | null | undefined;
  actions?: ReadonlySet<string> | undefined;
  origin?: AuditEntry["origin"] | undefined;
  /** Matches the target and the people or channels that the change lists. */
  user_id?: number | undefined;
  channel_id?: number | undefined;
  /** Milliseconds since the epoch: from `since` (inclusive) to `until` (exclusive). */
  since?: number | undefined;
  until?: number | undefined;
  /** Matches the page's texts, names, targets and values; ignores case. */
  text?: string | undefined;
}

/** Number of audit ids to read in one step. */
const STEP = 200;

/**
 * The newest acts that are older than `before` and have a matching entry: newest first, at most `limit`. An iterator,
 * so that it can run in slices: a search with few matches reads years of entries.
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

/**
 * The fields in actions/audit-catalogue.ts that contain ids of people. "" means that the value itself is a list of ids.
 */
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

/** The people in a group setting: docs/protocol.md#group-settings. */
const membersOf = (value: unknown): number[] => {
  const members = fieldOf(value, "direct_members");
  return members === undefined ? [] : idsIn(members);
};

const idsIn = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).filter((id): id is number => Number.isSafeInteger(id));

/** The names of all people and channels in the acts. A deleted channel has no name. */
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

/** Number of acts per slice while the table is built. */
const ACTS_OF_SLICE = 50;

/** The acts as a CSV table (RFC 4180) in pieces, with a row per change. Times are in UTC. */
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

/** A cell that spreadsheets read as text. Without it, a name or topic that looks like a formula would be executed. */
function csvCell(value: string | number): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
