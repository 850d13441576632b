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

/** Encodes a name for the fragment of a URL, as the protocol defines. */
export const encodeForHash = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*.]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%", ".");

const slug = (id: number, name: string): string => `${id}-${encodeForHash(name.replaceAll(" ", "-"))}`;

export interface NamedChannel {
  readonly id: number;
  readonly name: string;
}

export const channelUrl = ({ id, name }: NamedChannel): string => `/#narrow/channel/${slug(id, name)}`;

/** `withId`, a message in the topic, keeps the link valid when the topic is renamed. */
export const topicUrl = (channel: NamedChannel, topic: string, withId?: number): string =>
  `${channelUrl(channel)}/topic/${encodeForHash(topic)}${withId === undefined ? "" : `/with/${withId}`}`;

export const messageUrl = (channel: NamedChannel, topic: string, messageId: number): string =>
  `${topicUrl(channel, topic)}/near/${messageId}`;

/** Whether a link within the organization leads to a single message. */
export const isMessageLink = (href: string): boolean =>
  /^\/?#narrow\/(?:(?:channel|stream)\/[^/]+\/(?:topic|subject)\/[^/]*|(?:dm|pm-with)\/[^/]+)\/near\/\d+$/.test(href);

interface Variable {
  readonly name: string;
  /** The number of characters in `{name:3}`. */
  readonly prefix: number | undefined;
}

interface Expression {
  readonly operator: string;
  readonly variables: readonly Variable[];
}

/** A parsed URL template of RFC 6570: literal text and expressions. */
export type UrlTemplate = readonly (string | Expression)[];

/** The names of its variables. */
export const variablesIn = (template: UrlTemplate): Set<string> =>
  new Set(template.flatMap((part) => (typeof part === "string" ? [] : part.variables.map(({ name }) => name))));

/** How each operator of RFC 6570 joins its values; `named` writes name=value. `+` and `#` keep reserved characters. */
const OPERATORS: Record<string, { first: string; between: string; named?: "=" | ""; reserved?: true }> = {
  "": { first: "", between: "," },
  "+": { first: "", between: ",", reserved: true },
  "#": { first: "#", between: ",", reserved: true },
  ".": { first: ".", between: "." },
  "/": { first: "/", between: "/" },
  ";": { first: ";", between: ";", named: "" },
  "?": { first: "?", between: "&", named: "=" },
  "&": { first: "&", between: "&", named: "=" },
};
const VARIABLE = /^((?:\w|%[0-9a-f]{2})(?:\.?(?:\w|%[0-9a-f]{2}))*)(?::([1-9]\d{0,3})|\*)?$/i;

/** Undefined if the template is malformed. */
export function parseTemplate(template: string): UrlTemplate | undefined {
  const parts: (string | Expression)[] = [];
  for (const part of template.split(/(\{[^{}]*\})/)) {
    if (!part.startsWith("{") || !part.endsWith("}")) {
      if (/[{}]/.test(part)) return undefined;
      if (part !== "") parts.push(part);
      continue;
    }
    const operator = /^[+#./;?&]/.exec(part.slice(1))?.[0] ?? "";
    const variables: Variable[] = [];
    for (const written of part.slice(1 + operator.length, -1).split(",")) {
      const match = VARIABLE.exec(written);
      if (!match) return undefined;
      variables.push({ name: match[1] as string, prefix: match[2] === undefined ? undefined : Number(match[2]) });
    }
    parts.push({ operator, variables });
  }
  return parts;
}

const percentEncoded = (character: string): string =>
  [...Buffer.from(character, "utf8")].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

const encodeUnreserved = (text: string): string => text.replace(/[^A-Za-z0-9\-._~]/gu, percentEncoded);
const encodeReserved = (text: string): string =>
  text.replace(/%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]/gu, (part) =>
    part.length === 3 && part.startsWith("%") ? part : percentEncoded(part),
  );

/** Expands a template with text values (3.2.1: without lists and maps, `*` has no effect). */
export function expand(template: UrlTemplate, value: (name: string) => string | undefined): string {
  const parts = template.map((part) => {
    if (typeof part === "string") return encodeReserved(part);
    const { first, between, named, reserved } = OPERATORS[part.operator] as (typeof OPERATORS)[string];
    const values = part.variables.flatMap(({ name, prefix }) => {
      const full = value(name);
      if (full === undefined) return [];
      const text = prefix === undefined ? full : [...full].slice(0, prefix).join("");
      const encoded = reserved ? encodeReserved(text) : encodeUnreserved(text);
      if (named === undefined) return [encoded];
      return [encoded === "" ? `${name}${named}` : `${name}=${encoded}`];
    });
    return values.length === 0 ? "" : first + values.join(between);
  });
  return parts.join("");
}

/** For tests with the examples of RFC 6570. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string | undefined {
  const parts = parseTemplate(template);
  return parts && expand(parts, (name) => values[name]);
}
