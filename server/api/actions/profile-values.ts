import { badRequest, refusedParameter } from "../../errors.ts";
import { renderMarkdown } from "../../markdown/render.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoCanSee } from "../access/people.ts";
import { type ProfileValueInput, profileFieldToFill, validValue } from "../access/profile-values.ts";
import { isMarkdown, type ProfileField, profileDataOf } from "../queries/profile-fields.ts";
import { type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";

/**
 * Sets the given values of a user's profile, all or none, and announces those that differ.
 * Errors: BAD_REQUEST for a field that does not exist or that the actor may not change, and for an invalid value.
 */
export function setProfileValues(tx: Transaction, actor: User, user: User, data: readonly ProfileValueInput[]): void {
  if (user.is_bot) throw badRequest("Bots have no profile.");
  const before = valuesIn(profileDataOf(tx, user.id));
  const after = { ...before };
  for (const { id, value: given } of eachOnce(data)) {
    const field = profileFieldToFill(tx, actor, id);
    const value = validValue(tx, actor, field, given);
    if (value === before[id]) continue;
    if (value === undefined) {
      delete after[id];
      dropValues(tx, id, [user.id]);
    } else {
      after[id] = value;
      writeValue(tx, user.id, field, value);
    }
  }
  if (actor.id === user.id || JSON.stringify(before) === JSON.stringify(after)) return;
  recordAudit(tx, actor, { action: "change profile", target: `user ${user.id}`, before, after });
}

function eachOnce(data: readonly ProfileValueInput[]): readonly ProfileValueInput[] {
  if (new Set(data.map(({ id }) => id)).size < data.length)
    throw refusedParameter("data", "data must hold each field once.");
  return data;
}

function writeValue(tx: Transaction, userId: number, field: ProfileField, value: string): void {
  const rendered = isMarkdown(field) ? renderMarkdown(value).html : undefined;
  tx.run(
    `INSERT INTO profile_values (user_id, field_id, value, rendered_value) VALUES (?, ?, ?, ?)
     ON CONFLICT (user_id, field_id) DO UPDATE SET value = excluded.value, rendered_value = excluded.rendered_value`,
    userId,
    field.id,
    value,
    rendered ?? null,
  );
  announce(tx, userId, { id: field.id, value, ...(rendered !== undefined && { rendered_value: rendered }) });
}

const valuesIn = (data: ReturnType<typeof profileDataOf>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([id, { value }]) => [id, value]));

/** Removes the owner's values of these fields. */
export function removeProfileValues(tx: Transaction, owner: User, fieldIds: readonly number[]): void {
  setProfileValues(
    tx,
    owner,
    owner,
    fieldIds.map((id) => ({ id, value: null })),
  );
}

/** Deletes the values that these users have for a field, in one statement. */
export function dropValues(tx: Transaction, fieldId: number, userIds: readonly number[]): void {
  if (userIds.length === 0) return;
  tx.run(
    "DELETE FROM profile_values WHERE field_id = ? AND user_id IN (SELECT value FROM json_each(?))",
    fieldId,
    JSON.stringify(userIds),
  );
  for (const userId of userIds) announce(tx, userId, { id: fieldId, value: null });
}

function announce(
  tx: Transaction,
  userId: number,
  custom_profile_field: { id: number; value: string | null; rendered_value?: string },
): void {
  const users = usersWhoCanSee(tx, userById(tx, userId) as User);
  tx.emit({ type: "realm_user", op: "update", person: { user_id: userId, custom_profile_field } }, { users });
}
