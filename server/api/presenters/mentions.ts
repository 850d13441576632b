import type { Rendered } from "../../markdown/render.ts";
import type { Reader } from "../../storage/transaction.ts";
import { readableHistory } from "../access/channels.ts";
import type { Destination } from "../access/destinations.ts";
import { usersAlertedBy } from "../queries/alert-words.ts";
import { topicParticipants } from "../queries/mentions.ts";
import { FLAG } from "../queries/read-state.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { isSystemBot, systemBotIds } from "../queries/system-bots.ts";
import { usersInGroup } from "../queries/user-group-members.ts";
import { userById } from "../queries/users.ts";

/**
 * By user: the bits of message_flags that follow from a message's mentions and alert words. Only recipients have any,
 * and users without a subscription who are mentioned by name and can read the channel. Those get `historical` too,
 * since the message does not come to them.
 */
export function mentionFlags(
  reader: Reader,
  {
    senderId,
    to,
    rendered: { mentions, alertWords },
    now,
  }: { senderId: number; to: Destination; rendered: Pick<Rendered, "mentions" | "alertWords">; now: number },
): Map<number, number> {
  const flags = new Map<number, number>();
  const { userIds, groupIds, channelWildcard, topicWildcard } = mentions;
  const isSilent = userIds.length === 0 && groupIds.length === 0 && !channelWildcard && !topicWildcard;
  if (isSilent && alertWords.length === 0) return flags;
  const bots = systemBotIds(reader);
  const recipients =
    "channel" in to
      ? subscribersOf(reader, to.channel.id).has
      : new Set(to.userIds.filter((userId) => !bots.includes(userId)));
  const give = (ids: Iterable<number>, bits: number) => {
    for (const id of ids) if (recipients.has(id)) flags.set(id, (flags.get(id) ?? 0) | bits);
  };
  if (channelWildcard) give(recipients, FLAG.stream_wildcard_mentioned);
  if (topicWildcard && "channel" in to) give(topicParticipants(reader, to, senderId), FLAG.topic_wildcard_mentioned);
  for (const id of groupIds) give(usersInGroup(reader, id, now), FLAG.mentioned);
  give(userIds, FLAG.mentioned);
  if (alertWords.length > 0) give(usersAlertedBy(reader, alertWords), FLAG.has_alert_word);
  if (!("channel" in to)) return flags;
  for (const id of userIds) {
    const user = userById(reader, id);
    if (
      recipients.has(id) ||
      !user?.is_active ||
      isSystemBot(user) ||
      readableHistory(reader, user, to.channel) !== "all"
    )
      continue;
    flags.set(id, id === senderId ? FLAG.mentioned : FLAG.mentioned | FLAG.historical);
  }
  return flags;
}
