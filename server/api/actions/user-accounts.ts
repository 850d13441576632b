import { badRequest } from "../../errors.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { apiEmail, deliveryEmail, standsForHidden } from "../access/email-visibility.ts";
import { allowedEmail, freeFullName } from "../access/organization.ts";
import { usersWhoCanSee } from "../access/people.ts";
import { freeEmail, validFullName } from "../access/users.ts";
import { emailKey, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { announceBot } from "./bot-events.ts";

/** Errors: BAD_REQUEST for an invalid name, or one that is taken where names are unique. */
export function changeFullName(tx: Transaction, actor: User, user: User, name: string): void {
  const full_name = freeFullName(tx, validFullName(name), user);
  if (full_name === user.full_name) return;
  tx.run("UPDATE users SET full_name = ? WHERE id = ?", full_name, user.id);
  tx.emit(
    { type: "realm_user", op: "update", person: { user_id: user.id, full_name } },
    { users: usersWhoCanSee(tx, user) },
  );
  if (user.is_bot) announceBot(tx, user, { full_name });
  recordAudit(tx, actor, {
    action: "rename user",
    target: `user ${user.id}`,
    before: { full_name: user.full_name },
    after: { full_name },
  });
}

/** Errors: BAD_REQUEST for an invalid address, or one that is taken. */
export function changeEmail(tx: Transaction, actor: User, user: User, address: string): void {
  const isSame = emailKey(address) === user.email.normalize("NFC").toLowerCase();
  if (isSame && address.trim() === user.email) return;
  // The user's own address in other letter case is not taken by somebody else.
  const email = isSame ? address.trim().normalize("NFC") : allowedEmail(tx, freeEmail(tx, address));
  if (standsForHidden(tx, email)) throw badRequest(`${email} would stand for somebody who hides their address.`);
  const apiEmailBefore = apiEmail(tx, user);
  tx.run("UPDATE users SET email = ?, email_key = ? WHERE id = ?", email, emailKey(email), user.id);
  const changed = userById(tx, user.id) as User;
  const viewers = usersWhoCanSee(tx, changed);
  const user_id = user.id;
  const new_email = apiEmail(tx, changed);
  if (new_email !== apiEmailBefore)
    tx.emit({ type: "realm_user", op: "update", person: { user_id, new_email } }, { users: viewers });
  const informed = viewers.filter((id) => deliveryEmail(tx, changed, userById(tx, id) as User) !== null);
  if (informed.length > 0)
    tx.emit({ type: "realm_user", op: "update", person: { user_id, delivery_email: email } }, { users: informed });
  if (user.is_bot) announceBot(tx, changed, { email });
  recordAudit(tx, actor, {
    action: "change email",
    target: `user ${user.id}`,
    before: { email: user.email },
    after: { email },
  });
}
