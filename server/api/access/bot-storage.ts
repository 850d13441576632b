import { quoted, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { botStorage } from "../queries/bot-storage.ts";
import type { User } from "../queries/users.ts";

/** The viewer's own entries under these keys, or all of them. Error: BAD_REQUEST where one of the keys is not there. */
export function ownBotStorage(
  reader: Reader,
  viewer: User,
  keys: readonly string[] | undefined,
): ReadonlyMap<string, string> {
  const entries = botStorage(reader, viewer.id, keys);
  const missing = keys?.find((key) => !entries.has(key));
  if (missing !== undefined) throw refusedParameter("keys", `keys: key ${quoted(missing)} does not exist.`);
  return entries;
}
