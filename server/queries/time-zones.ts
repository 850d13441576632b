/**
 * Whether it is the name of a time zone as IANA spells it, older names too: not an offset, nor other letter case, which
 * clients cannot look up.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
