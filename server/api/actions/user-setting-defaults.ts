import type { Transaction } from "../../storage/transaction.ts";
import { type UserSettings, userSettingDefaults } from "../queries/user-settings.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";

export type DefaultChanges = { [Name in keyof Omit<UserSettings, "timezone">]?: UserSettings[Name] | undefined };

/** Changes the initial settings of people who join later; nobody's own settings change. */
export function changeUserSettingDefaults(tx: Transaction, actor: User, changes: DefaultChanges): void {
  const before = userSettingDefaults(tx);
  for (const property of Object.keys(changes) as (keyof DefaultChanges)[]) {
    const value = changes[property];
    if (value === undefined || value === before[property]) continue;
    tx.run(
      `INSERT INTO user_setting_defaults (name, value) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      property,
      JSON.stringify(value),
    );
    tx.emit({ type: "realm_user_settings_defaults", op: "update", property, value }, { users: activeUserIds(tx) });
    recordAudit(tx, actor, {
      action: "change default setting",
      target: `default setting ${property}`,
      before: before[property],
      after: value,
    });
  }
}
