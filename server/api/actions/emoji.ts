import { emojiByName } from "../../markdown/emoji.ts";
import type { NewFile } from "../../media/files/stored-files.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { newEmojiName } from "../access/emoji.ts";
import { customEmojiOnWire } from "../presenters/emoji.ts";
import { type CustomEmoji, EXTRA_EMOJI } from "../queries/emoji.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { recordFile } from "./files.ts";

const isBuiltIn = (name: string): boolean => EXTRA_EMOJI.has(name) || emojiByName(name) !== undefined;

/** The name as it is stored. Errors: BAD_REQUEST for one that will not do, or that is not for the actor to give. */
export const allowedEmojiName = (reader: Reader, actor: User, name: string): string =>
  newEmojiName(reader, actor, name, isBuiltIn);

/** `still` beside a picture that moves. Errors: those of `allowedEmojiName`. */
export function addCustomEmoji(
  tx: Transaction,
  actor: User,
  input: { name: string; picture: NewFile; extension: string; still: NewFile | null },
): void {
  const name = allowedEmojiName(tx, actor, input.name);
  recordFile(tx, input.picture);
  if (input.still) recordFile(tx, input.still);
  const id = tx.run(
    "INSERT INTO custom_emoji (name, author_id, file, extension, still) VALUES (?, ?, ?, ?, ?)",
    name,
    actor.id,
    input.picture.name,
    input.extension,
    input.still?.name ?? null,
  );
  announce(tx);
  recordAudit(tx, actor, { action: "add custom emoji", target: `custom emoji ${id}`, after: { name } });
}

/** It stays where it was used: its picture is still there. */
export function deactivateCustomEmoji(tx: Transaction, actor: User, { id, name }: CustomEmoji): void {
  tx.run("UPDATE custom_emoji SET deactivated = 1 WHERE id = ?", id);
  announce(tx);
  recordAudit(tx, actor, { action: "deactivate custom emoji", target: `custom emoji ${id}`, before: { name } });
}

const announce = (tx: Transaction): void =>
  tx.emit({ type: "realm_emoji", op: "update", realm_emoji: customEmojiOnWire(tx) }, { users: activeUserIds(tx) });
