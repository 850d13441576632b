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

/** The organization's own URL as its sender addressed it, and further names of its host. */
export interface OwnHosts {
  readonly baseUrl?: string;
  readonly hostnames?: readonly string[];
}

const schemeAndHost = (url: string) => /^https?:\/\/([^/?#]+)/i.exec(url);
const withoutDefaultPort = (host = "") => host.toLowerCase().replace(/:(?:80|443)$/, "");

/**
 * Removes the organization's own host from links to its pages and files, so that they survive a change of host. The
 * scheme does not matter: the server is often addressed by both, and a proxy may hide from it which was meant.
 */
export function withoutOwnHost(href: string, { baseUrl = "", hostnames = [] }: OwnHosts): string {
  const [start = "", host] = schemeAndHost(href) ?? [];
  const path = href.slice(start.length);
  if (host === undefined || !/^\/(?:#|user_uploads\/)/.test(path)) return href;
  const own = [schemeAndHost(baseUrl)?.[1], ...hostnames].filter((name) => name !== undefined).map(withoutDefaultPort);
  if (!own.includes(withoutDefaultPort(host))) return href;
  return path.startsWith("/#") ? path.slice(1) : path;
}

const IMAGE = /\.(?:bmp|gif|jpe?g|png|webp|avif|heic|heif|tiff?)$/i;

export const isUploadLink = (href: string): boolean => /^\/?user_uploads\//.test(href);
export const isImageLink = (href: string): boolean => IMAGE.test(href.replace(/[?#].*$/, ""));
