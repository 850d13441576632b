import { ApiError } from "../../errors.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import type { NewUserGroup, UserGroupChange } from "../access/user-groups.ts";
import { userGroupOnWire, usesOf } from "../presenters/user-groups.ts";
import { SYSTEM_GROUPS, USER_GROUP_GROUP_SETTINGS } from "../queries/permission-settings.ts";
import { systemGroupId } from "../queries/user-group-members.ts";
import {
  USER_GROUP_SETTING_NAMES,
  type UserGroup,
  type UserGroupSettings,
  userGroupById,
  userGroupNameKey,
} from "../queries/user-groups.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { aboutGroup, putGroups, putMembers } from "./user-group-members.ts";

const SETTINGS = USER_GROUP_SETTING_NAMES;
const ASSIGN_SETTINGS = SETTINGS.map((name) => `${name} = ?`).join(", ");

const valuesOf = (settings: UserGroupSettings): string[] => SETTINGS.map((name) => JSON.stringify(settings[name]));

/**
 * Makes the eight system groups (docs/protocol.md#system-groups): each holds the next narrower one, and
 * nobody may change any. Membership follows from roles, so they have no rows of members.
 */
export function createSystemGroups(tx: Transaction): void {
  // The narrowest first: role:nobody, whose id is the value of all settings (its own too); then owners and upwards.
  let nobody = 0;
  let narrower: number | undefined;
  for (const { name, description } of SYSTEM_GROUPS.toReversed()) {
    const id = tx.run(
      `INSERT INTO user_groups (name, name_key, description, is_system_group, ${SETTINGS.join(", ")})
       VALUES (?, ?, ?, 1, ${SETTINGS.map(() => "?").join(", ")})`,
      name,
      userGroupNameKey(name),
      description,
      ...SETTINGS.map(() => String(nobody)),
    );
    if (name === "role:nobody") {
      nobody = id;
      tx.run(`UPDATE user_groups SET ${ASSIGN_SETTINGS} WHERE id = ?`, ...SETTINGS.map(() => String(nobody)), id);
      continue;
    }
    if (narrower !== undefined) {
      tx.run("INSERT INTO user_group_subgroups (group_id, subgroup_id) VALUES (?, ?)", id, narrower);
    }
    narrower = id;
  }
}

function initialSettings(reader: Reader, creator: User): UserGroupSettings {
  const settings: Partial<UserGroupSettings> = {};
  for (const name of USER_GROUP_SETTING_NAMES) {
    const { initial } = USER_GROUP_GROUP_SETTINGS[name];
    settings[name] =
      initial === "group_creator"
        ? { direct_members: [creator.id], direct_subgroups: [] }
        : systemGroupId(reader, initial);
  }
  return settings as UserGroupSettings;
}

/** Creates a group. The name must be free. */
export function createUserGroup(
  tx: Transaction,
  creator: User,
  input: NewUserGroup & { settings: Partial<UserGroupSettings> },
): UserGroup {
  const settings = { ...initialSettings(tx, creator), ...input.settings };
  const id = tx.run(
    `INSERT INTO user_groups (name, name_key, description, creator_id, created_at, ${SETTINGS.join(", ")})
     VALUES (?, ?, ?, ?, ?, ${SETTINGS.map(() => "?").join(", ")})`,
    input.name,
    userGroupNameKey(input.name),
    input.description,
    creator.id,
    tx.now,
    ...valuesOf(settings),
  );
  putMembers(tx, id, input.members);
  putGroups(tx, id, input.subgroups);
  const group = userGroupById(tx, id) as UserGroup;
  tx.emit({ type: "user_group", op: "add", group: userGroupOnWire(tx, group, tx.now) }, { users: activeUserIds(tx) });
  const { name, description, members, subgroups } = input;
  recordAudit(tx, creator, {
    action: "create user group",
    target: `user group ${id}`,
    after: { name, description, members, subgroups, ...settings },
  });
  return group;
}

/** Changes a group's fields, and reactivates it if that is asked. */
export function changeUserGroup(
  tx: Transaction,
  actor: User,
  group: UserGroup,
  { data, reactivates }: UserGroupChange,
): void {
  if (reactivates) reactivateUserGroup(tx, actor, group);
  const changed = Object.keys(data) as (keyof typeof data)[];
  if (changed.length === 0) return;
  const { name, description, ...settings } = { ...group, ...data };
  tx.run(
    `UPDATE user_groups SET name = ?, name_key = ?, description = ?, ${ASSIGN_SETTINGS} WHERE id = ?`,
    name,
    userGroupNameKey(name),
    description,
    ...valuesOf(settings),
    group.id,
  );
  const about = aboutGroup(userGroupById(tx, group.id) as UserGroup);
  tx.emit({ type: "user_group", op: "update", group_id: group.id, data, ...about }, { users: activeUserIds(tx) });
  recordAudit(tx, actor, {
    action: "change user group",
    target: `user group ${group.id}`,
    before: Object.fromEntries(changed.map((one) => [one, group[one]])),
    after: data,
  });
}

function setDeactivated(tx: Transaction, actor: User, group: UserGroup, deactivated: boolean): void {
  tx.run("UPDATE user_groups SET deactivated = ? WHERE id = ?", Number(deactivated), group.id);
  const users = activeUserIds(tx);
  const change = { type: "user_group", op: "update", group_id: group.id, data: { deactivated } } as const;
  tx.emit({ ...change, include_deactivated_groups: true }, { users });
  recordAudit(tx, actor, {
    action: deactivated ? "deactivate user group" : "reactivate user group",
    target: `user group ${group.id}`,
  });
}

/** Errors: CANNOT_DEACTIVATE_GROUP_IN_USE, with the settings and groups that name it. */
export function deactivateUserGroup(tx: Transaction, actor: User, group: UserGroup): void {
  const objections = usesOf(tx, actor, group.id);
  if (objections.length > 0) {
    const message = "This group is in use: take it out of the settings and groups that name it first.";
    throw new ApiError("CANNOT_DEACTIVATE_GROUP_IN_USE", message, { objections });
  }
  setDeactivated(tx, actor, group, true);
  const removed = { type: "user_group", op: "remove", group_id: group.id, include_deactivated_groups: false } as const;
  tx.emit(removed, { users: activeUserIds(tx) });
}

function reactivateUserGroup(tx: Transaction, actor: User, group: UserGroup): void {
  setDeactivated(tx, actor, group, false);
  const wire = userGroupOnWire(tx, userGroupById(tx, group.id) as UserGroup, tx.now);
  const added = { type: "user_group", op: "add", group: wire, include_deactivated_groups: false } as const;
  tx.emit(added, { users: activeUserIds(tx) });
}
