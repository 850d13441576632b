import { encodeInAddress } from "../../parts/chat-address.ts";
import type { HelpSection } from "../help/sections.ts";
import type { ChannelSection } from "../people/open-card.ts";
import { SPECTATOR_ID } from "./spectating.ts";

/** What a page of messages shows. */
export type Narrow =
  | { readonly kind: "channel"; readonly channelId: number }
  | { readonly kind: "topic"; readonly channelId: number; readonly topic: string }
  /** The other people of a direct conversation, ascending; oneself alone in one's own notes. */
  | { readonly kind: "direct"; readonly userIds: readonly number[] }
  | { readonly kind: ViewKind }
  | { readonly kind: "search"; readonly terms: readonly Term[] };

/** Where in the app somebody is. The page's address holds it, in the form of the public web client. */
export type Place =
  | { readonly page: ListPage }
  /** The topics of a channel. */
  | { readonly page: "topics"; readonly channelId: number }
  | { readonly page: "messages"; readonly narrow: Narrow; readonly near?: number | undefined };

/** Pages that list other things than messages. */
const LIST_PAGES = ["inbox", "recent", "drafts", "scheduled", "reminders"] as const;
export type ListPage = (typeof LIST_PAGES)[number];

/** A condition on messages: docs/protocol.md#narrows, in the newer spelling of the operators. */
export interface Term {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated?: boolean;
}

/** Stands for whoever reads, as an operand of `sender`. */
export const ME = "me";

/** Messages of many conversations that have a name of their own, by their terms. */
const VIEWS = {
  feed: [{ operator: "in", operand: "home" }],
  directs: [{ operator: "is", operand: "dm" }],
  mentions: [{ operator: "is", operand: "mentioned" }],
  starred: [{ operator: "is", operand: "starred" }],
  followed: [{ operator: "is", operand: "followed" }],
  reactions: [
    { operator: "has", operand: "reaction" },
    { operator: "sender", operand: ME },
  ],
} as const satisfies Record<string, readonly Term[]>;
export type ViewKind = keyof typeof VIEWS;
const VIEW_KINDS = Object.keys(VIEWS) as ViewKind[];

/** On a phone: the list of conversations. On wider screens it is beside the inbox. */
export const HOME_HASH = "#home";

export const INBOX: Place = { page: "inbox" };

/** The place of a list or view. */
export const placeOfView = (view: ListPage | ViewKind): Place =>
  view in VIEWS ? { page: "messages", narrow: { kind: view as ViewKind } } : { page: view as ListPage };

export function decode(text: string): string {
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
  name === undefined ? String(id) : `${id}-${encodeInAddress(name.replaceAll(" ", "-"))}`;

const LIST_PAGE_OF: Readonly<Record<string, ListPage>> = {
  ...Object.fromEntries(LIST_PAGES.map((page) => [page, page])),
  recent_topics: "recent",
};
const FEED_ADDRESSES = ["feed", "all_messages"];

const CHANNEL_ADDRESSES = ["channels", "streams"];

/** What an address of the public web client opens above a page. */
export type Overlay =
  | { readonly kind: "browse" | "newChannel" | "groups" }
  | { readonly kind: "help"; readonly section: HelpSection }
  | { readonly kind: "person"; readonly userId: number }
  | { readonly kind: "group"; readonly groupId: number }
  | { readonly kind: "channel"; readonly channelId: number; readonly section: ChannelSection };

const HELP: Readonly<Record<string, HelpSection>> = {
  "keyboard-shortcuts": "keys",
  "message-formatting": "formatting",
  "search-operators": "operators",
  about: "about",
  "about-zulip": "about",
};
const CHANNEL_SECTIONS: Readonly<Record<string, ChannelSection>> = {
  personal: "own",
  general: "about",
  permissions: "about",
  subscribers: "people",
};

const isNumber = (text: string): boolean => /^\d+$/.test(text);

/** The overlay that an address names; undefined where it names a place. */
export function overlayAt(hash: string): Overlay | undefined {
  const [first = "", second = "", , fourth = ""] = hash.replace(/^#/, "").split("/");
  const help = Object.hasOwn(HELP, first) ? HELP[first] : undefined;
  if (help) return { kind: "help", section: help };
  if (first === "user" && isNumber(second)) return { kind: "person", userId: Number(second) };
  if (first === "groups") return isNumber(second) ? { kind: "group", groupId: Number(second) } : { kind: "groups" };
  if (!CHANNEL_ADDRESSES.includes(first)) return undefined;
  if (!isNumber(second)) return { kind: second === "new" ? "newChannel" : "browse" };
  const section = Object.hasOwn(CHANNEL_SECTIONS, fourth) ? CHANNEL_SECTIONS[fourth] : undefined;
  return section && { kind: "channel", channelId: Number(second), section };
}

/** The place that an address names, as the public web client writes it; the inbox for what is no such address. */
export function placeAt(hash: string): Place {
  const [first = "", ...rest] = hash.replace(/^#/, "").split("/");
  if (FEED_ADDRESSES.includes(first)) return { page: "messages", narrow: { kind: "feed" } };
  if (first === "topics") {
    const channelId = idIn(rest[1] ?? "");
    return channelId === undefined ? INBOX : { page: "topics", channelId };
  }
  const [second = ""] = rest;
  if (CHANNEL_ADDRESSES.includes(first) && /^\d+$/.test(second)) return { page: "topics", channelId: Number(second) };
  if (first !== "narrow") return { page: LIST_PAGE_OF[first] ?? "inbox" };
  const terms: Term[] = [];
  let near: number | undefined;
  for (let at = 0; at + 1 < rest.length; at += 2) {
    const [operator, operand] = [rest[at] as string, rest[at + 1] as string];
    if (operator === "near" || operator === "with") {
      near = idIn(operand);
      continue;
    }
    const term = termAt(operator, operand);
    if (!term) return INBOX;
    terms.push(term);
  }
  if (terms.length > 0) return { page: "messages", narrow: narrowOf(terms), near };
  return near === undefined ? INBOX : { page: "messages", narrow: { kind: "feed" }, near };
}

/** Whether an address names no place, nothing above one and no page of settings: it opens the inbox all the same. */
export function isUnclear(hash: string): boolean {
  const [first = "", ...rest] = hash.replace(/^#/, "").split("/");
  if (first === "" ? rest.length === 0 : ["home", "inbox", "settings"].includes(first)) return false;
  return placeAt(hash).page === "inbox" && overlayAt(hash) === undefined;
}

/** Older spellings of operators. */
const SPELLINGS: Readonly<Record<string, string>> = {
  stream: "channel",
  streams: "channels",
  subject: "topic",
  "pm-with": "dm",
  "group-pm-with": "dm-including",
  from: "sender",
};

/** The operators that are understood in addresses and in what is typed to search. */
export const OPERATORS = [
  "channel",
  "channels",
  "topic",
  "sender",
  "dm",
  "dm-including",
  "has",
  "is",
  "in",
  "near",
  "with",
  "id",
  "search",
] as const;

/** An operator in its newer spelling; undefined for what is none. */
export function operatorOf(name: string): string | undefined {
  const spelled = SPELLINGS[name] ?? name;
  return (OPERATORS as readonly string[]).includes(spelled) ? spelled : undefined;
}

/**
 * A term of an address; undefined where there is no such operator. Names in place of ids stay as they are: the server
 * knows them, or says that it does not.
 */
export function termAt(spelled: string, slug: string): Term | undefined {
  const negated = spelled.startsWith("-");
  const operator = operatorOf(negated ? spelled.slice(1) : spelled);
  if (operator === undefined) return undefined;
  return { operator, operand: operandAt(operator, slug), ...(negated && { negated }) };
}

function operandAt(operator: string, slug: string): Term["operand"] {
  switch (operator) {
    case "channel":
    case "sender":
      return idIn(slug) ?? decode(slug);
    case "dm":
    case "dm-including": {
      const ids = idsIn(slug);
      return ids.length > 0 ? ids : decode(slug);
    }
    default:
      return decode(slug);
  }
}

/** The narrow of these terms: a conversation or a view where they are exactly its own, else a search. */
export function narrowOf(terms: readonly Term[]): Narrow {
  const [first, second] = terms;
  if (!terms.some(({ negated }) => negated)) {
    const channelId = first?.operator === "channel" && typeof first.operand === "number" ? first.operand : undefined;
    if (channelId !== undefined && terms.length === 1) return { kind: "channel", channelId };
    if (channelId !== undefined && terms.length === 2 && second?.operator === "topic")
      return { kind: "topic", channelId, topic: String(second.operand) };
    if (first?.operator === "dm" && terms.length === 1 && Array.isArray(first.operand))
      return { kind: "direct", userIds: first.operand as number[] };
    const view = VIEW_KINDS.find((kind) => sameTerms(VIEWS[kind], terms));
    if (view) return { kind: view };
  }
  return { kind: "search", terms };
}

const sameTerms = (some: readonly Term[], others: readonly Term[]): boolean =>
  some.length === others.length &&
  some.every((one, at) => one.operator === others[at]?.operator && one.operand === others[at]?.operand);

/** The address of a place. `channelName` makes it readable, and is left out where it is not known. */
export function addressOf(place: Place, channelName?: string): string {
  if (place.page === "topics") return `#topics/channel/${slugOf(place.channelId, channelName)}`;
  if (place.page !== "messages") return `#${place.page}`;
  const near = place.near === undefined ? "" : `/near/${place.near}`;
  if (place.narrow.kind === "feed" && near === "") return "#feed";
  return `#narrow/${narrowTerms(place.narrow)
    .map((term) => slugOfTerm(term, channelName))
    .join("/")}${near}`;
}

function slugOfTerm({ operator, operand, negated }: Term, channelName: string | undefined): string {
  const name = `${negated ? "-" : ""}${operator}`;
  if (operator === "channel" && typeof operand === "number")
    return `${name}/${slugOf(Number(operand), negated ? undefined : channelName)}`;
  if (typeof operand !== "object") return `${name}/${encodeInAddress(String(operand))}`;
  return `${name}/${operand.join(",")}-${operand.length > 1 ? "group" : "dm"}`;
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
      return `search ${JSON.stringify(narrow.terms)}`;
    default:
      return narrow.kind;
  }
}

/** The terms of a narrow as addresses have them. */
export function narrowTerms(narrow: Narrow): readonly Term[] {
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
    case "search":
      return narrow.terms;
    default:
      return VIEWS[narrow.kind];
  }
}

/** The terms of GET /messages for a narrow of the person with the id `self`. */
export function termsOf(narrow: Narrow, self: number): Term[] {
  const terms = narrowTerms(narrow).map((term) =>
    term.operator === "sender" && term.operand === ME ? { ...term, operand: self } : term,
  );
  if (self !== SPECTATOR_ID || terms.some(({ operator, negated }) => operator === "channel" && !negated)) return terms;
  return [...terms.filter(({ operator }) => operator !== "in"), { operator: "channels", operand: "web-public" }];
}

/** These are read from where reading stopped, and what was seen counts as read; the others are looked through. */
const READ_IN_ORDER: readonly Narrow["kind"][] = ["channel", "topic", "direct", "directs", "feed", "followed"];
export const isReadInOrder = ({ kind }: Narrow): boolean => READ_IN_ORDER.includes(kind);

/** Whether all messages of a narrow are of one conversation, in which one can write. */
export const isConversation = (narrow: Narrow): boolean => narrow.kind === "topic" || narrow.kind === "direct";
