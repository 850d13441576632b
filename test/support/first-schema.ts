import type { Transaction } from "../../server/storage/transaction.ts";

/** The system groups of the first version, narrowest first: each one contains the one before it. */
const SYSTEM_GROUPS = [
  "role:nobody",
  "role:owners",
  "role:administrators",
  "role:moderators",
  "role:fullmembers",
  "role:members",
  "role:everyone",
  "role:internet",
];

/** An organization with one owner in the first version of the schema. Later versions do not change it. */
export function createFirstOrganization(tx: Transaction, owner: { email: string; password_hash: string }): void {
  tx.run("INSERT INTO organization (id, name, created_at) VALUES (1, 'Venice', ?)", tx.now);
  tx.run("INSERT INTO organization_settings (name, value) VALUES ('email_host', '\"venice.local\"')");
  for (const [index, name] of SYSTEM_GROUPS.entries()) {
    const id = tx.run(
      `INSERT INTO user_groups (name, is_system_group, can_add_members_group, can_join_group, can_leave_group,
         can_manage_group, can_mention_group, can_remove_members_group)
       VALUES (?, 1, '1', '1', '1', '1', '1', '1')`,
      name,
    );
    if (index > 1) tx.run("INSERT INTO user_group_subgroups (group_id, subgroup_id) VALUES (?, ?)", id, id - 1);
  }
  tx.run(
    `INSERT INTO users (email, email_key, full_name, role, password_hash, joined_at)
     VALUES (?, ?, 'Desdemona', 100, ?, ?)`,
    owner.email,
    owner.email,
    owner.password_hash,
    tx.now,
  );
}
