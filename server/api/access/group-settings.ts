import { ApiError, problem, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import type { GroupSetting, PermissionSetting } from "../queries/permission-settings.ts";
import { shownGroupSetting, systemGroupId, systemGroupName } from "../queries/user-group-members.ts";
import { userGroupById } from "../queries/user-groups.ts";
import { userById } from "../queries/users.ts";

export interface GroupSettingUpdate {
  new: GroupSetting;
  /** The value that the client expects to replace. */
  old?: GroupSetting | undefined;
}

/** Returns ascending IDs without duplicates. */
export const uniqueIds = (ids: readonly number[] = []): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** A single group becomes its ID, lists are sorted, and an empty value becomes `role:nobody`. */
function asStored(reader: Reader, value: GroupSetting): GroupSetting {
  if (typeof value === "number") return value;
  const people = uniqueIds(value.direct_members);
  const groups = uniqueIds(value.direct_subgroups);
  if (people.length === 0 && groups.length === 0) return systemGroupId(reader, "role:nobody");
  if (people.length === 0 && groups.length === 1) return groups[0] as number;
  return { direct_members: people, direct_subgroups: groups };
}

/** People and groups in one setting. Each /register lists the settings of all channels and groups. */
const MAX_NAMED = 100;

/** Deactivated people who are in `current` may stay: clients send the complete list to add one person. */
export function validGroupSetting(
  reader: Reader,
  name: string,
  { forbidden, onlySystemGroups }: PermissionSetting,
  value: GroupSetting,
  current: GroupSetting = 0,
): GroupSetting {
  const stored = asStored(reader, value);
  const people = typeof stored === "number" ? [] : stored.direct_members;
  const groups = typeof stored === "number" ? [stored] : stored.direct_subgroups;
  if (people.length + groups.length > MAX_NAMED)
    throw refusedParameter(name, "too_many_in_setting", { count: MAX_NAMED });
  for (const id of groups) {
    if (userGroupById(reader, id)?.deactivated !== false)
      throw refusedParameter(name, "invalid_group_in_parameter", { id });
    const system = systemGroupName(reader, id);
    if (system && forbidden.includes(system)) throw refusedParameter(name, "role_not_allowed", { role: system });
  }
  const before = typeof current === "number" ? [] : current.direct_members;
  for (const id of people) {
    if (before.includes(id)) continue;
    const user = userById(reader, id);
    if (!user?.is_active || isSystemBot(user)) throw refusedParameter(name, "invalid_user_in_parameter", { id });
  }
  if (onlySystemGroups.length > 0) {
    const system = typeof stored === "number" ? systemGroupName(reader, stored) : undefined;
    if (!system)
      throw new ApiError("SYSTEM_GROUP_REQUIRED", problem("system_group_required", { parameter: name }), {
        setting_name: name,
      });
    if (!onlySystemGroups.includes(system))
      throw refusedParameter(name, "value_not_allowed", { values: onlySystemGroups.join(", ") });
  }
  return stored;
}

/**
 * Throws if `update.old` differs from the current value. Clients see the value without deactivated users, who stay in
 * it unless something else changes.
 */
export function updatedGroupSetting(
  reader: Reader,
  name: string,
  setting: PermissionSetting,
  current: GroupSetting,
  update: GroupSettingUpdate,
): GroupSetting {
  const { old } = update;
  const isShown = (value: GroupSetting) =>
    JSON.stringify(asStored(reader, value)) === JSON.stringify(asStored(reader, shownGroupSetting(reader, current)));
  if (old !== undefined && !isShown(shownGroupSetting(reader, old)))
    throw new ApiError("EXPECTATION_MISMATCH", problem("changed_by_someone_else", { parameter: name }));
  if (typeof update.new !== "number" && isShown(update.new)) return current;
  return validGroupSetting(reader, name, setting, update.new, current);
}
