import type { ApiKeys } from "../credentials/api-keys.ts";
import { ApiError, missingParameter } from "../errors.ts";
import { allBots, type Bot } from "../queries/bots.ts";
import { isDeactivated } from "../queries/organization.ts";
import type { Reader } from "../storage/transaction.ts";
import { realmDeactivated, userDeactivated } from "./authentication.ts";

const invalidKey = () => new ApiError("INVALID_API_KEY", "This API key is no bot's.", {}, { status: 401 });

/**
 * The bot with this key, which stands alone in a webhook's address.
 * Errors: REQUEST_VARIABLE_MISSING; INVALID_API_KEY, REALM_DEACTIVATED, USER_DEACTIVATED, all 401.
 */
export function botByKey(reader: Reader, keys: ApiKeys, given: string | undefined): Bot {
  if (given === undefined) throw missingParameter("api_key");
  const key = given.trim();
  if (!/^[0-9A-Za-z]{32}$/.test(key)) throw invalidKey();
  const bot = allBots(reader).find(({ user }) => keys.matches(user, key));
  if (!bot) throw invalidKey();
  if (isDeactivated(reader)) throw realmDeactivated();
  if (!bot.user.is_active) throw userDeactivated();
  return bot;
}
