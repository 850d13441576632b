import { badRequest } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { organizationDomains, organizationSetting } from "../queries/organization.ts";
import { allUsers, emailKey, type User } from "../queries/users.ts";
import { isDisposable } from "./disposable-domains.ts";
import { isBlank, UNPRINTABLE } from "./names.ts";

const MAX_NAME_LENGTH = 40;

/** An organization's name as it is stored, or an error that names the limit. */
export function validOrganizationName(name: string): string {
  const trimmed = name.trim().normalize("NFC");
  const length = [...trimmed].length;
  if (isBlank(trimmed)) throw badRequest("An organization needs a name.");
  if (length > MAX_NAME_LENGTH) throw badRequest(`An organization's name has at most ${MAX_NAME_LENGTH} characters.`);
  if (UNPRINTABLE.test(trimmed)) throw badRequest("An organization's name cannot contain control characters.");
  return trimmed;
}

/** Why the address's domain keeps it out; undefined if it does not. */
function reasonAgainst(reader: Reader, email: string): string | undefined {
  const domain = emailKey(email).split("@").at(-1) ?? "";
  if (organizationSetting(reader, "emails_restricted_to_domains")) {
    const isOn = organizationDomains(reader).some(
      (one) => domain === one.domain || (one.allow_subdomains && domain.endsWith(`.${one.domain}`)),
    );
    return isOn ? undefined : "Only email addresses of certain domains may join this organization.";
  }
  return organizationSetting(reader, "disallow_disposable_email_addresses") && isDisposable(domain)
    ? "Addresses of this domain are thrown away after use: take one that is kept."
    : undefined;
}

export const emailAllowed = (reader: Reader, email: string): boolean => reasonAgainst(reader, email) === undefined;

/** The address, if its domain may join. For everybody who joins, is invited or added, or changes their address. */
export function allowedEmail(reader: Reader, email: string): string {
  const reason = reasonAgainst(reader, email);
  if (reason) throw badRequest(reason);
  return email;
}

/** The name; an error if names are unique here and another active user has it, in any letter case. */
export function freeFullName(reader: Reader, name: string, self?: User): string {
  if (!organizationSetting(reader, "require_unique_names")) return name;
  const key = name.toLowerCase();
  const taken = allUsers(reader).some(
    (user) => user.is_active && user.id !== self?.id && user.full_name.toLowerCase() === key,
  );
  if (taken) throw badRequest(`Somebody is called ${JSON.stringify(name)} already: names are unique here.`);
  return name;
}
