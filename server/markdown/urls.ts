/** Web, mail, phone, and paths of the organization itself. Not `//host`, which is another server. */
const SAFE_LINK = /^(?:https?:\/\/[^/]|mailto:[^/]|tel:|sms:|xmpp:|\/(?![/\\])|#)/i;
/** Browsers remove some of these before they parse a URL, so they could hide its scheme. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const HIDING = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/;

/** Whether a URL is safe in `href`: an allowed scheme, and nothing hidden. */
export const isSafeLink = (href: string): boolean => SAFE_LINK.test(href) && !HIDING.test(href);

/** Adds the scheme to web and mail addresses that were written without it. */
export function withScheme(written: string): string {
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(written) || /^[/#?.]/.test(written)) return written;
  if (/^[^\s/@]+@[^\s/@]+\.[^\s/@]+$/.test(written)) return `mailto:${written}`;
  return /^[^\s/?#]+\.[^\s/?#]/.test(written) || /^localhost(?=[:/]|$)/.test(written) ? `http://${written}` : written;
}

/** Removes the organization's own host from links to its pages and files, so that they survive a change of host. */
export function withoutOwnHost(href: string, baseUrl: string | undefined): string {
  if (!baseUrl) return href;
  const base = baseUrl.replace(/\/+$/, "");
  if (href.startsWith(`${base}/#`)) return href.slice(base.length + 1);
  return href.startsWith(`${base}/user_uploads/`) ? href.slice(base.length) : href;
}

const IMAGE = /\.(?:bmp|gif|jpe?g|png|webp|avif|heic|heif|tiff?)$/i;

export const isUploadLink = (href: string): boolean => /^\/?user_uploads\//.test(href);
export const isImageLink = (href: string): boolean => IMAGE.test(href.replace(/[?#].*$/, ""));
