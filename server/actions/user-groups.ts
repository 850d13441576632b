import { SYSTEM_GROUPS } from "../access/user-groups.ts";
import type { Transaction } from "../storage/transaction.ts";

/**
 * Makes the eight system groups (contract/settings.json, systemGroups): each holds the next narrower one, and
 * nobody may change any. Who belongs to them follows from roles, so they have no rows of members.
 */
export function createSystemGroups(tx: Transaction): void {
  const add = (name: string, description: string, everySetting: string) =>
    tx.run(
      `INSERT INTO user_groups (name, description, is_system_group, can_add_members_group, can_join_group,
         can_leave_group, can_manage_group, can_mention_group, can_remove_members_group)
       VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?)`,
      name,
      description,
      everySetting,
      everySetting,
      everySetting,
      everySetting,
      everySetting,
      everySetting,
    );
  // The narrowest first: nobody, whose id is every setting's value, its own included; then owners and upwards.
  let nobody = "0";
  let narrower: number | undefined;
  for (const { name, description } of SYSTEM_GROUPS.toReversed()) {
    const id = add(name, description, nobody);
    if (name === "role:nobody") {
      nobody = String(id);
      tx.run(
        `UPDATE user_groups SET can_add_members_group = ?, can_join_group = ?, can_leave_group = ?,
           can_manage_group = ?, can_mention_group = ?, can_remove_members_group = ? WHERE id = ?`,
        nobody,
        nobody,
        nobody,
        nobody,
        nobody,
        nobody,
        id,
      );
      continue;
    }
    if (narrower !== undefined) {
      tx.run("INSERT INTO user_group_subgroups (group_id, subgroup_id) VALUES (?, ?)", id, narrower);
    }
    narrower = id;
  }
}
