import { validOrganizationName } from "../access/organization.ts";
import { ROLES, type User } from "../queries/users.ts";
import type { Transaction } from "../storage/transaction.ts";
import { recordAudit } from "./audit.ts";
import { createSystemBots } from "./system-bots.ts";
import { createSystemGroups } from "./user-groups.ts";
import { createUser } from "./users.ts";

export interface NewOrganization {
  name: string;
  owner: { email: string; full_name: string; password_hash: string | null };
  /** The domain in the addresses of bots and of people who hide theirs. It never changes. */
  emailHost: string;
}

/** Creates the organization in an empty database, with its system groups and bots. Returns its first owner. */
export function createOrganization(tx: Transaction, { name, owner, emailHost }: NewOrganization): User {
  const validName = validOrganizationName(name);
  tx.run("INSERT INTO organization (id, name, created_at) VALUES (1, ?, ?)", validName, tx.now);
  tx.run("INSERT INTO organization_settings (name, value) VALUES ('email_host', ?)", JSON.stringify(emailHost));
  createSystemGroups(tx);
  recordAudit(tx, null, { action: "create organization", target: "organization", after: { name: validName } });
  const first = createUser(tx, null, { ...owner, role: ROLES.owner });
  createSystemBots(tx);
  return first;
}
