import type { App } from "../../app.ts";
import { badRequest, missingParameter } from "../../errors.ts";
import type { HashingTurn } from "../../host/credentials/hashing-queue.ts";
import type { Transact } from "../../http/endpoint.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import {
  authenticationFailed,
  invalidApiKey,
  realmDeactivated,
  userDeactivated,
  viewerAsOfNow,
} from "../access/authentication.ts";
import { newSessionToken, SESSION_SECONDS } from "../access/sessions.ts";
import { mailNewSignIn } from "../actions/mails.ts";
import { createSession, rememberAddress } from "../actions/sessions.ts";
import { keepWebPush } from "../actions/web-push.ts";
import { isDeactivated } from "../queries/organization.ts";
import { lastSignInFrom } from "../queries/sessions.ts";
import { answerableFor, emailKey, passwordHashOf, type User, userByEmail, userById } from "../queries/users.ts";

/**
 * Finds the user by name and password. Counts wrong passwords, to slow down guessing.
 * Errors: AUTHENTICATION_FAILED, REALM_DEACTIVATED, USER_DEACTIVATED (all 401), RATE_LIMIT_HIT.
 */
export async function userByPassword(
  {
    reader,
    app,
    source,
    transact,
    userAgent,
  }: { reader: Reader; app: App; source: string; transact: Transact; userAgent: string },
  { username, password }: { username: string; password: string },
): Promise<User> {
  const named = userByEmail(reader, username);
  const known = named !== undefined && lastSignInFrom(reader, named.id, source) !== undefined;
  const attempt = app.signIns.begin(username, source, { known });
  // The slice bounds memory.
  const turn = known ? { source, person: named.id } : { source, account: emailKey(username.slice(0, 200)) };
  let end: keyof typeof attempt = "abandoned";
  try {
    const hash = named ? passwordHashOf(reader, named) : null;
    const accepted = await app.passwords.verify(password, hash, turn);
    end = accepted ? "succeeded" : "failed";
    // The user may have changed during hashing.
    const user = named && userById(reader, named.id);
    if (!accepted || !user || passwordHashOf(reader, user) !== hash) throw authenticationFailed();
    if (isDeactivated(reader)) throw realmDeactivated();
    if (!user.is_active) throw userDeactivated();
    // Users can sign in even if the disk is full.
    if (app.store.hasRoom)
      transact((tx) => {
        if (!known) mailNewSignIn(tx, user, { source, program: userAgent });
        rememberAddress(tx, user, source);
      });
    return user;
  } finally {
    attempt[end]();
  }
}

/**
 * Throws unless it is the viewer's password. Wrong passwords count as for sign-ins.
 * Errors: BAD_REQUEST, RATE_LIMIT_HIT.
 */
export async function assertPassword(
  { reader, app, source }: { reader: Reader; app: App; source: string },
  viewer: User,
  password: string | undefined,
): Promise<void> {
  if (password === undefined) throw missingParameter("old_password");
  const attempt = app.signIns.begin(viewer.email, source, {
    known: lastSignInFrom(reader, viewer.id, source) !== undefined,
  });
  let end: keyof typeof attempt = "abandoned";
  try {
    const hash = passwordHashOf(reader, viewer);
    const accepted = await app.passwords.verify(password, hash, turnOf({ reader, viewer, source }));
    end = accepted ? "succeeded" : "failed";
    assertKeyIsCurrent(reader, viewer);
    if (!accepted || passwordHashOf(reader, viewer) !== hash)
      throw badRequest("old_password_incorrect", {}, { var_name: "old_password" });
  } finally {
    attempt[end]();
  }
}

/** The queue in which the request waits for hashing. */
export const turnOf = ({ reader, viewer, source }: { reader: Reader; viewer: User; source: string }): HashingTurn => ({
  source,
  person: answerableFor(reader, viewer.id),
});

/** Call it after a wait. Errors: USER_DEACTIVATED, INVALID_API_KEY. */
export function assertKeyIsCurrent(reader: Reader, viewer: User): void {
  if (viewerAsOfNow(reader, viewer).key_generation !== viewer.key_generation) throw invalidApiKey();
}

/** Call it when the user's keys and sessions are void. */
export const rejectHeldPolls = (app: App, userId: number): void => app.queues.rejectPolls(userId, invalidApiKey());

interface SessionCall {
  readonly source: string;
  readonly userAgent: string;
  readonly session: string | undefined;
  readonly transact: Transact;
  setSession(token: string, seconds: number): void;
}

/** Runs a change that ends all sessions and forgets known sources. Restores the caller's session and source. */
export function keepSignedIn(call: SessionCall, change: (tx: Transaction) => User): User {
  const token = newSessionToken();
  const user = call.transact((tx) => {
    const changed = keepWebPush(tx, { before: call.session, after: token }, () => change(tx));
    rememberAddress(tx, changed, call.source);
    if (call.session !== undefined) createSession(tx, changed, { token, userAgent: call.userAgent });
    return changed;
  });
  if (call.session !== undefined) call.setSession(token, SESSION_SECONDS);
  return user;
}
