import {
  authenticationFailed,
  invalidApiKey,
  realmDeactivated,
  userDeactivated,
  viewerAsOfNow,
} from "../access/authentication.ts";
import { newSessionToken, SESSION_SECONDS } from "../access/sessions.ts";
import { createSession } from "../actions/sessions.ts";
import type { App } from "../app.ts";
import { badRequest, missingParameter } from "../errors.ts";
import type { Transact } from "../http/endpoint.ts";
import { isDeactivated } from "../queries/organization.ts";
import { passwordHashOf, type User, userByEmail, userById } from "../queries/users.ts";
import type { Reader, Transaction } from "../storage/transaction.ts";

/**
 * Whoever knows the password of that name, slowed down against guessing.
 * Errors: AUTHENTICATION_FAILED, REALM_DEACTIVATED, USER_DEACTIVATED (all 401), RATE_LIMIT_HIT.
 */
export async function userByPassword(
  { reader, app, address }: { reader: Reader; app: App; address: string },
  { username, password }: { username: string; password: string },
): Promise<User> {
  const attempt = app.signIns.begin(username, address);
  let end: keyof typeof attempt = "abandoned";
  try {
    const named = userByEmail(reader, username);
    const hash = named ? passwordHashOf(reader, named) : null;
    const accepted = await app.passwords.verify(password, hash);
    end = accepted ? "succeeded" : "failed";
    // Read again: much can happen while the password is hashed.
    const user = named && userById(reader, named.id);
    if (!accepted || !user || passwordHashOf(reader, user) !== hash) throw authenticationFailed();
    if (isDeactivated(reader)) throw realmDeactivated();
    if (!user.is_active) throw userDeactivated();
    return user;
  } finally {
    attempt[end]();
  }
}

/**
 * Refuses who does not know the password of the account that they are signed in to; guesses count as at a sign-in.
 * Errors: BAD_REQUEST, RATE_LIMIT_HIT.
 */
export async function provenPassword(
  { reader, app, address }: { reader: Reader; app: App; address: string },
  viewer: User,
  password: string | undefined,
): Promise<void> {
  if (password === undefined) throw missingParameter("old_password");
  const attempt = app.signIns.begin(viewer.email, address);
  let end: keyof typeof attempt = "abandoned";
  try {
    const hash = passwordHashOf(reader, viewer);
    const accepted = await app.passwords.verify(password, hash);
    end = accepted ? "succeeded" : "failed";
    assertKeyIsCurrent(reader, viewer);
    if (!accepted || passwordHashOf(reader, viewer) !== hash)
      throw badRequest("The old password is wrong.", { var_name: "old_password" });
  } finally {
    attempt[end]();
  }
}

/** For a call that has waited since it began. Errors: USER_DEACTIVATED, INVALID_API_KEY. */
export function assertKeyIsCurrent(reader: Reader, viewer: User): void {
  if (viewerAsOfNow(reader, viewer).key_generation !== viewer.key_generation) throw invalidApiKey();
}

/** Ends what waits for events with a key or session that is void: whoever asks again needs one that counts. */
export const keysChanged = (app: App, userId: number): void => app.queues.rejectHeld(userId, invalidApiKey());

interface SigningIn {
  readonly session: string | undefined;
  readonly transact: Transact;
  setSession(token: string, seconds: number): void;
}

/** Makes a change that ends all of somebody's own sessions; whoever called by one of them has a new one. */
export function stayingSignedIn(call: SigningIn, change: (tx: Transaction) => User): User {
  if (call.session === undefined) return call.transact((tx) => change(tx));
  const token = newSessionToken();
  const user = call.transact((tx) => {
    const changed = change(tx);
    createSession(tx, changed, token);
    return changed;
  });
  call.setSession(token, SESSION_SECONDS);
  return user;
}
