import type { State } from "../../api/state-shape.ts";
import { folded } from "../../parts/folded.ts";
import { type ListPage, type Place, placeOfView, type ViewKind } from "./narrow.ts";
import { matching, rankOf } from "./search.ts";
import { channelById } from "./selectors.ts";
import { SPECTATOR_ID } from "./spectating.ts";

export interface FoundPlace {
  readonly kind: "view" | "person" | "channel" | "topic";
  readonly place: Place;
  readonly name: string;
  /** The channel's name, for a topic. */
  readonly within?: string;
  readonly userId?: number;
}

export interface KnownTopic {
  readonly channelId: number;
  readonly topic: string;
}

const MAX_OF_KIND = 6;

/**
 * People, channels, topics and pages with the typed words in their names. A leading `#` finds channels and topics only,
 * `@` finds people only, and `channel > topic` searches in one channel.
 */
export function findPlaces(
  state: State,
  typed: string,
  topics: readonly KnownTopic[],
  views: readonly { readonly view: ListPage | ViewKind; readonly name: string }[],
): FoundPlace[] {
  const [, sigil = "", rest = ""] = /^\s*([#@]?)(.*)$/s.exec(typed) ?? [];
  const words = folded(rest.trim());
  const [inChannel, inTopic] = sigil === "@" ? [] : words.split(">").map((part) => part.trim());
  if (inTopic !== undefined) return topicsIn(state, inChannel ?? "", inTopic, topics);

  const found: FoundPlace[] = [];
  // Spectators have no direct conversations.
  if (sigil !== "#" && state.user_id !== SPECTATOR_ID) found.push(...people(state, words));
  if (sigil !== "@") found.push(...channels(state, words), ...topicsIn(state, "", words, topics));
  if (sigil === "" && words !== "")
    found.push(
      ...named(views, ({ name }) => name, words).map(({ view, name }) => ({
        kind: "view" as const,
        place: placeOfView(view),
        name,
      })),
    );
  // Prefix matches of every kind come first.
  return found.sort((a, b) => rankOf(a.name, words) - rankOf(b.name, words));
}

/** The best matches. Several things can have the same name. */
function named<T>(all: readonly T[], nameOf: (thing: T) => string, words: string): T[] {
  const byName = new Map<string, T[]>();
  for (const thing of all) byName.set(nameOf(thing), [...(byName.get(nameOf(thing)) ?? []), thing]);
  return matching([...byName.keys()], words)
    .flatMap((name) => byName.get(name) ?? [])
    .slice(0, MAX_OF_KIND);
}

/** The most recent direct conversations come first. */
function people(state: State, words: string): FoundPlace[] {
  const recent = new Map((state.recent_private_conversations ?? []).map(({ user_ids }, at) => [user_ids.join(), at]));
  const rank = (id: number) => recent.get(String(id)) ?? Number.MAX_SAFE_INTEGER;
  const sorted = [...(state.realm_users ?? [])].sort(
    (a, b) => rank(a.user_id) - rank(b.user_id) || a.full_name.localeCompare(b.full_name),
  );
  return named(sorted, ({ full_name }) => full_name, words).map(({ user_id, full_name }) => ({
    kind: "person",
    place: { page: "messages", narrow: { kind: "direct", userIds: [user_id] } },
    name: full_name,
    userId: user_id,
  }));
}

function channels(
  { subscriptions = [], unsubscribed = [], never_subscribed = [] }: State,
  words: string,
): FoundPlace[] {
  const all = [...subscriptions, ...unsubscribed, ...never_subscribed].filter(({ is_archived }) => !is_archived);
  return named(all, ({ name }) => name, words).map(({ stream_id, name }) => ({
    kind: "channel",
    place: { page: "messages", narrow: { kind: "channel", channelId: stream_id } },
    name,
  }));
}

function topicsIn(state: State, channel: string, words: string, topics: readonly KnownTopic[]): FoundPlace[] {
  const within = ({ channelId }: KnownTopic) => channelById(state, channelId)?.name ?? "";
  const some = topics.filter((one) => folded(within(one)).includes(channel));
  return named(some, ({ topic }) => topic, words).map(({ channelId, topic }) => ({
    kind: "topic",
    place: { page: "messages", narrow: { kind: "topic", channelId, topic } },
    name: topic,
    within: channelById(state, channelId)?.name ?? "",
  }));
}
