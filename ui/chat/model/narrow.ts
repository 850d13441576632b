import { encodeInAddress } from "../../parts/chat-address.ts";
import type { HelpSection } from "../help/sections.ts";
import type { ChannelSection } from "../people/open-card.ts";
import { SPECTATOR_ID } from "./spectating.ts";

/** A set of messages that a page shows. */
export type Narrow =
  | { readonly kind: "channel"; readonly channelId: number }
  | { readonly kind: "topic"; readonly channelId: number; readonly topic: string }
  /** The other people of a direct conversation, ascending. Notes to self have the user's own id. */
  | { readonly kind: "direct"; readonly userIds: readonly number[] }
  | { readonly kind: ViewKind }
  | { readonly kind: "search"; readonly terms: readonly Term[] };

/** A page of the app. The URL has it in the form of the public web client. */
export type Place =
  | { readonly page: ListPage }
  /** The topics of a channel. */
  | { readonly page: "topics"; readonly channelId: number }
  | { readonly page: "messages"; readonly narrow: Narrow; readonly near?: number | undefined };

const LIST_PAGES = ["inbox", "recent", "drafts", "scheduled", "reminders"] as const;
export type ListPage = (typeof LIST_PAGES)[number];

/** A condition on messages: docs/protocol.md#narrows, in the newer spelling of the operators. */
export interface Term {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated?: boolean;
}

/** The operand of `sender` for the current user. */
export const ME = "me";

/** Views of several conversations, with their search terms. */
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

/** The list of conversations on a phone. Wider screens show it next to the inbox. */
export const HOME_HASH = "#home";

export const INBOX: Place = { page: "inbox" };

export const placeOfView = (view: ListPage | ViewKind): Place =>
  view in VIEWS ? { page: "messages", narrow: { kind: view as ViewKind } } : { page: view as ListPage };

export function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll(".", "%"));
  } catch {
    return text;
  }
}

/** 5 for `5-general`. */
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

/** A dialog or card that a URL of the public web client opens. */
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

/** The overlay of a URL; undefined if the URL has none. */
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

/** The place of a URL of the public web client; the inbox for unknown URLs. */
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

/** Whether a URL is unknown, so that it opens the inbox. */
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

/** Operators of URLs and of the search. */
export const OPERATORS = [
  "channel",
  "channels",
  "topic",
  "sender",
  "mentions",
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

/** The current spelling of an operator; undefined for unknown operators. */
export function operatorOf(name: string): string | undefined {
  const spelled = SPELLINGS[name] ?? name;
  return (OPERATORS as readonly string[]).includes(spelled) ? spelled : undefined;
}

/** A term of a URL; undefined for unknown operators. Names instead of ids stay, because the server resolves them. */
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
    case "mentions":
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

/** The conversation or view with exactly these terms, or else a search. */
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

/** The URL of a place. `channelName` makes it readable. */
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

/** Identifies a narrow. Topics ignore letter case. */
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

/** The terms of a narrow in a URL. */
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

/** The terms of a narrow for GET /messages. */
export function termsOf(narrow: Narrow, self: number): Term[] {
  const terms = narrowTerms(narrow).map((term) =>
    ["sender", "mentions"].includes(term.operator) && term.operand === ME ? { ...term, operand: self } : term,
  );
  if (self !== SPECTATOR_ID || terms.some(({ operator, negated }) => operator === "channel" && !negated)) return terms;
  return [...terms.filter(({ operator }) => operator !== "in"), { operator: "channels", operand: "web-public" }];
}

/** These open at the first unread message, and visible messages become read. The others open at the newest message. */
const READ_IN_ORDER: readonly Narrow["kind"][] = ["channel", "topic", "direct", "directs", "feed", "followed"];
export const isReadInOrder = ({ kind }: Narrow): boolean => READ_IN_ORDER.includes(kind);

/** Whether a narrow is a topic or direct conversation. */
export const isConversation = (narrow: Narrow): boolean => narrow.kind === "topic" || narrow.kind === "direct";
