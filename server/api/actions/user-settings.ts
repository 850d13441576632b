import type { Transaction } from "../../storage/transaction.ts";
import { apiEmail, deliveryEmail } from "../access/email-visibility.ts";
import { usersWhoCanSee } from "../access/people.ts";
import { languageName } from "../queries/languages.ts";
import {
  USER_SETTINGS,
  type UserSettingName,
  type UserSettings,
  userSettingDefaults,
  userSettings,
} from "../queries/user-settings.ts";
import { activeUserIds, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { deleteDrafts } from "./drafts.ts";
import { announceExportConsent } from "./exports.ts";
import { upsertRow } from "./rows.ts";
import { announceAway } from "./user-statuses.ts";

export type UserSettingChanges = { [Name in UserSettingName]?: UserSettings[Name] | undefined };

/** Also applies the side effects of settings. */
export function changeUserSettings(tx: Transaction, owner: User, changes: UserSettingChanges): void {
  const before = userSettings(tx, owner);
  for (const name of Object.keys(changes) as UserSettingName[]) {
    const value = changes[name];
    if (value === undefined || value === before[name]) continue;
    switch (name) {
      case "timezone":
        changeTimezone(tx, owner, value as string);
        break;
      case "email_address_visibility":
        announcingEmail(tx, owner, () => store(tx, owner, name, value));
        break;
      case "enable_drafts_synchronization":
        store(tx, owner, name, value);
        if (!value) deleteDrafts(tx, owner);
        break;
      case "allow_private_data_export":
        store(tx, owner, name, value);
        announceExportConsent(tx, owner, value as boolean);
        break;
      case "presence_enabled":
        store(tx, owner, name, value);
        announceAway(tx, owner);
        break;
      default:
        store(tx, owner, name, value);
    }
    announce(tx, owner, name, value);
  }
}

function store(tx: Transaction, owner: User, name: UserSettingName, value: unknown): void {
  upsertRow(tx, "user_settings", { user_id: owner.id, name }, { value: JSON.stringify(value) });
}

function announce(tx: Transaction, owner: User, name: UserSettingName, value: unknown): void {
  const users = { users: [owner.id] };
  const language = name === "default_language" && { language_name: languageName(value as UserSettings[typeof name]) };
  tx.emit({ type: "user_settings", op: "update", property: name, value, ...language }, users);
  const { legacy } = USER_SETTINGS[name];
  const user = apiEmail(tx, owner);
  if (legacy === "update_display_settings")
    tx.emit({ type: legacy, user, setting_name: name, setting: value, ...language }, users);
  if (legacy === "update_global_notifications")
    tx.emit({ type: legacy, user, notification_name: name, setting: value }, users);
}

function changeTimezone(tx: Transaction, owner: User, timezone: string): void {
  tx.run("UPDATE users SET timezone = ? WHERE id = ?", timezone, owner.id);
  tx.emit(
    { type: "realm_user", op: "update", person: { user_id: owner.id, email: apiEmail(tx, owner), timezone } },
    { users: usersWhoCanSee(tx, owner) },
  );
}

/** Runs `change`, and announces to each viewer which users' email addresses changed for them. */
function announcingEmail(tx: Transaction, owner: User, change: () => void): void {
  const viewers = usersWhoCanSee(tx, owner);
  const seen = () => viewers.map((id) => deliveryEmail(tx, owner, userById(tx, id) as User));
  const [emailBefore, seenBefore] = [apiEmail(tx, owner), seen()];
  change();
  const [new_email, seenNow] = [apiEmail(tx, owner), seen()];
  const user_id = owner.id;
  if (new_email !== emailBefore) {
    tx.emit({ type: "realm_user", op: "update", person: { user_id, new_email } }, { users: viewers });
  }
  for (const delivery_email of [owner.email, null]) {
    const users = viewers.filter((_, at) => seenNow[at] === delivery_email && seenBefore[at] !== delivery_email);
    if (users.length > 0) tx.emit({ type: "realm_user", op: "update", person: { user_id, delivery_email } }, { users });
  }
}

type DefaultChanges = { [Name in keyof Omit<UserSettings, "timezone">]?: UserSettings[Name] | undefined };

/** Applies to people who join later. Does not change existing users. */
export function changeUserSettingDefaults(tx: Transaction, actor: User, changes: DefaultChanges): void {
  const before = userSettingDefaults(tx);
  for (const property of Object.keys(changes) as (keyof DefaultChanges)[]) {
    const value = changes[property];
    if (value === undefined || value === before[property]) continue;
    upsertRow(tx, "user_setting_defaults", { name: property }, { value: JSON.stringify(value) });
    tx.emit({ type: "realm_user_settings_defaults", op: "update", property, value }, { users: activeUserIds(tx) });
    recordAudit(tx, actor, {
      action: "change default setting",
      target: `default setting ${property}`,
      before: before[property],
      after: value,
    });
  }
}
