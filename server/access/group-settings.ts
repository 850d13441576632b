import { ApiError, badRequest } from "../errors.ts";
import type { GroupSetting, PermissionSetting } from "../queries/permission-settings.ts";
import { isSystemBot } from "../queries/system-bots.ts";
import { systemGroupId, systemGroupName } from "../queries/user-group-members.ts";
import { userGroupById } from "../queries/user-groups.ts";
import { userById } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";

export interface GroupSettingUpdate {
  new: GroupSetting;
  /** What the client takes for the present value. */
  old?: GroupSetting | undefined;
}

/** As it is kept and compared: one group as its id, lists ascending without repeats, nobody as `role:nobody`. */
function asStored(reader: Reader, value: GroupSetting): GroupSetting {
  if (typeof value === "number") return value;
  const ascending = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);
  const people = ascending(value.direct_members);
  const groups = ascending(value.direct_subgroups);
  if (people.length === 0 && groups.length === 0) return systemGroupId(reader, "role:nobody");
  if (people.length === 0 && groups.length === 1) return groups[0] as number;
  return { direct_members: people, direct_subgroups: groups };
}

/** A group setting's value as it is kept, or an error that names the setting. */
export function validGroupSetting(
  reader: Reader,
  name: string,
  { forbidden, onlySystemGroups }: PermissionSetting,
  value: GroupSetting,
): GroupSetting {
  const kept = asStored(reader, value);
  const people = typeof kept === "number" ? [] : kept.direct_members;
  const groups = typeof kept === "number" ? [kept] : kept.direct_subgroups;
  for (const id of groups) {
    if (userGroupById(reader, id)?.deactivated !== false) throw badRequest(`${name}: invalid user group ID ${id}`);
    const system = systemGroupName(reader, id);
    if (system && forbidden.includes(system)) throw badRequest(`${name} cannot be ${system}.`);
  }
  for (const id of people) {
    const user = userById(reader, id);
    if (!user?.is_active || isSystemBot(user)) throw badRequest(`${name}: invalid user ID ${id}`);
  }
  if (onlySystemGroups.length > 0) {
    const system = typeof kept === "number" ? systemGroupName(reader, kept) : undefined;
    if (!system) throw new ApiError("SYSTEM_GROUP_REQUIRED", `${name} must be a system group.`, { setting_name: name });
    if (!onlySystemGroups.includes(system)) throw badRequest(`${name} must be one of: ${onlySystemGroups.join(", ")}.`);
  }
  return kept;
}

/** Whoever says what they take for the present value is told when it has become another meanwhile. */
export function updatedGroupSetting(
  reader: Reader,
  name: string,
  setting: PermissionSetting,
  present: GroupSetting,
  update: GroupSettingUpdate,
): GroupSetting {
  const { old } = update;
  if (old !== undefined && JSON.stringify(asStored(reader, old)) !== JSON.stringify(asStored(reader, present)))
    throw new ApiError("EXPECTATION_MISMATCH", `${name} was changed by somebody meanwhile.`);
  return validGroupSetting(reader, name, setting, update.new);
}
