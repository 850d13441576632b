import { badRequest, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type OrganizationDomain, organizationDomains } from "../queries/organization.ts";

const MAX_DOMAIN_LENGTH = 253;
const DOMAIN =
  /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)*$/u;

/** A dot is not required: names in home networks have none. */
function validDomain(domain: string): string {
  const key = domain.trim().normalize("NFC").toLowerCase();
  if (key.length > MAX_DOMAIN_LENGTH || !DOMAIN.test(key)) throw refusedParameter("domain", "domain_invalid");
  return key;
}

export function newDomain(reader: Reader, domain: string): string {
  const valid = validDomain(domain);
  if (organizationDomains(reader).some((one) => one.domain === valid))
    throw badRequest("domain_already_listed", { domain: valid });
  return valid;
}

export function domainOnList(reader: Reader, domain: string): OrganizationDomain {
  const key = domain.trim().normalize("NFC").toLowerCase();
  const found = organizationDomains(reader).find((one) => one.domain === key);
  if (!found) throw badRequest("domain_not_listed");
  return found;
}

/** Well-known domains of disposable addresses. The list is incomplete but needs no network. */
const DISPOSABLE = new Set(
  `10minutemail.com 10minutemail.net 20minutemail.com 33mail.com anonbox.net burnermail.io byom.de crazymailing.com
  deadaddress.com discard.email discardmail.com dispostable.com dropmail.me easytrashmail.com emailondeck.com
  emailtemporanea.net fakeinbox.com fakemail.net fakemailgenerator.com getairmail.com getnada.com grr.la
  guerrillamail.biz guerrillamail.com guerrillamail.de guerrillamail.info guerrillamail.net guerrillamail.org
  guerrillamailblock.com harakirimail.com inboxkitten.com jetable.org mail-temp.com mailcatch.com maildrop.cc
  mailexpire.com mailinator.com mailinator.net mailnesia.com mailnull.com mailsac.com mailtemp.net meltmail.com
  minutemail.com mintemail.com moakt.com mohmal.com mytemp.email mytrashmail.com nada.email nowmymail.com
  sharklasers.com spam4.me spambog.com spambox.us spamgourmet.com spamfree24.org temp-mail.io temp-mail.org
  tempail.com tempinbox.com tempmail.com tempmail.dev tempmail.net tempmailo.com temporary-mail.net
  temporarymail.com throwaway.email throwawaymail.com tmail.ws tmpmail.net tmpmail.org trash-mail.com trashmail.com
  trashmail.de trashmail.net trashmail.ws trbvm.com wegwerfmail.de yopmail.com yopmail.fr yopmail.net`.split(/\s+/),
);

/** Also checks parent domains. */
export function isDisposable(domain: string): boolean {
  const labels = domain.split(".");
  return labels.some((_, at) => DISPOSABLE.has(labels.slice(at).join(".")));
}
