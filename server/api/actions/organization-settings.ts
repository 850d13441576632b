import { refusedParameter, shortened } from "../../errors.ts";
import { isKnownLanguage } from "../../markdown/code.ts";
import type { Transaction } from "../../storage/transaction.ts";
import type { OrganizationChanges } from "../access/organization.ts";
import { settingOnWire } from "../presenters/organization-settings.ts";
import type { Channel } from "../queries/channels.ts";
import { type OrganizationSettings, organizationSettings } from "../queries/organization.ts";
import { ANNOUNCED_TOGETHER, SETTINGS_OF_CHANNELS } from "../queries/organization-settings.ts";
import { ORGANIZATION_GROUP_SETTINGS } from "../queries/permission-settings.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { announcingFullMembers } from "./full-members.ts";
import { upsertRow } from "./rows.ts";
import { watchPeople } from "./user-visibility.ts";

type Name = keyof OrganizationSettings;

/** Returns the names of changed settings. */
export function changeOrganizationSettings(tx: Transaction, actor: User | null, changes: OrganizationChanges): Name[] {
  const { default_code_block_language: language = "" } = changes;
  if (language !== "" && !isKnownLanguage(language))
    throw refusedParameter("default_code_block_language", "unknown_code_language", { language: shortened(language) });
  const before = organizationSettings(tx);
  const names = (Object.keys(changes) as Name[]).filter(
    (name) => JSON.stringify(changes[name]) !== JSON.stringify(before[name]),
  );
  const storeAll = () => {
    for (const name of names) store(tx, name, changes[name]);
  };
  const announcePeople = names.includes("can_access_all_users_group") ? watchPeople(tx) : () => {};
  if (names.includes("waiting_period_threshold")) announcingFullMembers(tx, storeAll);
  else storeAll();
  announcePeople();
  const after = organizationSettings(tx);
  const everyone = activeUserIds(tx);
  for (const name of names) {
    const data = settingOnWire(tx, after, name);
    tx.emit(
      ANNOUNCED_TOGETHER.has(name) || name in ORGANIZATION_GROUP_SETTINGS
        ? { type: "realm", op: "update_dict", property: "default", data }
        : { type: "realm", op: "update", property: name, value: data[name] },
      { users: everyone },
    );
    recordAudit(tx, actor, {
      action: "change organization setting",
      target: `organization setting ${name}`,
      before: before[name],
      after: after[name],
    });
  }
  return names;
}

function store(tx: Transaction, name: Name, value: unknown): void {
  if (name === "name") tx.run("UPDATE organization SET name = ?", value as string);
  else upsertRow(tx, "organization_settings", { name }, { value: JSON.stringify(value) });
}

/** Clears settings that may no longer refer to the channel: archived channels, and public channels for reports. */
export function clearChannelSettings(tx: Transaction, actor: User | null, channel: Channel): void {
  const settings = organizationSettings(tx);
  const changes: OrganizationChanges = {};
  for (const name of SETTINGS_OF_CHANNELS) {
    const unfit = channel.is_archived || (name === "moderation_request_channel_id" && !channel.invite_only);
    if (settings[name] === channel.id && unfit) changes[name] = -1;
  }
  if (Object.keys(changes).length > 0) changeOrganizationSettings(tx, actor, changes);
}
