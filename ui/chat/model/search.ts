import type { Channel, State } from "../../api/state-shape.ts";
import { folded } from "../../parts/folded.ts";
import { type Narrow, narrowOf, operatorOf, type Term } from "./narrow.ts";
import { allChannels, channelById, channelNamed, type Person, personById } from "./selectors.ts";
import { SPECTATOR_ID } from "./spectating.ts";

// Converts typed searches, such as `sender:"Ada Lovelace" has:link boat`, to terms (docs/protocol.md#narrows) and back.

/** Words of a typed search. A quoted text is one word, even if its end is missing. */
const WORDS = /(?:[^\s"]|"[^"]*(?:"|$))+/g;
const OPERATOR = /^(-?)([a-z]+(?:[-_][a-z]+)?):(.*)$/s;

/** Operators with a fixed set of values. */
export const FIXED_VALUES = {
  is: ["unread", "mentioned", "starred", "followed", "dm", "resolved", "muted", "alerted", "imported"],
  has: ["link", "image", "attachment", "reaction"],
  in: ["home", "all"],
  channels: ["public", "web-public"],
} as const satisfies Record<string, readonly string[]>;
/** Values of `is` that do not depend on the user. */
const PUBLIC_MARKS: readonly (typeof FIXED_VALUES)["is"][number][] = ["resolved"];
type FixedOperator = keyof typeof FIXED_VALUES;

export const FREE_OPERATORS = ["sender", "mentions", "channel", "topic", "dm", "dm-including", "id"] as const;
type FreeOperator = (typeof FREE_OPERATORS)[number];

export type SearchOperator = FreeOperator | FixedOperator;
export const OFFERED: readonly SearchOperator[] = [
  "sender",
  "channel",
  "topic",
  "is",
  "has",
  "dm",
  "dm-including",
  "mentions",
  "in",
  "channels",
  "id",
];

/** Operators for spectators. The others need an account. */
export const PUBLIC: readonly SearchOperator[] = ["sender", "channel", "topic", "is", "has", "id"];
const offeredTo = (state: State): readonly SearchOperator[] => (isPublic(state) ? PUBLIC : OFFERED);
const isPublic = ({ user_id }: State): boolean => user_id === SPECTATOR_ID;

const lower = (text: string): string => text.toLocaleLowerCase();
const unquoted = (text: string): string => text.replaceAll('"', "");
const quoted = (text: string): string => (/[\s"]/.test(text) || text === "" ? `"${unquoted(text)}"` : text);

/**
 * The terms of a typed search. Words without an operator are the searched text. A unique prefix of a name is enough;
 * other names stay as typed, and `unclearTerms` explains why.
 */
export function searchTerms(state: State, typed: string): Term[] {
  const words: string[] = [];
  const terms: Term[] = [];
  for (const [word] of typed.matchAll(WORDS)) {
    const [, minus, name, value = ""] = OPERATOR.exec(word) ?? [];
    const operator = name === undefined ? undefined : operatorOf(name.replaceAll("_", "-"));
    if (operator === undefined || value === "") words.push(word);
    else if (operator === "search") words.push(value);
    else
      terms.push({ operator, operand: operandOf(state, operator, unquoted(value)), ...(minus && { negated: true }) });
  }
  const text = words.join(" ").trim();
  return text === "" ? terms : [...terms, { operator: "search", operand: text }];
}

export function searchNarrow(state: State, typed: string): Narrow | undefined {
  const terms = searchTerms(state, typed);
  return terms.length === 0 ? undefined : narrowOf(terms);
}

/** An invalid term, as typed, with the reason. */
export interface UnclearTerm {
  readonly typed: string;
  readonly why: "nobody" | "severalPeople" | "noChannel" | "severalChannels" | "value" | "number";
  /** The fixed values of the operator, if it has any. */
  readonly values: readonly string[];
}

/** Invalid terms. The server checks operands that the page does not know, such as email addresses. */
export function unclearTerms(state: State, terms: readonly Term[]): UnclearTerm[] {
  return terms.flatMap((term) => {
    const why = isPublic(state) ? undefined : unclearBecause(state, term);
    const values = term.operator in FIXED_VALUES ? FIXED_VALUES[term.operator as FixedOperator] : [];
    return why ? [{ typed: searchText(state, [term]), why, values }] : [];
  });
}

function unclearBecause(state: State, { operator, operand }: Term): UnclearTerm["why"] | undefined {
  if (typeof operand !== "string") return undefined;
  switch (operator) {
    case "sender":
    case "mentions":
    case "dm":
    case "dm-including": {
      const isOpen = (name: string) => !/^\s*me\s*$|@|\d$/.test(name) && !personByInput(state, name);
      const name = operand.split(",").find(isOpen);
      if (name === undefined) return undefined;
      return peopleLike(state, name).length > 0 ? "severalPeople" : "nobody";
    }
    case "channel":
      if (channelByInput(state, operand)) return undefined;
      return channelsLike(state, operand).length > 0 ? "severalChannels" : "noChannel";
    case "id":
    case "near":
    case "with":
      return /^\d+$/.test(operand) ? undefined : "number";
    default: {
      if (!(operator in FIXED_VALUES) || (operator === "is" && operand === "private")) return undefined;
      return (FIXED_VALUES[operator as FixedOperator] as readonly string[]).includes(operand) ? undefined : "value";
    }
  }
}

/**
 * A narrow of a URL for the current user. Older URLs have channel names, which become ids. Links of other clients to a
 * direct conversation include all its people, so this removes the user.
 */
export function narrowHere(state: State, narrow: Narrow): Narrow {
  if (narrow.kind === "direct") {
    const others = narrow.userIds.filter((id) => id !== state.user_id);
    return others.length === 0 || others.length === narrow.userIds.length ? narrow : { ...narrow, userIds: others };
  }
  if (narrow.kind !== "search") return narrow;
  const named = (term: Term) => term.operator === "channel" && typeof term.operand === "string";
  if (!narrow.terms.some(named)) return narrow;
  return narrowOf(
    narrow.terms.map((term) =>
      named(term)
        ? { ...term, operand: channelByNameOrId(state, String(term.operand))?.stream_id ?? term.operand }
        : term,
    ),
  );
}

function operandOf(state: State, operator: string, value: string): Term["operand"] {
  switch (operator) {
    case "channel":
      return channelByInput(state, value)?.stream_id ?? value;
    case "sender":
    case "mentions":
      return value === "me" ? value : (personByInput(state, value)?.user_id ?? value);
    case "dm":
    case "dm-including": {
      const ids = value
        .split(",")
        .map((name) => (name.trim() === "me" ? state.user_id : personByInput(state, name)?.user_id));
      const known = ids.filter((id) => id !== undefined);
      return known.length === ids.length ? known.sort((a, b) => a - b) : value;
    }
    default:
      return operator in FIXED_VALUES ? lower(value) : value;
  }
}

/** By name, id, or unique prefix. */
function channelByInput(state: State, given: string): Channel | undefined {
  const [first, second] = channelsLike(state, given);
  return channelByNameOrId(state, given) ?? (second ? undefined : first);
}

const channelsLike = (state: State, given: string): readonly Channel[] =>
  bestMatches(
    allChannels(state).filter(({ is_archived }) => !is_archived),
    ({ name }) => name,
    given,
  );

const channelByNameOrId = (state: State, given: string): Channel | undefined =>
  channelNamed(state, given) ?? (/^\d+$/.test(given) ? channelById(state, Number(given)) : undefined);

/** By name, `name|id`, id, email address, or unique prefix. */
function personByInput(state: State, given: string): Person | undefined {
  const name = lower(given.trim());
  const [, id] = /(?:^|\|)(\d+)$/.exec(name) ?? [];
  if (id !== undefined) return personById(state, Number(id));
  const isCalled = (person: Person) =>
    lower(person.full_name) === name || [person.email, person.delivery_email].some((one) => one && lower(one) === name);
  const { realm_users = [], realm_non_active_users = [] } = state;
  for (const found of [realm_users.filter(isCalled), peopleLike(state, given), realm_non_active_users.filter(isCalled)])
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  return undefined;
}

const peopleLike = (state: State, given: string): readonly Person[] =>
  bestMatches(state.realm_users ?? [], ({ full_name }) => full_name, given);

/** Names with the prefix, or else names that have a word with it. */
function bestMatches<T>(all: readonly T[], nameOf: (one: T) => string, given: string): readonly T[] {
  const typed = folded(given.trim());
  if (typed === "") return [];
  const ranked = (rank: number) => all.filter((one) => rankOf(nameOf(one), typed) === rank);
  const first = ranked(0);
  return first.length > 0 ? first : ranked(1);
}

/** The name for the search field, with the id if several people have the name. */
function nameOf(state: State, id: number): string {
  const person = personById(state, id);
  if (!person) return String(id);
  const isShared = (state.realm_users ?? []).some((one) => one.full_name === person.full_name && one.user_id !== id);
  return isShared ? `${person.full_name}|${id}` : person.full_name;
}

/** The typed form of terms, with the names of people and channels. */
export function searchText(state: State, terms: readonly Term[]): string {
  return terms
    .map(({ operator, operand, negated }) => {
      if (operator === "search") return String(operand);
      return `${negated ? "-" : ""}${operator}:${quoted(operandText(state, operator, operand))}`;
    })
    .join(" ");
}

function operandText(state: State, operator: string, operand: Term["operand"]): string {
  if (operator === "channel" && typeof operand === "number")
    return channelById(state, operand)?.name ?? String(operand);
  if ((operator === "sender" || operator === "mentions") && typeof operand === "number") return nameOf(state, operand);
  if (typeof operand === "object") return operand.map((id) => nameOf(state, id)).join(",");
  return String(operand);
}

/** A completion of the typed word. */
export interface SearchSuggestion {
  /** The whole search after the completion. It ends with a space, or with `:` if a value follows. */
  readonly text: string;
  /** The completed word. */
  readonly word: string;
  readonly operator: SearchOperator;
  readonly negated: boolean;
  /** Undefined if the user still types it. */
  readonly value?: string;
}

const MAX_SUGGESTIONS = 8;
const MAX_OF_ONE_OPERATOR = 4;

/** Completions of the last word. `topics` are the loaded topics, newest first. */
export function searchSuggestions(state: State, typed: string, topics: readonly string[]): SearchSuggestion[] {
  const words = [...typed.matchAll(WORDS)];
  const last = /\s$/.test(typed) && !isOpenQuote(typed) ? undefined : words.at(-1);
  const before = last ? typed.slice(0, last.index) : typed;
  const word = last?.[0] ?? "";
  const [, minus = "", name, value = ""] = OPERATOR.exec(word) ?? [];
  const make = (operator: SearchOperator, completed?: string, sign = minus): SearchSuggestion => {
    const whole = `${sign}${operator}:${completed === undefined ? "" : quoted(completed)}`;
    return {
      text: `${before}${whole}${completed === undefined ? "" : " "}`,
      word: whole,
      operator,
      negated: sign !== "",
      ...(completed !== undefined && { value: completed }),
    };
  };
  if (name !== undefined) {
    const operator = operatorOf(name) as SearchOperator | undefined;
    if (!operator || !offeredTo(state).includes(operator)) return [];
    return valuesOf(state, operator, unquoted(value), topics)
      .slice(0, MAX_SUGGESTIONS)
      .map((completed) => make(operator, completed));
  }
  const bare = word.replace(/^-/, "");
  const sign = word.startsWith("-") ? "-" : "";
  const operators = offeredTo(state)
    .filter((operator) => operator.startsWith(lower(bare)))
    .map((operator) => make(operator, undefined, sign));
  if (bare === "") return operators;
  const byValue = (["sender", "channel", "topic", "is", "has"] as const).flatMap((operator) =>
    valuesOf(state, operator, unquoted(bare), topics)
      .slice(0, MAX_OF_ONE_OPERATOR)
      .map((completed) => make(operator, completed, sign)),
  );
  return [...operators, ...byValue].slice(0, MAX_SUGGESTIONS);
}

const isOpenQuote = (typed: string): boolean => (typed.split('"').length - 1) % 2 === 1;

function valuesOf(state: State, operator: SearchOperator, value: string, topics: readonly string[]): string[] {
  const typed = folded(value);
  switch (operator) {
    case "sender":
    case "mentions":
      return matching(
        [...(!isPublic(state) && typed !== "" && "me".startsWith(typed) ? ["me"] : []), ...names(state)],
        typed,
      );
    case "dm":
    case "dm-including": {
      const [last = "", ...others] = value.split(",").reverse();
      const chosen = others.reverse();
      return matching(names(state), folded(last.trim())).map((name) => [...chosen, name].join(","));
    }
    case "channel":
      return matching(
        allChannels(state)
          .filter(({ is_archived }) => !is_archived)
          .map(({ name }) => name)
          .sort((a, b) => a.localeCompare(b)),
        typed,
      );
    case "topic":
      // Several channels can have a topic with the same name.
      return matching([...new Set(topics)], typed);
    case "id":
      return [];
    case "is":
      return (isPublic(state) ? PUBLIC_MARKS : FIXED_VALUES.is).filter((mark) => mark.startsWith(typed));
    default:
      return FIXED_VALUES[operator].filter((value) => value.startsWith(typed));
  }
}

const names = (state: State): string[] =>
  (state.realm_users ?? []).map(({ user_id }) => nameOf(state, user_id)).sort((a, b) => a.localeCompare(b));

/** 0: starts with `typed`, 1: has a word that does, 2: contains it, 3: does not contain it. */
export function rankOf(text: string, typed: string): 0 | 1 | 2 | 3 {
  const low = folded(text);
  if (low.startsWith(typed)) return 0;
  if (low.split(/[\s\-_.]/).some((part) => part.startsWith(typed))) return 1;
  return low.includes(typed) ? 2 : 3;
}

/** Texts that contain `typed`, the best match first. `typed` must be folded. */
export const matching = (all: readonly string[], typed: string): string[] =>
  all
    .map((text) => ({ text, rank: rankOf(text, typed) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ text }) => text);
