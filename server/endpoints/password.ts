import { authenticationFailed, userDeactivated } from "../access/authentication.ts";
import { passwordHashOf, type User, userByEmail, userById } from "../access/users.ts";
import type { App } from "../app.ts";
import type { Reader } from "../storage/transaction.ts";

/**
 * Whoever knows the password of that name, slowed down against guessing.
 * Errors: AUTHENTICATION_FAILED, USER_DEACTIVATED (both 401), RATE_LIMIT_HIT.
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
    if (!user.is_active) throw userDeactivated();
    return user;
  } finally {
    attempt[end]();
  }
}
