import type { MessageVisibility } from "../api/access/messages.ts";
import { allChannels, type Channel } from "../api/queries/channels.ts";
import { conversationMembers, conversationOf, conversationsWith } from "../api/queries/conversations.ts";
import { importedMessages } from "../api/queries/import-ranges.ts";
import { type IndexEntry, messageIndex } from "../api/queries/message-index.ts";
import { HOLDS, hasReactions, renderedContentOf, storedHolds, topicOf } from "../api/queries/messages.ts";
import { FLAG, flagged, MENTIONS } from "../api/queries/read-state.ts";
import {
  followedTopics,
  mutedFor,
  resolvedTopics,
  topicFromInput,
  topicId,
  topicIdsNamed,
} from "../api/queries/topics.ts";
import { shortened } from "../errors.ts";
import { foldedWords, mentionsByName, searchTerms, searchTermsIn } from "../markdown/matches.ts";
import type { Reader } from "../storage/transaction.ts";
import { bySearch, showsSigns, type TextTest, textTest } from "./message-search.ts";
import {
  byImport,
  byRecipient,
  bySender,
  byTopic,
  byTopics,
  type Direction,
  everything,
  fromList,
  furthest,
  ownHistory,
  type Source,
  withAttachment,
  withImage,
  withLink,
  withMention,
  withReaction,
} from "./narrow-sources.ts";
import { badNarrow, channelIn, idIn, type NarrowTerm, textIn, userIn, usersIn } from "./narrow-terms.ts";

export interface CompiledNarrow {
  /** Whether the viewer can read the message and all terms match it. */
  matches(id: number): boolean;
  /**
   * Ids of matching messages from `from` on, in that direction. Regularly yields undefined, where the walk can be
   * interrupted, since it can pass many messages that do not match.
   */
  walk(direction: Direction, from: number): Iterable<number | undefined>;
  /** The search terms to highlight; undefined if there are none. */
  readonly searches: readonly string[] | undefined;
  /** How many messages can be tested between two points at which the work can be interrupted. */
  readonly stride: number;
}

/** The source that a test reads for each message: memory, a row, or the whole text. */
const COST = { memory: 0, row: 1, text: 2 } as const;
type Test = (id: number, entry: IndexEntry) => boolean;

/** A term: its test and, if possible, a source of its messages that does not scan all others. */
interface CompiledTerm {
  test: Test;
  /** Default: memory. */
  cost?: number;
  source?: Source | undefined;
  /** A source of the messages that do not match. */
  others?: Source | undefined;
  /** Whether it includes history that the viewer never received. */
  opensHistory?: boolean;
}

/** The size of a page of candidates. The first is small, since most callers need only the newest messages. */
const PAGE = { first: 128, growth: 4, max: 16_384 };
/** Number of candidates to test between two points at which the walk can be interrupted; fewer if it reads texts. */
const MAX_SCANNED = 64;
const READ_AT_ONCE = 4;
/** Searching a text of 10,000 characters for this many words takes about 30 ms. */
const MAX_SEARCH_WORDS = { characters: 10_000, words: 500 };
/** With more words, searching a text takes longer than reading it. */
const MANY_WORDS = 50;

/**
 * @throws ApiError BAD_NARROW for unknown operators, bad operands, and channels and users that the viewer cannot see.
 */
export function compileNarrow(
  reader: Reader,
  visibility: MessageVisibility,
  terms: readonly NarrowTerm[],
): CompiledNarrow {
  const index = messageIndex(reader);
  const resolved = followConversation(reader, visibility, terms);
  const searching = resolved.filter(({ operator }) => operator === "search");
  const searchWords = searchWordCount(searching);
  const channelTerm = resolved.find(({ operator, negated }) => operator === "channel" && !negated);
  const channel = channelTerm && channelIn(reader, visibility.viewer, channelTerm.operand);
  const texts = textTest(reader);
  const inTopic = channel && resolved.some(({ operator, negated }) => operator === "topic" && !negated);
  const sources: Source[] = [];
  let opensHistory = false;
  const compiled = resolved.map((term) => {
    const {
      test,
      cost = COST.memory,
      source,
      others,
      opensHistory: opens,
    } = compileTerm(reader, visibility, term, { channel, texts });
    if (term.negated && others) sources.push(others);
    if (term.negated) return { test: ((id, entry) => !test(id, entry)) as Test, cost };
    opensHistory ||= opens === true;
    // The source of the topic is smaller than that of its channel.
    if (source && !(inTopic && term.operator === "channel")) sources.push(source);
    return { test, cost };
  });
  const testsOf = (cost: number) => compiled.filter((one) => one.cost === cost).map(({ test }) => test);
  const [cheap, costly] = [testsOf(COST.memory), [...testsOf(COST.row), ...testsOf(COST.text)]];
  const matches = (id: number): boolean => {
    const entry = index.entry(reader, id);
    if (!entry || !cheap.every((test) => test(id, entry)) || !visibility.sees(id)) return false;
    return (opensHistory || visibility.isOwnHistory(id)) && costly.every((test) => test(id, entry));
  };
  const toMark = searching.filter(({ negated }) => !negated).flatMap(({ operand }) => searchTerms(String(operand)));
  const stride = searching.length === 0 ? MAX_SCANNED : searchWords > MANY_WORDS ? 1 : READ_AT_ONCE;
  // One lookup in the search index for all words.
  const words = bySearch(reader, searchTermsIn(toMark));
  if (words) sources.push(words);
  // The viewer's own history can be the smallest source for any terms.
  if (!opensHistory) sources.push(ownHistory(reader, visibility.state));
  const [first = everything(reader), ...more] = sources;
  const source = furthest([first, ...more]);
  return {
    matches,
    searches: searching.length === 0 ? undefined : toMark,
    stride,
    *walk(direction, from) {
      let tested = 0;
      let size = PAGE.first;
      for (let next: number | undefined = from; next !== undefined; size = Math.min(size * PAGE.growth, PAGE.max)) {
        const page = source(direction, next, size);
        next = page.next;
        for (const id of page.ids) {
          if (matches(id)) yield id;
          tested += 1;
          if (tested % stride === 0) yield undefined;
        }
        yield undefined;
      }
    },
  };
}

/** `with` selects the conversation that contains the message now, and replaces terms that name a conversation. */
function followConversation(
  reader: Reader,
  visibility: MessageVisibility,
  terms: readonly NarrowTerm[],
): readonly NarrowTerm[] {
  const term = terms.find(({ operator }) => operator === "with");
  if (!term) return terms;
  const others = terms.filter(({ operator }) => operator !== "with");
  if (term.negated) throw badNarrow("narrow_with_negated");
  const id = idIn(term);
  const entry = visibility.sees(id) ? messageIndex(reader).entry(reader, id) : undefined;
  const namesConversation = ({ operator, operand }: NarrowTerm) =>
    ["channel", "topic", "dm"].includes(operator) || (operator === "is" && (operand === "dm" || operand === "private"));
  if (!entry) {
    if (others.some(namesConversation)) return others;
    throw badNarrow("narrow_message_not_found");
  }
  const conversation: Omit<NarrowTerm, "negated">[] =
    entry.location < 0
      ? [{ operator: "dm", operand: conversationMembers(reader, -entry.location) }]
      : [
          { operator: "channel", operand: entry.location },
          { operator: "topic", operand: topicOf(reader, id) },
        ];
  return [
    ...others.filter((other) => !namesConversation(other)),
    ...conversation.map((added) => ({ ...added, negated: false })),
  ];
}

function compileTerm(
  reader: Reader,
  visibility: MessageVisibility,
  term: NarrowTerm,
  { channel, texts }: { channel: Channel | undefined; texts: TextTest },
): CompiledTerm {
  const { viewer } = visibility;
  switch (term.operator) {
    case "channel": {
      const { id, recipient_id } = channelIn(reader, viewer, term.operand);
      return {
        test: (_, { location }) => location === id,
        source: byRecipient(reader, recipient_id),
        opensHistory: true,
      };
    }
    case "channels": {
      if (term.operand !== "public" && term.operand !== "web-public") throw badNarrow("unknown_channels_operand");
      const webPublic = term.operand === "web-public";
      const ids = new Set(
        allChannels(reader)
          .filter((one) => !one.invite_only && (!webPublic || one.is_web_public))
          .map(({ id }) => id),
      );
      return { test: (_, { location }) => ids.has(location), opensHistory: true };
    }
    case "topic": {
      const name = topicFromInput(textIn(term));
      if (!channel) {
        const ids = topicIdsNamed(reader, name);
        return { test: (_, { topic }) => ids.has(topic) };
      }
      const number = topicId(reader, channel.id, name) ?? -1;
      return { test: (_, { topic }) => topic === number, source: byTopic(reader, number) };
    }
    case "dm": {
      const recipientId = conversationOf(reader, [viewer.id, ...usersIn(reader, viewer, term)]) ?? 0;
      const test: Test = (_, { location }) => recipientId !== 0 && location === -recipientId;
      return { test, source: byRecipient(reader, recipientId) };
    }
    case "dm-including": {
      const requested = [...new Set(usersIn(reader, viewer, term))].filter((id) => id !== viewer.id);
      const ids = new Set<number>();
      for (const id of conversationsWith(reader, viewer.id)) {
        const members = conversationMembers(reader, id);
        if (requested.every((user) => members.includes(user))) ids.add(id);
      }
      return { test: (_, { location }) => location < 0 && ids.has(-location) };
    }
    case "sender": {
      const sender = userIn(reader, viewer, term);
      return { test: (_, entry) => entry.sender === sender, source: bySender(reader, sender) };
    }
    case "mentions": {
      const user = userIn(reader, viewer, term);
      const test: Test = (id) => mentionsByName(renderedContentOf(reader, id) ?? "", user);
      return { test, cost: COST.text, source: withMention(reader) };
    }
    case "id": {
      const requested = idIn(term);
      return { test: (id) => id === requested, source: fromList([requested]), opensHistory: true };
    }
    case "near":
      // A position, not a condition, so negating it changes nothing.
      idIn(term);
      return { test: () => !term.negated };
    case "in": {
      if (term.operand === "all") return { test: () => true };
      if (term.operand !== "home") throw badNarrow("unknown_in_operand");
      const muted = mutedFor(reader, viewer.id);
      return { test: (_, { location, topic }) => !muted(location, topic) };
    }
    case "is":
      return compileIs(reader, visibility, textIn(term));
    case "has":
      return compileHas(reader, textIn(term));
    case "search":
      return compileSearch(reader, term, texts);
    default:
      throw badNarrow("unknown_narrow_operator", { operator: shortened(term.operator) });
  }
}

/** The number of words in all terms. Throws if there are more than a search can handle while other requests wait. */
function searchWordCount(terms: readonly NarrowTerm[]): number {
  const texts = terms.map(textIn);
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  const words = characters > MAX_SEARCH_WORDS.characters ? Number.POSITIVE_INFINITY : texts.flatMap(foldedWords).length;
  if (words > MAX_SEARCH_WORDS.words)
    throw badNarrow("search_too_long", { count: MAX_SEARCH_WORDS.words, max: MAX_SEARCH_WORDS.characters });
  return words;
}

function compileSearch(reader: Reader, term: NarrowTerm, texts: TextTest): CompiledTerm {
  const text = textIn(term);
  if (text.trim() === "") throw badNarrow("nothing_to_search", { text: shortened(text) });
  const words = searchTermsIn(searchTerms(text));
  if (words.length > 0) return { test: (id) => texts(id, words), cost: COST.text };
  const signs = text.split(/[\s"]+/).filter(Boolean);
  return { test: (id) => showsSigns(reader, id, signs), cost: COST.text };
}

function compileHas(reader: Reader, operand: string): CompiledTerm {
  const holding = (bit: number, source: Source): CompiledTerm => ({
    test: (id) => (storedHolds(reader, id) & bit) !== 0,
    cost: COST.row,
    source,
  });
  switch (operand) {
    case "link":
      return holding(HOLDS.link, withLink(reader));
    case "image":
      return holding(HOLDS.image, withImage(reader));
    case "attachment":
      return holding(HOLDS.attachment, withAttachment(reader));
    case "reaction":
      return {
        test: (id) => hasReactions(reader, id),
        cost: COST.row,
        source: withReaction(reader),
      };
    default:
      throw badNarrow("unknown_has_operand", { operand: shortened(operand) });
  }
}

function compileIs(reader: Reader, visibility: MessageVisibility, operand: string): CompiledTerm {
  const ofList = (ids: readonly number[]): CompiledTerm => {
    const set = new Set(ids);
    return { test: (id) => set.has(id), source: fromList(ids) };
  };
  switch (operand) {
    case "dm":
    case "private":
      return { test: (_, { location }) => location < 0 };
    case "unread":
      return ofList(visibility.state.unread().reverse());
    case "starred":
      return ofList(flagged(reader, visibility.viewer.id, FLAG.starred));
    case "mentioned":
      return ofList(flagged(reader, visibility.viewer.id, MENTIONS));
    case "alerted":
      return ofList(flagged(reader, visibility.viewer.id, FLAG.has_alert_word));
    case "resolved": {
      const ids = resolvedTopics(reader);
      return { test: (_, { topic }) => ids.has(topic) };
    }
    case "imported": {
      const isImported = importedMessages(reader);
      return { test: (id) => isImported(id), source: byImport(reader, true), others: byImport(reader, false) };
    }
    case "followed": {
      const followed = followedTopics(reader, visibility.viewer.id);
      return { test: (_, { topic }) => followed.has(topic), source: byTopics(reader, followed) };
    }
    case "muted": {
      const muted = mutedFor(reader, visibility.viewer.id);
      return { test: (_, { location, topic }) => muted(location, topic) };
    }
    default:
      throw badNarrow("unknown_is_operand", { operand: shortened(operand) });
  }
}
