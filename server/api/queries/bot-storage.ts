import type { Reader } from "../../storage/transaction.ts";

/** Unicode code points of all keys and values per account. */
export const MAX_BOT_STORAGE = 10_000_000;
/** Per account. */
export const MAX_BOT_STORAGE_KEYS = 10_000;

/** The stored values of a bot for these keys, or for all of its keys. */
export const botStorage = (reader: Reader, userId: number, keys?: readonly string[]): Map<string, string> =>
  new Map(
    (keys === undefined
      ? reader.all<{ key: string; value: string }>(
          "SELECT key, value FROM bot_storage WHERE user_id = ? ORDER BY key",
          userId,
        )
      : reader.all<{ key: string; value: string }>(
          `SELECT key, value FROM bot_storage WHERE user_id = ? AND key IN (SELECT value FROM json_each(?))
           ORDER BY key`,
          userId,
          JSON.stringify(keys),
        )
    ).map(({ key, value }) => [key, value]),
  );

/** The size of a bot's storage without these keys. */
export function botStorageSize(
  reader: Reader,
  userId: number,
  without: readonly string[],
): { characters: number; keys: number } {
  const found = reader.get<{ characters: number | null; keys: number }>(
    `SELECT SUM(length(key) + length(value)) AS characters, COUNT(*) AS keys FROM bot_storage
     WHERE user_id = ? AND key NOT IN (SELECT value FROM json_each(?))`,
    userId,
    JSON.stringify(without),
  );
  return { characters: found?.characters ?? 0, keys: found?.keys ?? 0 };
}
