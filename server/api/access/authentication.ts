import { ApiError, badRequest, type ParamsFor, problem, type Reason } from "../../errors.ts";
import type { ApiKeys } from "../../host/credentials/derived-keys.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import { isDeactivated } from "../queries/organization.ts";
import { allUsers, emailKey, type User, userByEmail, userById } from "../queries/users.ts";

const unauthorized = <R extends Reason>(code: string, reason: R, ...params: ParamsFor<R>) =>
  new ApiError(code, problem(reason, ...params), {}, { status: 401 });

export const invalidApiKey = () => unauthorized("INVALID_API_KEY", "api_key_email_mismatch");
export const userDeactivated = () => unauthorized("USER_DEACTIVATED", "account_deactivated");
export const realmDeactivated = () => unauthorized("REALM_DEACTIVATED", "organization_deactivated");
export const authenticationFailed = () => unauthorized("AUTHENTICATION_FAILED", "invalid_credentials");

/** Error if a caller sends no credentials and needs some. */
export const signInFirst = () => unauthorized("UNAUTHORIZED", "authentication_required");

const ACCEPTED_LIMIT = 10_000;
const acceptedBy = new WeakMap<ApiKeys, Map<string, User>>();
const acceptedAlone = new WeakMap<ApiKeys, Map<string, number>>();

/**
 * Finds the user by email and key. Accepted credentials are cached, so a request costs no HMAC. A cache entry counts
 * only while it matches the user's row.
 * Errors, all 401: INVALID_API_KEY, REALM_DEACTIVATED, USER_DEACTIVATED.
 */
export function viewerByKey(reader: Reader, keys: ApiKeys, email: string, key: string): User {
  let accepted = acceptedBy.get(keys);
  if (!accepted) {
    accepted = new Map();
    acceptedBy.set(keys, accepted);
  }
  const credentials = `${email}\0${key}`;
  const cached = accepted.get(credentials);
  if (cached) {
    const user = userById(reader, cached.id);
    // It is the same object until the users table changes.
    if (user === cached || (user && hasSameCredentials(user, cached))) {
      if (isDeactivated(reader)) throw realmDeactivated();
      if (user !== cached) accepted.set(credentials, user);
      return user;
    }
    accepted.delete(credentials);
  }
  const user = userByEmail(reader, email);
  if (!user || isSystemBot(user) || !keys.matches(user, key)) throw invalidApiKey();
  if (isDeactivated(reader)) throw realmDeactivated();
  if (!user.is_active) throw userDeactivated();
  if (accepted.size >= ACCEPTED_LIMIT) accepted.clear();
  accepted.set(credentials, user);
  return user;
}

const hasSameCredentials = (user: User, accepted: User): boolean =>
  user.is_active &&
  user.key_generation === accepted.key_generation &&
  emailKey(user.email) === emailKey(accepted.email);

/**
 * Finds the user by a key in a URL, without an email. Each comparison costs an HMAC, so accepted keys are cached.
 * Errors: see `viewerByKey`.
 */
export function viewerByKeyAlone(reader: Reader, keys: ApiKeys, key: string): User {
  const accepted = acceptedAlone.get(keys) ?? new Map<string, number>();
  acceptedAlone.set(keys, accepted);
  const cached = userById(reader, accepted.get(key) ?? 0);
  const isKey = (one: User | undefined) => one !== undefined && !isSystemBot(one) && keys.matches(one, key);
  const user = isKey(cached) ? cached : /^[\dA-Za-z]{32}$/.test(key) ? allUsers(reader).find(isKey) : undefined;
  if (!user) throw invalidApiKey();
  if (isDeactivated(reader)) throw realmDeactivated();
  if (!user.is_active) throw userDeactivated();
  if (user.bot_type === 2) throw badRequest("incoming_webhooks_not_allowed");
  if (accepted.size >= ACCEPTED_LIMIT) accepted.clear();
  accepted.set(key, user.id);
  return user;
}

/** Reads the viewer again. Use it after a wait or between slices, when rights may have changed. */
export function viewerAsOfNow(reader: Reader, viewer: User): User {
  const user = userById(reader, viewer.id);
  if (!user?.is_active) throw userDeactivated();
  return user;
}
