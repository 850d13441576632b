import { badRequest, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type OrganizationDomain, organizationDomains } from "../queries/organization.ts";

const MAX_DOMAIN_LENGTH = 253;
const DOMAIN =
  /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)*$/u;

/** A domain as it is stored, or an error. It needs no dot: names in a home network have none. */
function validDomain(domain: string): string {
  const key = domain.trim().normalize("NFC").toLowerCase();
  if (key.length > MAX_DOMAIN_LENGTH || !DOMAIN.test(key))
    throw refusedParameter("domain", "domain must be the domain of email addresses.");
  return key;
}

/** A domain that is not on the list yet, as it is stored. */
export function newDomain(reader: Reader, domain: string): string {
  const valid = validDomain(domain);
  if (organizationDomains(reader).some((one) => one.domain === valid))
    throw badRequest(`The domain ${valid} is on the list already.`);
  return valid;
}

export function domainOnList(reader: Reader, domain: string): OrganizationDomain {
  const key = domain.trim().normalize("NFC").toLowerCase();
  const found = organizationDomains(reader).find((one) => one.domain === key);
  if (!found) throw badRequest("The domain is not on the list.");
  return found;
}
