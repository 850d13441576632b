import { ApiError, problem } from "../../errors.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { botStorageSize, MAX_BOT_STORAGE, MAX_BOT_STORAGE_KEYS } from "../queries/bot-storage.ts";
import type { User } from "../queries/users.ts";
import { upsertRow } from "./rows.ts";

const lengthOf = (text: string): number => [...text].length;

/** Keeps other keys. Errors: BAD_REQUEST above the limits (docs/protocol.md#limits). */
export function putInBotStorage(tx: Transaction, owner: User, entries: ReadonlyMap<string, string>): void {
  const size = botStorageSize(tx, owner.id, [...entries.keys()]);
  let characters = size.characters;
  for (const [key, value] of entries) characters += lengthOf(key) + lengthOf(value);
  if (characters > MAX_BOT_STORAGE)
    throw new ApiError(
      "BAD_REQUEST",
      problem("bot_storage_full", { count: MAX_BOT_STORAGE, excess: characters - MAX_BOT_STORAGE }),
    );
  if (size.keys + entries.size > MAX_BOT_STORAGE_KEYS)
    throw new ApiError("BAD_REQUEST", problem("too_many_storage_keys", { count: MAX_BOT_STORAGE_KEYS }));
  for (const [key, value] of entries) upsertRow(tx, "bot_storage", { user_id: owner.id, key }, { value });
}

/** Deletes all keys if `keys` is undefined. */
export function deleteFromBotStorage(tx: Transaction, owner: User, keys: readonly string[] | undefined): void {
  if (keys === undefined) tx.run("DELETE FROM bot_storage WHERE user_id = ?", owner.id);
  else
    tx.run(
      "DELETE FROM bot_storage WHERE user_id = ? AND key IN (SELECT value FROM json_each(?))",
      owner.id,
      JSON.stringify(keys),
    );
}
