/** What a page of messages shows. */
export type Narrow =
  | { readonly kind: "channel"; readonly channelId: number }
  | { readonly kind: "topic"; readonly channelId: number; readonly topic: string }
  /** The other people of a direct conversation, ascending; oneself alone in one's own notes. */
  | { readonly kind: "direct"; readonly userIds: readonly number[] }
  | { readonly kind: "mentions" }
  | { readonly kind: "starred" }
  | { readonly kind: "search"; readonly text: string };

/** Where in the app somebody is. The page's address holds it, in the form of the public web client. */
export type Place =
  | { readonly page: "inbox" }
  | { readonly page: "messages"; readonly narrow: Narrow; readonly near?: number | undefined };

export interface Term {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated?: boolean;
}

/** On a phone: the list of conversations. Elsewhere it is beside the inbox. */
export const HOME_HASH = "#home";

export const INBOX: Place = { page: "inbox" };

const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*.]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%", ".");

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll(".", "%"));
  } catch {
    return text;
  }
}

/** `5-general` as 5; undefined for what begins with no number. */
function idIn(slug: string): number | undefined {
  const [digits] = /^\d+/.exec(slug) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

const idsIn = (slug: string): number[] =>
  (/^\d+(?:,\d+)*/.exec(slug)?.[0] ?? "")
    .split(",")
    .filter((part) => part !== "")
    .map(Number)
    .sort((a, b) => a - b);

const slugOf = (id: number, name: string | undefined): string =>
  name === undefined ? String(id) : `${id}-${encode(name.replaceAll(" ", "-"))}`;

/** The place that an address names, as the public web client writes it; the inbox for what is no such address. */
export function placeAt(hash: string): Place {
  const [first, ...rest] = hash.replace(/^#/, "").split("/");
  if (first !== "narrow") return INBOX;
  const operands = new Map<string, string>();
  for (let at = 0; at + 1 < rest.length; at += 2) operands.set(rest[at] as string, rest[at + 1] as string);
  const operand = (...names: string[]) => names.map((name) => operands.get(name)).find((value) => value !== undefined);
  const near = idIn(operand("near", "with") ?? "");
  const narrow = narrowIn(operand);
  return narrow ? { page: "messages", narrow, near } : INBOX;
}

function narrowIn(operand: (...names: string[]) => string | undefined): Narrow | undefined {
  const channelId = idIn(operand("channel", "stream") ?? "");
  const topic = operand("topic", "subject");
  if (channelId !== undefined)
    return topic === undefined ? { kind: "channel", channelId } : { kind: "topic", channelId, topic: decode(topic) };
  const people = operand("dm", "pm-with");
  if (people !== undefined) {
    const userIds = idsIn(people);
    return userIds.length > 0 ? { kind: "direct", userIds } : undefined;
  }
  const is = operand("is");
  if (is === "mentioned") return { kind: "mentions" };
  if (is === "starred") return { kind: "starred" };
  const text = operand("search");
  return text === undefined ? undefined : { kind: "search", text: decode(text) };
}

/** The address of a place. `channelName` makes it readable, and is left out where it is not known. */
export function addressOf(place: Place, channelName?: string): string {
  if (place.page === "inbox") return "#inbox";
  const near = place.near === undefined ? "" : `/near/${place.near}`;
  return `#narrow/${pathOf(place.narrow, channelName)}${near}`;
}

function pathOf(narrow: Narrow, channelName: string | undefined): string {
  switch (narrow.kind) {
    case "channel":
      return `channel/${slugOf(narrow.channelId, channelName)}`;
    case "topic":
      return `channel/${slugOf(narrow.channelId, channelName)}/topic/${encode(narrow.topic)}`;
    case "direct":
      return `dm/${narrow.userIds.join(",")}-${narrow.userIds.length > 1 ? "group" : "dm"}`;
    case "mentions":
      return "is/mentioned";
    case "starred":
      return "is/starred";
    case "search":
      return `search/${encode(narrow.text)}`;
  }
}

/** Tells conversations apart; topics are the same whatever their letter case. */
export function narrowKey(narrow: Narrow): string {
  switch (narrow.kind) {
    case "channel":
      return `channel ${narrow.channelId}`;
    case "topic":
      return `topic ${narrow.channelId} ${narrow.topic.normalize("NFC").toLowerCase()}`;
    case "direct":
      return `direct ${narrow.userIds.join()}`;
    case "search":
      return `search ${narrow.text}`;
    default:
      return narrow.kind;
  }
}

const OPERATORS = ["channel", "topic", "sender", "from", "dm", "has", "is", "in", "near", "id"];

/** The terms of GET /messages for a narrow. */
export function termsOf(narrow: Narrow): Term[] {
  switch (narrow.kind) {
    case "channel":
      return [{ operator: "channel", operand: narrow.channelId }];
    case "topic":
      return [
        { operator: "channel", operand: narrow.channelId },
        { operator: "topic", operand: narrow.topic },
      ];
    case "direct":
      return [{ operator: "dm", operand: narrow.userIds }];
    case "mentions":
      return [{ operator: "is", operand: "mentioned" }];
    case "starred":
      return [{ operator: "is", operand: "starred" }];
    case "search":
      return searchTerms(narrow.text);
  }
}

/** `from:ada@x.y -has:link boat` as terms; what names no operator is searched for. Quotes hold words together. */
function searchTerms(text: string): Term[] {
  const words: string[] = [];
  const terms: Term[] = [];
  for (const [part] of text.matchAll(/(?:[^\s"]|"[^"]*")+/g)) {
    const [, minus, operator, value] = /^(-?)([a-z]+):(.+)$/.exec(part) ?? [];
    if (operator === undefined || value === undefined || !OPERATORS.includes(operator)) words.push(part);
    else terms.push({ operator, operand: value.replaceAll('"', ""), ...(minus && { negated: true }) });
  }
  if (words.length > 0) terms.push({ operator: "search", operand: words.join(" ") });
  return terms;
}
