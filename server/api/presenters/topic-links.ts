import { linksInTopic } from "../../markdown/render.ts";
import type { TopicLink } from "../../markdown/words.ts";
import type { Reader } from "../../storage/transaction.ts";
import { compiledLinkifiers } from "../access/linkifiers.ts";

/** Topic names whose links are remembered. */
const MAX_CACHED = 5000;

/**
 * The links in a topic's name: matches of linkifiers, and web addresses (docs/protocol.md#message-object). They are the
 * same for every message and every viewer, so each name is searched once.
 */
export function topicLinks(reader: Reader, topic: string): readonly TopicLink[] {
  const { linkifiers, cache } = reader.derived("links of topics", ["linkifiers"], (rows) => ({
    linkifiers: compiledLinkifiers(rows),
    cache: new Map<string, readonly TopicLink[]>(),
  }));
  let links = cache.get(topic);
  if (!links) {
    links = linksInTopic(topic, linkifiers);
    if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string);
    cache.set(topic, links);
  }
  return links;
}
