import type { Transaction } from "../../storage/transaction.ts";
import { type FieldSettings, fieldNameKey } from "../access/profile-fields.ts";
import {
  FIELD_TYPE,
  type FieldType,
  type ProfileField,
  profileFields,
  usersWithOtherValues,
} from "../queries/profile-fields.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { dropValues } from "./profile-values.ts";

const target = (id: number) => `profile field ${id}` as const;
const bit = (value: boolean) => (value ? 1 : 0);

/** Creates a field as the last in order. Returns its id. */
export function createProfileField(tx: Transaction, actor: User, type: FieldType, field: FieldSettings): number {
  const last = profileFields(tx).at(-1)?.order ?? 0;
  const id = tx.run(
    `INSERT INTO profile_fields (type, name, name_key, hint, field_data, position, display_in_profile_summary, required,
       editable_by_user, use_for_user_matching) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    type,
    field.name,
    fieldNameKey(field.name),
    field.hint,
    field.field_data,
    last + 1,
    bit(field.display_in_profile_summary),
    bit(field.required),
    bit(field.editable_by_user),
    bit(field.use_for_user_matching),
  );
  announce(tx);
  recordAudit(tx, actor, { action: "create profile field", target: target(id), after: { type, ...field } });
  return id;
}

/** Changes a field's settings. Deletes values that are no longer among its options. */
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
  announce(tx);
  if (type === FIELD_TYPE.SELECT) {
    const options = Object.keys(JSON.parse(field.field_data));
    dropValues(tx, id, usersWithOtherValues(tx, id, options));
  }
  recordAudit(tx, actor, { action: "change profile field", target: target(id), before: was, after: field });
}

/** Deletes a field with all its values. The values need no event: clients drop them with the field. */
export function deleteProfileField(tx: Transaction, actor: User, field: ProfileField): void {
  const { id, order: _, ...was } = field;
  tx.run("DELETE FROM profile_values WHERE field_id = ?", id);
  tx.run("DELETE FROM profile_fields WHERE id = ?", id);
  announce(tx);
  recordAudit(tx, actor, { action: "delete profile field", target: target(id), before: was });
}

export function reorderProfileFields(tx: Transaction, actor: User, order: readonly number[]): void {
  const before = profileFields(tx).map(({ id }) => id);
  for (const [at, id] of order.entries()) tx.run("UPDATE profile_fields SET position = ? WHERE id = ?", at + 1, id);
  announce(tx);
  recordAudit(tx, actor, { action: "reorder profile fields", target: "organization", before, after: order });
}

const announce = (tx: Transaction): void =>
  tx.emit({ type: "custom_profile_fields", fields: [...profileFields(tx)] }, { users: activeUserIds(tx) });
