import { badRequest, refusedParameter } from "../../errors.ts";
import { renderMarkdown } from "../../markdown/render.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoCanSee } from "../access/people.ts";
import {
  type FieldSettings,
  fieldNameKey,
  type ProfileValueInput,
  profileFieldToFill,
  validValue,
} from "../access/profile-fields.ts";
import { profileFieldOnWire } from "../presenters/profile-fields.ts";
import {
  FIELD_TYPE,
  type FieldType,
  isMarkdown,
  type ProfileField,
  profileDataOf,
  profileFields,
  usersWithOtherValues,
} from "../queries/profile-fields.ts";
import { activeUserIds, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { insertRow, upsertRow } from "./rows.ts";

const target = (id: number) => `profile field ${id}` as const;
const bit = (value: boolean) => (value ? 1 : 0);

/** Adds the field at the end. Returns its ID. */
export function createProfileField(tx: Transaction, actor: User, type: FieldType, field: FieldSettings): number {
  const last = profileFields(tx).at(-1)?.order ?? 0;
  const id = insertRow(tx, "profile_fields", {
    type,
    name: field.name,
    name_key: fieldNameKey(field.name),
    hint: field.hint,
    field_data: field.field_data,
    position: last + 1,
    display_in_profile_summary: bit(field.display_in_profile_summary),
    required: bit(field.required),
    editable_by_user: bit(field.editable_by_user),
    use_for_user_matching: bit(field.use_for_user_matching),
  });
  announceFields(tx);
  recordAudit(tx, actor, { action: "create profile field", target: target(id), after: { type, ...field } });
  return id;
}

/** Deletes values that are no longer options. */
export function editProfileField(tx: Transaction, actor: User, before: ProfileField, field: FieldSettings): void {
  const { id, type, order: _, ...was } = before;
  if (Object.entries(field).every(([name, value]) => was[name as keyof FieldSettings] === value)) return;
  tx.run(
    `UPDATE profile_fields SET name = ?, name_key = ?, hint = ?, field_data = ?, display_in_profile_summary = ?,
       required = ?, editable_by_user = ?, use_for_user_matching = ? WHERE id = ?`,
    field.name,
    fieldNameKey(field.name),
    field.hint,
    field.field_data,
    bit(field.display_in_profile_summary),
    bit(field.required),
    bit(field.editable_by_user),
    bit(field.use_for_user_matching),
    id,
  );
  announceFields(tx);
  if (type === FIELD_TYPE.SELECT) {
    const options = Object.keys(JSON.parse(field.field_data));
    deleteValues(tx, id, usersWithOtherValues(tx, id, options));
  }
  recordAudit(tx, actor, { action: "change profile field", target: target(id), before: was, after: field });
}

/** Values need no event: clients drop them with the field. */
export function deleteProfileField(tx: Transaction, actor: User, field: ProfileField): void {
  const { id, order: _, ...was } = field;
  tx.run("DELETE FROM profile_values WHERE field_id = ?", id);
  tx.run("DELETE FROM profile_fields WHERE id = ?", id);
  announceFields(tx);
  recordAudit(tx, actor, { action: "delete profile field", target: target(id), before: was });
}

export function reorderProfileFields(tx: Transaction, actor: User, order: readonly number[]): void {
  const before = profileFields(tx).map(({ id }) => id);
  for (const [at, id] of order.entries()) tx.run("UPDATE profile_fields SET position = ? WHERE id = ?", at + 1, id);
  announceFields(tx);
  recordAudit(tx, actor, { action: "reorder profile fields", target: "organization", before, after: order });
}

const announceFields = (tx: Transaction): void =>
  tx.emit(
    { type: "custom_profile_fields", fields: profileFields(tx).map(profileFieldOnWire) },
    { users: activeUserIds(tx) },
  );

/** Sets all given values or none. Throws if a field is missing, not editable by the actor, or a value is invalid. */
export function setProfileValues(tx: Transaction, actor: User, user: User, data: readonly ProfileValueInput[]): void {
  if (user.is_bot) throw badRequest("bot_has_no_profile");
  const before = valuesIn(profileDataOf(tx, user.id));
  const after = { ...before };
  for (const { id, value: given } of eachOnce(data)) {
    const field = profileFieldToFill(tx, actor, id);
    const value = validValue(tx, actor, field, given);
    if (value === before[id]) continue;
    if (value === undefined) {
      delete after[id];
      deleteValues(tx, id, [user.id]);
    } else {
      after[id] = value;
      writeValue(tx, user.id, field, value);
    }
  }
  if (actor.id === user.id || JSON.stringify(before) === JSON.stringify(after)) return;
  recordAudit(tx, actor, { action: "change profile", target: `user ${user.id}`, before, after });
}

function eachOnce(data: readonly ProfileValueInput[]): readonly ProfileValueInput[] {
  if (new Set(data.map(({ id }) => id)).size < data.length) throw refusedParameter("data", "duplicate_profile_field");
  return data;
}

function writeValue(tx: Transaction, userId: number, field: ProfileField, value: string): void {
  const rendered = isMarkdown(field) ? renderMarkdown(value).html : undefined;
  upsertRow(tx, "profile_values", { user_id: userId, field_id: field.id }, { value, rendered_value: rendered ?? null });
  announceValue(tx, userId, { id: field.id, value, ...(rendered !== undefined && { rendered_value: rendered }) });
}

const valuesIn = (data: ReturnType<typeof profileDataOf>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([id, { value }]) => [id, value]));

export function removeProfileValues(tx: Transaction, owner: User, fieldIds: readonly number[]): void {
  setProfileValues(
    tx,
    owner,
    owner,
    fieldIds.map((id) => ({ id, value: null })),
  );
}

/** Deletes these users' values of a field. */
function deleteValues(tx: Transaction, fieldId: number, userIds: readonly number[]): void {
  if (userIds.length === 0) return;
  tx.run(
    "DELETE FROM profile_values WHERE field_id = ? AND user_id IN (SELECT value FROM json_each(?))",
    fieldId,
    JSON.stringify(userIds),
  );
  for (const userId of userIds) announceValue(tx, userId, { id: fieldId, value: null });
}

function announceValue(
  tx: Transaction,
  userId: number,
  custom_profile_field: { id: number; value: string | null; rendered_value?: string },
): void {
  const users = usersWhoCanSee(tx, userById(tx, userId) as User);
  tx.emit({ type: "realm_user", op: "update", person: { user_id: userId, custom_profile_field } }, { users });
}
