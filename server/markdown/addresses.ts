/** Web, mail, phone, and places in the organization itself. Not `//host`: that leads elsewhere. */
const SAFE_LINK = /^(?:https?:\/\/[^/]|mailto:[^/]|tel:|sms:|xmpp:|\/(?![/\\])|#)/i;
/** Browsers drop some of these before they read an address, so what they hide would not be seen. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const HIDING = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/;

/** Whether an address, as it will stand in `href`, leads only where it seems to. */
export const isSafeLink = (href: string): boolean => SAFE_LINK.test(href) && !HIDING.test(href);

/** What people write for web addresses and mail addresses without the scheme. */
export function withScheme(written: string): string {
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(written) || /^[/#?.]/.test(written)) return written;
  if (/^[^\s/@]+@[^\s/@]+\.[^\s/@]+$/.test(written)) return `mailto:${written}`;
  return /^[^\s/?#]+\.[^\s/?#]/.test(written) || /^localhost(?=[:/]|$)/.test(written) ? `http://${written}` : written;
}

/** Addresses of the organization's own pages and files, without its host: they stay good when it moves. */
export function withoutOwnHost(href: string, baseUrl: string | undefined): string {
  if (!baseUrl) return href;
  const base = baseUrl.replace(/\/+$/, "");
  if (href.startsWith(`${base}/#`)) return href.slice(base.length + 1);
  return href.startsWith(`${base}/user_uploads/`) ? href.slice(base.length) : href;
}

const IMAGE = /\.(?:bmp|gif|jpe?g|png|webp|avif|heic|heif|tiff?)$/i;

export const leadsToUpload = (href: string): boolean => /^\/?user_uploads\//.test(href);
export const leadsToImage = (href: string): boolean => IMAGE.test(href.replace(/[?#].*$/, ""));
