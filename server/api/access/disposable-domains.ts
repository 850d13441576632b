/** Well-known domains of disposable addresses. No list is complete; this one needs no network. */
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

/** Whether this domain, or one above it, gives out disposable addresses. */
export function isDisposable(domain: string): boolean {
  const labels = domain.split(".");
  return labels.some((_, at) => DISPOSABLE.has(labels.slice(at).join(".")));
}
