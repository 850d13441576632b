import { DAY_MS } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { emailKey, type Role } from "./users.ts";

/** Unicode code points. */
export const MAX_WELCOME_TEXT_LENGTH = 8000;
/** Invited email addresses in total, from all inviters: docs/protocol.md#limits. */
export const MAX_INVITED_A_DAY = 100;

/** The role, channels and groups of a person who joins. */
export interface Grants {
  role: Role;
  /** Ascending. */
  channelIds: number[];
  groupIds: number[];
  defaultChannels: boolean;
  /** Null: the organization's text; empty: no text. */
  welcomeText: string | null;
}

export interface Invitation extends Grants {
  id: number;
  digest: string;
  seed: string;
  inviter_id: number;
  /** Null: a reusable link for anyone, or an invitation to claim an imported account. */
  email: string | null;
  /** The imported account that the link activates; null: the link creates an account. */
  stub_id: number | null;
  /** Milliseconds since the epoch. */
  made_at: number;
  /** Null: never. */
  expires_at: number | null;
  notifiesInviter: boolean;
}

type Plain = "id" | "digest" | "seed" | "inviter_id" | "role" | "email" | "stub_id" | "made_at" | "expires_at";
type Row = Pick<Invitation, Plain> & {
  default_channels: number;
  welcome_text: string | null;
  tells_inviter: number;
};

const COLUMNS = `id, digest, seed, inviter_id, role, email, stub_id, made_at, expires_at, default_channels,
  welcome_text, tells_inviter`;

const idsIn = (rows: { id: number }[]): number[] => rows.map(({ id }) => id);

const fromRow = (
  { default_channels, welcome_text, tells_inviter, ...rest }: Row,
  lists: Pick<Grants, "channelIds" | "groupIds">,
): Invitation => ({
  ...rest,
  ...lists,
  defaultChannels: default_channels === 1,
  welcomeText: welcome_text,
  notifiesInviter: tells_inviter === 1,
});

const CHANNELS_OF = "SELECT channel_id AS id FROM invitation_channels WHERE invitation_id = ? ORDER BY channel_id";
const GROUPS_OF = "SELECT group_id AS id FROM invitation_groups WHERE invitation_id = ? ORDER BY group_id";

const withLists = (reader: Reader, row: Row): Invitation =>
  fromRow(row, {
    channelIds: idsIn(reader.all(CHANNELS_OF, row.id)),
    groupIds: idsIn(reader.all(GROUPS_OF, row.id)),
  });

const hasExpired = ({ expires_at }: Pick<Invitation, "expires_at">, now: number): boolean =>
  expires_at !== null && expires_at <= now;

/** The invitation, unless it has expired. */
export function invitationById(reader: Reader, id: number, now: number): Invitation | undefined {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM invitations WHERE id = ?`, id);
  return row && !hasExpired(row, now) ? withLists(reader, row) : undefined;
}

/** The invitation whose token has this digest, unless it has expired. */
export function invitationByDigest(reader: Reader, digest: string, now: number): Invitation | undefined {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM invitations WHERE digest = ?`, digest);
  return row && !hasExpired(row, now) ? withLists(reader, row) : undefined;
}

/** The id of the invitation to claim this account, even if it has expired. */
export const claimInvitationOf = (
  reader: Reader,
  stubId: number,
): { id: number; inviter_id: number; role: Role } | undefined =>
  reader.get("SELECT id, inviter_id, role FROM invitations WHERE stub_id = ?", stubId);

/** Ids of all invitations to this email address, including expired ones. */
export const invitationsTo = (reader: Reader, email: string): number[] =>
  idsIn(reader.all("SELECT id FROM invitations WHERE email_key = ? ORDER BY id", emailKey(email)));

/** The number of email addresses that were invited in the last 24 hours. */
export const recentlyInvited = (reader: Reader, now: number): number =>
  reader.value<number>("SELECT count(*) FROM invited_addresses WHERE at > ? AND at <= ?", now - DAY_MS, now + DAY_MS) ??
  0;

/** People who joined by an invitation, newest first. */
export interface Joining {
  user_id: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** By invitation, from the audit log: an invitation does not store its users. */
export const joiningsByInvitation = (reader: Reader): ReadonlyMap<number, readonly Joining[]> =>
  reader.derived("joinings by invitation", ["audit"], (rows) => {
    const found = new Map<number, Joining[]>();
    const entries = rows.all<{ at: number; actor_id: number | null; invitation_id: number | null }>(
      `SELECT at, actor_id, json_extract(after, '$.invitation') AS invitation_id FROM audit INDEXED BY audit_of_joining
       WHERE action = 'join by invitation' ORDER BY id DESC`,
    );
    for (const { at, actor_id, invitation_id } of entries) {
      if (actor_id === null || invitation_id === null) continue;
      const joinings = found.get(invitation_id);
      if (joinings) joinings.push({ user_id: actor_id, at });
      else found.set(invitation_id, [{ user_id: actor_id, at }]);
    }
    return found;
  });

/** The number of usable reusable links, and of usable invitations for a person. Excludes those of deactivated users. */
export function openInvitationCounts(reader: Reader, now: number): { links: number; people: number } {
  const counted = reader.get<{ links: number; people: number }>(
    `SELECT count(*) - count(invitations.email) - count(stub_id) AS links,
       count(invitations.email) + count(stub_id) AS people
     FROM invitations JOIN users ON users.id = inviter_id
     WHERE users.is_active = 1 AND (expires_at IS NULL OR expires_at > ?)`,
    now,
  );
  return counted ?? { links: 0, people: 0 };
}

/** All invitations that have not expired, oldest first. */
export function openInvitations(reader: Reader, now: number): Invitation[] {
  const rows = reader.all<Row>(
    `SELECT ${COLUMNS} FROM invitations WHERE expires_at IS NULL OR expires_at > ? ORDER BY id`,
    now,
  );
  // Two queries for all invitations, instead of two for each.
  const idsByInvitation = (sql: string) => {
    const lists = new Map<number, number[]>();
    for (const { invitation_id, id } of reader.all<{ invitation_id: number; id: number }>(sql)) {
      const list = lists.get(invitation_id);
      if (list) list.push(id);
      else lists.set(invitation_id, [id]);
    }
    return lists;
  };
  const channels = idsByInvitation(
    "SELECT invitation_id, channel_id AS id FROM invitation_channels ORDER BY channel_id",
  );
  const groups = idsByInvitation("SELECT invitation_id, group_id AS id FROM invitation_groups ORDER BY group_id");
  return rows.map((row) =>
    fromRow(row, { channelIds: channels.get(row.id) ?? [], groupIds: groups.get(row.id) ?? [] }),
  );
}
