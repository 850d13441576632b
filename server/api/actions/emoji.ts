import { EXTRA_EMOJI, emojiByName } from "../../markdown/emoji.ts";
import type { NewFile, StoredFile } from "../../media/files/stored-files.ts";
import type { EventShapes, Reader, Transaction } from "../../storage/transaction.ts";
import { newEmojiName } from "../access/emoji.ts";
import { customEmojiOnWire, emojiOnWire } from "../presenters/emoji.ts";
import { type CustomEmoji, customEmojiById } from "../queries/emoji.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { deleteFile, recordFile } from "./files.ts";
import { insertRow } from "./rows.ts";

const isBuiltIn = (name: string): boolean => EXTRA_EMOJI.has(name) || emojiByName(name) !== undefined;

/** Returns the stored name. Throws if the name is invalid or the actor cannot add it. */
export const allowedEmojiName = (reader: Reader, actor: User, name: string): string =>
  newEmojiName(reader, actor, name, isBuiltIn);

export interface NewEmoji {
  name: string;
  picture: NewFile;
  extension: string;
  /** A still version of an animated picture. */
  still: NewFile | null;
}

export function addCustomEmoji(tx: Transaction, actor: User, input: NewEmoji): void {
  insertCustomEmoji(tx, actor, { ...input, name: allowedEmojiName(tx, actor, input.name) });
}

/** A null actor is the server. Returns the ID. */
export function insertCustomEmoji(
  tx: Transaction,
  actor: User | null,
  { name, picture, extension, still }: NewEmoji,
): number {
  recordFile(tx, picture);
  if (still) recordFile(tx, still);
  const id = insertRow(tx, "custom_emoji", {
    name,
    author_id: actor?.id ?? null,
    file: picture.name,
    extension,
    still: still?.name ?? null,
  });
  const emoji = emojiOnWire(customEmojiById(tx, id) as CustomEmoji);
  announce(tx, { type: "realm_emoji", op: "add", emoji });
  recordAudit(tx, actor, { action: "add custom emoji", target: `custom emoji ${id}`, after: { name } });
  return id;
}

/** Messages that use the emoji keep it. */
export function deactivateCustomEmoji(tx: Transaction, actor: User | null, { id, name }: CustomEmoji): void {
  tx.run("UPDATE custom_emoji SET deactivated = 1 WHERE id = ?", id);
  announce(tx, { type: "realm_emoji", op: "update_one", emoji_id: String(id), data: { deactivated: true } });
  recordAudit(tx, actor, { action: "deactivate custom emoji", target: `custom emoji ${id}`, before: { name } });
}

/** For an emoji that nothing uses. Returns files to remove after the transaction. */
export function deleteCustomEmoji(
  tx: Transaction,
  { id, file, still }: CustomEmoji,
): Pick<StoredFile, "kind" | "name">[] {
  tx.run("DELETE FROM custom_emoji WHERE id = ?", id);
  const files = [file, still].flatMap((name) => (name === null ? [] : { kind: "emoji" as const, name }));
  for (const removed of files) deleteFile(tx, removed);
  return files;
}

/** Clients get `change` or all emoji. */
function announce(tx: Transaction, change: EventShapes["realm_emoji"]): void {
  const users = activeUserIds(tx);
  tx.emit(change, { users });
  tx.emit({ type: "realm_emoji", op: "update", realm_emoji: customEmojiOnWire(tx) }, { users });
}
