import type { Transaction } from "../../storage/transaction.ts";
import { type OrganizationDomain, organizationDomains, organizationSetting } from "../queries/organization.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { changeOrganizationSettings } from "./organization-settings.ts";
import { insertRow } from "./rows.ts";

const target = (domain: string) => `domain ${domain}` as const;

export function addDomain(tx: Transaction, actor: User, added: OrganizationDomain): number {
  const id = insertRow(tx, "organization_domains", {
    domain: added.domain,
    allow_subdomains: added.allow_subdomains ? 1 : 0,
  });
  tx.emit({ type: "realm_domains", op: "add", realm_domain: added }, { users: activeUserIds(tx) });
  recordAudit(tx, actor, { action: "add domain", target: target(added.domain), after: added });
  return id;
}

export function changeDomain(
  tx: Transaction,
  actor: User,
  before: OrganizationDomain,
  allow_subdomains: boolean,
): void {
  if (before.allow_subdomains === allow_subdomains) return;
  const after = { ...before, allow_subdomains };
  tx.run(
    "UPDATE organization_domains SET allow_subdomains = ? WHERE domain = ?",
    allow_subdomains ? 1 : 0,
    before.domain,
  );
  tx.emit({ type: "realm_domains", op: "change", realm_domain: after }, { users: activeUserIds(tx) });
  recordAudit(tx, actor, { action: "change domain", target: target(before.domain), before, after });
}

/** Without domains, no one could join. So removing the last one ends the restriction. */
export function removeDomain(tx: Transaction, actor: User, removed: OrganizationDomain): void {
  tx.run("DELETE FROM organization_domains WHERE domain = ?", removed.domain);
  tx.emit({ type: "realm_domains", op: "remove", domain: removed.domain }, { users: activeUserIds(tx) });
  recordAudit(tx, actor, { action: "remove domain", target: target(removed.domain), before: removed });
  if (organizationDomains(tx).length === 0 && organizationSetting(tx, "emails_restricted_to_domains"))
    changeOrganizationSettings(tx, actor, { emails_restricted_to_domains: false });
}
