import type { Reader } from "../storage/transaction.ts";
import { emailKey, type Role } from "./users.ts";

/** Unicode code points. */
export const MAX_WELCOME_TEXT_LENGTH = 8000;
/** Addresses invited by anybody: docs/protocol.md#limits. */
export const MAX_INVITED_A_DAY = 100;
const DAY_MS = 86_400_000;

/** What whoever joins is given. */
export interface Grants {
  role: Role;
  /** Ascending. */
  channelIds: number[];
  groupIds: number[];
  defaultChannels: boolean;
  /** Null: as the organization says; empty: none. */
  welcomeText: string | null;
}

export interface Invitation extends Grants {
  id: number;
  digest: string;
  seed: string;
  inviter_id: number;
  /** Null: for whoever has the link, as often as they like. */
  email: string | null;
  /** Milliseconds since the epoch. */
  made_at: number;
  /** Null: never. */
  expires_at: number | null;
  notifiesInviter: boolean;
}

type Row = Pick<Invitation, "id" | "digest" | "seed" | "inviter_id" | "role" | "email" | "made_at" | "expires_at"> & {
  default_channels: number;
  welcome_text: string | null;
  tells_inviter: number;
};

const COLUMNS = `id, digest, seed, inviter_id, role, email, made_at, expires_at, default_channels, welcome_text,
  tells_inviter`;

const idsIn = (rows: { id: number }[]): number[] => rows.map(({ id }) => id);

const fromRow = (
  { default_channels, welcome_text, tells_inviter, ...rest }: Row,
  given: Pick<Grants, "channelIds" | "groupIds">,
): Invitation => ({
  ...rest,
  ...given,
  defaultChannels: default_channels === 1,
  welcomeText: welcome_text,
  notifiesInviter: tells_inviter === 1,
});

const CHANNELS_OF = "SELECT channel_id AS id FROM invitation_channels WHERE invitation_id = ? ORDER BY channel_id";
const GROUPS_OF = "SELECT group_id AS id FROM invitation_groups WHERE invitation_id = ? ORDER BY group_id";

const whole = (reader: Reader, row: Row): Invitation =>
  fromRow(row, {
    channelIds: idsIn(reader.all(CHANNELS_OF, row.id)),
    groupIds: idsIn(reader.all(GROUPS_OF, row.id)),
  });

const isOver = ({ expires_at }: Pick<Invitation, "expires_at">, now: number): boolean =>
  expires_at !== null && expires_at <= now;

/** One that has not expired. */
export function invitationById(reader: Reader, id: number, now: number): Invitation | undefined {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM invitations WHERE id = ?`, id);
  return row && !isOver(row, now) ? whole(reader, row) : undefined;
}

/** One that has not expired, by the digest of its token. */
export function invitationByDigest(reader: Reader, digest: string, now: number): Invitation | undefined {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM invitations WHERE digest = ?`, digest);
  return row && !isOver(row, now) ? whole(reader, row) : undefined;
}

/** Ids of all for this address, expired ones too. */
export const invitationsTo = (reader: Reader, email: string): number[] =>
  idsIn(reader.all("SELECT id FROM invitations WHERE email_key = ? ORDER BY id", emailKey(email)));

/** How many addresses were invited in the last 24 hours. */
export const recentlyInvited = (reader: Reader, now: number): number =>
  reader.value<number>("SELECT count(*) FROM invited_addresses WHERE at > ?", now - DAY_MS) ?? 0;

/** All that have not expired; the oldest first. */
export function openInvitations(reader: Reader, now: number): Invitation[] {
  const rows = reader.all<Row>(
    `SELECT ${COLUMNS} FROM invitations WHERE expires_at IS NULL OR expires_at > ? ORDER BY id`,
    now,
  );
  // Two questions for all of them, not two for each.
  const gathered = (sql: string) => {
    const lists = new Map<number, number[]>();
    for (const { invitation_id, id } of reader.all<{ invitation_id: number; id: number }>(sql)) {
      const list = lists.get(invitation_id);
      if (list) list.push(id);
      else lists.set(invitation_id, [id]);
    }
    return lists;
  };
  const channels = gathered("SELECT invitation_id, channel_id AS id FROM invitation_channels ORDER BY channel_id");
  const groups = gathered("SELECT invitation_id, group_id AS id FROM invitation_groups ORDER BY group_id");
  return rows.map((row) =>
    fromRow(row, { channelIds: channels.get(row.id) ?? [], groupIds: groups.get(row.id) ?? [] }),
  );
}
