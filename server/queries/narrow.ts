import { canSeeChannel } from "../access/channels.ts";
import { userNamed } from "../access/direct-messages.ts";
import type { Sight } from "../access/messages.ts";
import type { User } from "../access/users.ts";
import { ApiError } from "../errors.ts";
import type { Reader } from "../storage/transaction.ts";
import { allChannels, type Channel, channelById, channelByName } from "./channels.ts";
import { conversationMembers, conversationOf, conversationsWith } from "./conversations.ts";
import { CHUNK, type IndexEntry, messageIndex } from "./message-index.ts";
import type { WireMessage } from "./messages.ts";
import { FLAG, flagged, MENTIONS } from "./read-state.ts";
import { subscriptionsOf } from "./subscriptions.ts";
import {
  followedTopics,
  mutedFor,
  POLICY,
  topicFromInput,
  topicId,
  topicIdsNamed,
  topicKey,
  topicPolicy,
} from "./topics.ts";

/** Far more than anybody means: each is asked about every message that is looked at. */
export const MOST_NARROW_TERMS = 100;

export interface NarrowTerm {
  /** Its newer spelling: `channel`, `dm`, `dm-including`. */
  readonly operator: string;
  readonly operand: unknown;
  readonly negated: boolean;
}

const badNarrow = (desc: string) => new ApiError("BAD_NARROW", `Invalid narrow operator: ${desc}`, { desc });

// Maps: an operator or operand may be called "constructor".
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ["stream", "channel"],
  ["streams", "channels"],
  ["pm-with", "dm"],
  ["group-pm-with", "dm-including"],
  ["from", "sender"],
  ["subject", "topic"],
]);

/** Terms as they come in: `{operator, operand, negated?}` or `[operator, operand]`, old and new spellings alike. */
export function narrowTerms(narrow: readonly unknown[]): NarrowTerm[] {
  return narrow.map((term) => {
    const {
      operator,
      operand,
      negated = false,
    } = (Array.isArray(term) ? { operator: term[0], operand: term[1] } : (term ?? {})) as {
      operator?: unknown;
      operand?: unknown;
      negated?: unknown;
    };
    if (typeof operator !== "string" || operand === undefined || typeof negated !== "boolean") {
      throw badNarrow("each term is an operator and its operand");
    }
    const minus = operator.startsWith("-");
    const spelled = (minus ? operator.slice(1) : operator).replaceAll("_", "-");
    return { operator: SPELLINGS.get(spelled) ?? spelled, operand, negated: minus !== negated };
  });
}

export interface CompiledNarrow {
  /** Whether the viewer may read the message and all terms hold for it. */
  matches(id: number): boolean;
  /** Ids of matching messages from `from` on, in that direction. */
  walk(direction: "up" | "down", from: number): Iterable<number>;
}

type Test = (id: number, entry: IndexEntry) => boolean;
/** Candidates for a term's messages, a superset of what matches; found by an index. */
type Source = (direction: "up" | "down", from: number) => Iterable<number>;

/** One term: its test, and where possible a way to its messages that does not walk all others. */
interface CompiledTerm {
  test: Test;
  source?: Source;
  /** Whether it reaches into history that never came to the viewer. */
  opensHistory?: boolean;
}

const MOST_SELECTIVE_LAST = ["sender", "channel", "dm", "is", "topic", "id"];

/** Refuses unknown operators, bad operands, and channels that the viewer does not see, with BAD_NARROW. */
export function compileNarrow(reader: Reader, sight: Sight, terms: readonly NarrowTerm[]): CompiledNarrow {
  const index = messageIndex(reader);
  const resolved = followConversation(reader, sight, terms);
  const channelTerm = resolved.find(({ operator, negated }) => operator === "channel" && !negated);
  const channel = channelTerm && channelIn(reader, sight.viewer, channelTerm.operand);
  let best: { rank: number; source: Source } | undefined;
  let opensHistory = false;
  const tests = resolved.map((term): Test => {
    const { test, source, opensHistory: opens } = compileTerm(reader, sight, term, channel);
    if (term.negated) return (id, entry) => !test(id, entry);
    opensHistory ||= opens === true;
    const rank = MOST_SELECTIVE_LAST.indexOf(term.operator);
    if (source && rank >= (best?.rank ?? -1)) best = { rank, source };
    return test;
  });
  const matches = (id: number): boolean => {
    const entry = index.entry(reader, id);
    if (!entry || !tests.every((test) => test(id, entry)) || !sight.sees(id)) return false;
    return opensHistory || sight.isOwnHistory(id);
  };
  const source = best?.source ?? everything(reader);
  return {
    matches,
    *walk(direction, from) {
      for (const id of source(direction, from)) if (matches(id)) yield id;
    },
  };
}

/** `with` stands for the conversation in which that message is now, and takes the place of terms that name one. */
function followConversation(reader: Reader, sight: Sight, terms: readonly NarrowTerm[]): readonly NarrowTerm[] {
  const term = terms.find(({ operator }) => operator === "with");
  if (!term) return terms;
  const others = terms.filter(({ operator }) => operator !== "with");
  if (term.negated) throw badNarrow("with cannot be negated");
  const id = idIn(term);
  const entry = sight.sees(id) ? messageIndex(reader).entry(reader, id) : undefined;
  const isPlace = ({ operator, operand }: NarrowTerm) =>
    ["channel", "topic", "dm"].includes(operator) || (operator === "is" && (operand === "dm" || operand === "private"));
  if (!entry) {
    if (others.some(isPlace)) return others;
    throw badNarrow("with names no message that you can read");
  }
  const place: Omit<NarrowTerm, "negated">[] =
    entry.place < 0
      ? [{ operator: "dm", operand: conversationMembers(reader, -entry.place) }]
      : [
          { operator: "channel", operand: entry.place },
          { operator: "topic", operand: reader.value<string>("SELECT topic FROM messages WHERE id = ?", id) ?? "" },
        ];
  return [...others.filter((other) => !isPlace(other)), ...place.map((added) => ({ ...added, negated: false }))];
}

function compileTerm(reader: Reader, sight: Sight, term: NarrowTerm, channel: Channel | undefined): CompiledTerm {
  const { viewer } = sight;
  switch (term.operator) {
    case "channel": {
      const { id, recipient_id } = channelIn(reader, viewer, term.operand);
      return { test: (_, { place }) => place === id, source: byRecipient(reader, recipient_id), opensHistory: true };
    }
    case "channels": {
      if (term.operand !== "public" && term.operand !== "web-public") throw badNarrow("unknown channels operand");
      const webPublic = term.operand === "web-public";
      const ids = new Set(
        allChannels(reader)
          .filter((one) => !one.invite_only && (!webPublic || one.is_web_public))
          .map(({ id }) => id),
      );
      return { test: (_, { place }) => ids.has(place), opensHistory: true };
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
      const test: Test = (_, { place }) => recipientId !== 0 && place === -recipientId;
      return { test, source: byRecipient(reader, recipientId) };
    }
    case "dm-including": {
      const wanted = usersIn(reader, viewer, term).filter((id) => id !== viewer.id);
      const ids = new Set<number>();
      for (const id of conversationsWith(reader, viewer.id)) {
        const members = conversationMembers(reader, id);
        if (wanted.every((user) => members.includes(user))) ids.add(id);
      }
      return { test: (_, { place }) => place < 0 && ids.has(-place) };
    }
    case "sender": {
      const sender = senderIn(reader, viewer, term);
      return { test: (_, entry) => entry.sender === sender, source: bySender(reader, sender) };
    }
    case "id": {
      const wanted = idIn(term);
      return { test: (id) => id === wanted, source: fromList([wanted]), opensHistory: true };
    }
    case "near":
      idIn(term);
      return { test: () => true };
    case "in": {
      if (term.operand === "all") return { test: () => true };
      if (term.operand !== "home") throw badNarrow("unknown in operand");
      const muted = mutedFor(reader, viewer.id);
      return { test: (_, { place, topic }) => !muted(place, topic) };
    }
    case "is":
      return compileIs(reader, sight, textIn(term));
    default:
      throw badNarrow(`unknown operator ${term.operator}`);
  }
}

const RESOLVED = "✔ ";

function compileIs(reader: Reader, sight: Sight, operand: string): CompiledTerm {
  const ofList = (ids: readonly number[]): CompiledTerm => {
    const wanted = new Set(ids);
    return { test: (id) => wanted.has(id), source: fromList(ids) };
  };
  switch (operand) {
    case "dm":
    case "private":
      return { test: (_, { place }) => place < 0 };
    case "unread":
      return ofList(sight.state.unread().reverse());
    case "starred":
      return ofList(flagged(reader, sight.viewer.id, FLAG.starred));
    case "mentioned":
      return ofList(flagged(reader, sight.viewer.id, MENTIONS));
    case "alerted":
      return ofList(flagged(reader, sight.viewer.id, FLAG.has_alert_word));
    case "resolved": {
      const rows = reader.all<{ id: number }>(
        "SELECT id FROM topics WHERE name_key >= ? AND name_key < ?",
        RESOLVED,
        "✔!",
      );
      const ids = new Set(rows.map(({ id }) => id));
      return { test: (_, { topic }) => ids.has(topic) };
    }
    case "followed": {
      const followed = followedTopics(reader, sight.viewer.id);
      return { test: (_, { topic }) => followed.has(topic), source: byTopics(reader, followed) };
    }
    case "muted": {
      const muted = mutedFor(reader, sight.viewer.id);
      return { test: (_, { place, topic }) => muted(place, topic) };
    }
    default:
      throw badNarrow(`unknown is operand ${operand}`);
  }
}

/** Unknown and hidden channels are answered alike. */
function channelIn(reader: Reader, viewer: User, operand: unknown): Channel {
  const visible = (channel: Channel | undefined) =>
    channel && canSeeChannel(reader, viewer, channel) ? channel : undefined;
  let channel: Channel | undefined;
  if (typeof operand === "number") channel = visible(channelById(reader, operand));
  else if (typeof operand === "string") {
    channel = visible(channelByName(reader, operand));
    if (/^\d{1,15}$/.test(operand)) channel ??= visible(channelById(reader, Number(operand)));
  }
  if (!channel) throw badNarrow("unknown channel");
  return channel;
}

function textIn({ operator, operand }: NarrowTerm): string {
  if (typeof operand !== "string") throw badNarrow(`${operator} takes text`);
  return operand;
}

function idIn({ operator, operand }: NarrowTerm): number {
  const id = typeof operand === "string" && /^\d{1,15}$/.test(operand) ? Number(operand) : operand;
  if (typeof id !== "number" || !Number.isSafeInteger(id)) throw badNarrow(`${operator} takes a message ID`);
  return id;
}

/** The ids of the users that an operand names: an id, an address, several with commas, or a list. */
function usersIn(reader: Reader, viewer: User, { operator, operand }: NarrowTerm): number[] {
  const names = typeof operand === "string" ? operand.split(",") : Array.isArray(operand) ? operand : [operand];
  return names.map((name) => {
    const known = typeof name === "string" || typeof name === "number";
    const id = typeof name === "string" && /^\d{1,15}$/.test(name.trim()) ? Number(name) : name;
    const user = known ? userNamed(reader, viewer, id as string | number) : undefined;
    if (!user) throw badNarrow(`unknown user in ${operator}`);
    return user.id;
  });
}

function senderIn(reader: Reader, viewer: User, term: NarrowTerm): number {
  const [sender, ...more] = usersIn(reader, viewer, term);
  if (sender === undefined || more.length > 0) throw badNarrow("a message has one sender");
  return sender;
}

const PAGE = 256;

/** Ids from an index of messages, a page at a time. `down` and `up` are constant SQL with a value, a bound and a limit. */
const paged = (reader: Reader, down: string, up: string, value: number): Source =>
  function* (direction, from) {
    for (let next: number | undefined = from; next !== undefined; ) {
      const rows: { id: number }[] = reader.all(direction === "down" ? down : up, value, next, PAGE);
      for (const { id } of rows) yield id;
      const last: number | undefined = rows.at(-1)?.id;
      next = rows.length < PAGE || last === undefined ? undefined : direction === "down" ? last - 1 : last + 1;
    }
  };

const byRecipient = (reader: Reader, recipientId: number): Source =>
  paged(
    reader,
    "SELECT id FROM messages INDEXED BY messages_by_recipient WHERE recipient_id = ? AND id <= ? ORDER BY id DESC LIMIT ?",
    "SELECT id FROM messages INDEXED BY messages_by_recipient WHERE recipient_id = ? AND id >= ? ORDER BY id LIMIT ?",
    recipientId,
  );
const byTopic = (reader: Reader, topic: number): Source =>
  paged(
    reader,
    "SELECT id FROM messages INDEXED BY messages_by_topic WHERE topic_id = ? AND id <= ? ORDER BY id DESC LIMIT ?",
    "SELECT id FROM messages INDEXED BY messages_by_topic WHERE topic_id = ? AND id >= ? ORDER BY id LIMIT ?",
    topic,
  );
/** By the arrays in memory: many topics at once are quicker walked than merged. */
const byTopics = (reader: Reader, wanted: ReadonlySet<number>): Source =>
  function* (direction, from) {
    if (wanted.size === 0 || from < 1) return;
    const index = messageIndex(reader);
    const last = index.last(reader);
    const step = direction === "down" ? -1 : 1;
    for (let id = Math.min(from, step < 0 ? last : from); id >= 1 && id <= last; id += step) {
      const { topics } = index.chunk(reader, Math.floor(id / CHUNK));
      if (wanted.has(topics[id % CHUNK] as number)) yield id;
    }
  };
const bySender = (reader: Reader, sender: number): Source =>
  paged(
    reader,
    "SELECT id FROM messages INDEXED BY messages_by_sender WHERE sender_id = ? AND id <= ? ORDER BY id DESC LIMIT ?",
    "SELECT id FROM messages INDEXED BY messages_by_sender WHERE sender_id = ? AND id >= ? ORDER BY id LIMIT ?",
    sender,
  );

const fromList = (ids: readonly number[]): Source =>
  function* (direction, from) {
    if (direction === "up") for (const id of ids) if (id >= from) yield id;
    if (direction === "down") {
      for (let at = ids.length - 1; at >= 0; at -= 1) if ((ids[at] as number) <= from) yield ids[at] as number;
    }
  };

const everything = (reader: Reader): Source =>
  function* (direction, from) {
    const index = messageIndex(reader);
    const last = index.last(reader);
    const step = direction === "down" ? -1 : 1;
    for (let id = Math.max(1, Math.min(from, step < 0 ? last : from)); id >= 1 && id <= last; id += step) {
      const { senders } = index.chunk(reader, Math.floor(id / CHUNK));
      if (from >= 1 && senders[id % CHUNK] !== 0) yield id;
    }
  };

export type EventNarrow = (message: WireMessage, flags: readonly string[]) => boolean;

/**
 * The filter of an event queue: `pairs` as POST /register takes them; the message as it is in the event, its empty
 * topic "". Refuses with BAD_NARROW.
 */
export function compileEventNarrow(reader: Reader, viewer: User, pairs: readonly (readonly string[])[]): EventNarrow {
  const tests = narrowTerms(pairs).map((term): EventNarrow => {
    const test = compileEventTerm(reader, viewer, term);
    return term.negated ? (message, flags) => !test(message, flags) : test;
  });
  return (message, flags) => tests.every((test) => test(message, flags));
}

const IN_FLAGS: ReadonlyMap<string, readonly string[]> = new Map([
  ["starred", ["starred"]],
  ["mentioned", ["mentioned", "stream_wildcard_mentioned", "topic_wildcard_mentioned"]],
  ["alerted", ["has_alert_word"]],
]);

function compileEventTerm(reader: Reader, viewer: User, term: NarrowTerm): EventNarrow {
  switch (term.operator) {
    case "channel": {
      const { id } = channelIn(reader, viewer, term.operand);
      return (message) => message.stream_id === id;
    }
    case "topic": {
      const key = topicKey(topicFromInput(textIn(term)));
      return (message) => message.type === "stream" && topicKey(topicFromInput(message.subject)) === key;
    }
    case "sender": {
      const sender = senderIn(reader, viewer, term);
      return (message) => message.sender_id === sender;
    }
    case "dm": {
      const wanted = [...new Set([viewer.id, ...usersIn(reader, viewer, term)])].sort((a, b) => a - b).join(",");
      return ({ display_recipient: people }) =>
        typeof people !== "string" &&
        people
          .map(({ id }) => id)
          .sort((a, b) => a - b)
          .join(",") === wanted;
    }
    case "is": {
      const operand = textIn(term);
      if (operand === "dm" || operand === "private") return (message) => message.type === "private";
      if (operand === "unread") return (_, flags) => !flags.includes("read");
      if (operand === "resolved") return (message) => message.subject.startsWith(RESOLVED);
      if (operand === "followed" || operand === "muted") return ofPolicy(reader, viewer, operand);
      const wanted = IN_FLAGS.get(operand);
      if (!wanted) throw badNarrow(`unknown is operand ${operand}`);
      return (_, flags) => wanted.some((flag) => flags.includes(flag));
    }
    default:
      throw badNarrow(`unknown operator ${term.operator}`);
  }
}

/** As the policies are when the queue comes to the message: at once for a client that waits. */
const ofPolicy =
  (reader: Reader, viewer: User, operand: "followed" | "muted"): EventNarrow =>
  ({ stream_id, subject }) => {
    if (stream_id === undefined) return false;
    const policy = topicPolicy(reader, viewer.id, stream_id, topicFromInput(subject));
    if (operand === "followed") return policy === POLICY.followed;
    const isChannelMuted = subscriptionsOf(reader, viewer.id).get(stream_id)?.is_muted === true;
    return policy === POLICY.muted || (policy === POLICY.none && isChannelMuted);
  };
