import type { Reader } from "../../storage/transaction.ts";

/** The contents of an organization, so that a person can recognize it. */
export interface HeldContents {
  organization: string;
  /** Creation time of the organization. Together with the name, it identifies the organization. */
  organization_created_at: number;
  /** Number of active users, without bots. */
  people: number;
  messages: number;
  newest_message_id: number;
  /** Milliseconds since the epoch; null if there are no messages. */
  newest_message_at: number | null;
  newest_user_id: number;
  /** The number of regenerated API keys. */
  key_rotations: number;
}

export function heldContents(reader: Reader): HeldContents {
  const organization = reader.get<{ name: string; created_at: number }>("SELECT name, created_at FROM organization");
  const newest = reader.get<{ id: number; sent_at: number }>(
    "SELECT id, sent_at FROM messages ORDER BY id DESC LIMIT 1",
  );
  const newest_user_id = reader.value<number>("SELECT max(id) FROM users") ?? 0;
  return {
    organization: organization?.name ?? "",
    organization_created_at: organization?.created_at ?? 0,
    people: reader.value<number>("SELECT count(*) FROM users WHERE is_active = 1 AND is_bot = 0") ?? 0,
    messages: reader.value<number>("SELECT count(*) FROM messages") ?? 0,
    newest_message_id: newest?.id ?? 0,
    newest_message_at: newest?.sent_at ?? null,
    newest_user_id,
    key_rotations: keyRotationsUpTo(reader, newest_user_id),
  };
}

/** Counts the content that is newer than a state with these last ids. */
export function newerThan(
  reader: Reader,
  { messageId, userId, keyRotations }: { messageId: number; userId: number; keyRotations: number },
): { messages: number; people: number; key_rotations: number } {
  const people = "SELECT count(*) FROM users WHERE id > ? AND is_active = 1 AND is_bot = 0";
  return {
    messages: reader.value<number>("SELECT count(*) FROM messages WHERE id > ?", messageId) ?? 0,
    people: reader.value<number>(people, userId) ?? 0,
    key_rotations: Math.max(0, keyRotationsUpTo(reader, userId) - keyRotations),
  };
}

const keyRotationsUpTo = (reader: Reader, userId: number): number =>
  reader.value<number>("SELECT sum(key_generation - 1) FROM users WHERE id <= ?", userId) ?? 0;

/** The highest id that each table has assigned. */
export const idSequences = (reader: Reader): { name: string; seq: number }[] =>
  reader.all("SELECT name, seq FROM sqlite_sequence ORDER BY name");
