import { createHash } from "node:crypto";
import { ApiError, missingParameter, problem } from "../../errors.ts";
import type { ApiKeys } from "../../host/credentials/derived-keys.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type Bot, botById } from "../queries/bots.ts";
import { isDeactivated } from "../queries/organization.ts";
import { allUsers } from "../queries/users.ts";
import { realmDeactivated, userDeactivated } from "./authentication.ts";

const invalidKey = () => new ApiError("INVALID_API_KEY", problem("api_key_not_bot"), {}, { status: 401 });

/** Prevents timing attacks: the time of a lookup does not depend on the key. */
const digest = (key: string): string => createHash("sha256").update(key).digest("base64");

/** Bot IDs by digests of their keys. To compare a key with each bot would take too long. */
const botIdsByKey = (reader: Reader, keys: ApiKeys): ReadonlyMap<string, number> =>
  reader.derived(
    "bots by key",
    ["users"],
    (rows) =>
      new Map(
        allUsers(rows)
          .filter((user) => user.is_bot && user.system_bot === null)
          .map((user) => [digest(keys.keyOf(user)), user.id]),
      ),
  );

/** Also finds deactivated bots. */
export const botIdByKey = (reader: Reader, keys: ApiKeys, given: string | undefined): number | undefined =>
  given === undefined ? undefined : botIdsByKey(reader, keys).get(digest(given.trim()));

/**
 * Finds the bot by the key in a webhook URL.
 * Errors: REQUEST_VARIABLE_MISSING; INVALID_API_KEY, REALM_DEACTIVATED, USER_DEACTIVATED (all 401).
 */
export function botByKey(reader: Reader, keys: ApiKeys, given: string | undefined): Bot {
  if (given === undefined) throw missingParameter("api_key");
  const id = botIdByKey(reader, keys, given);
  const bot = id === undefined ? undefined : botById(reader, id);
  if (!bot) throw invalidKey();
  if (isDeactivated(reader)) throw realmDeactivated();
  if (!bot.user.is_active) throw userDeactivated();
  return bot;
}
