import { ApiError, badRequest, problem } from "../../errors.ts";
import type { MentionableGroup, Mentions, NamedPerson, RenderContext } from "../../markdown/context.ts";
import { EXTRA_EMOJI } from "../../markdown/emoji.ts";
import type { Rendered } from "../../markdown/render.ts";
import type { Reader } from "../../storage/transaction.ts";
import { alertWordsIn, usersAlertedBy } from "../queries/alert-words.ts";
import { isSystemBot, systemBotIds } from "../queries/bots.ts";
import { channelByName } from "../queries/channels.ts";
import { customEmojiByName } from "../queries/emoji.ts";
import { newestInTopic } from "../queries/messages.ts";
import { operatorSetting } from "../queries/operator-settings.ts";
import { organizationSetting } from "../queries/organization.ts";
import { SYSTEM_GROUPS } from "../queries/permission-settings.ts";
import { emojiPictureUrl, extraEmojiUrl } from "../queries/pictures.ts";
import { FLAG } from "../queries/read-state.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { EMPTY_TOPIC_DISPLAY_NAME, topicFromInput, topicId, topicParticipants } from "../queries/topics.ts";
import { isInGroup, usersInGroup } from "../queries/user-group-members.ts";
import { type UserGroup, userGroupById, userGroupByName } from "../queries/user-groups.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById, usersByName } from "../queries/users.ts";
import { canSeeChannel, readableHistory } from "./channels.ts";
import type { Destination } from "./destinations.ts";
import { compiledLinkifiers } from "./linkifiers.ts";
import { type MessageVisibility, messageVisibility } from "./messages.ts";
import { canSeeUser } from "./people.ts";
import { isPermitted } from "./roles.ts";

/** System groups are mentioned by name and displayed by description. */
const displayedName = ({ name, is_system_group }: UserGroup): string =>
  (is_system_group && SYSTEM_GROUPS.find((group) => group.name === name)?.description) || name;

/**
 * Possible targets of references in the sender's text: people, groups and channels that the sender can see. `to`: the
 * destination, if known. `baseUrl`: the organization's URL.
 */
export function renderContext(
  reader: Reader,
  sender: User,
  { to, baseUrl }: { to?: Destination | undefined; baseUrl?: string | undefined } = {},
): RenderContext {
  const named = (user: User): NamedPerson =>
    user.is_active && !isSystemBot(user)
      ? { id: user.id, name: user.full_name }
      : { id: user.id, name: user.full_name, isSilent: true };
  let visibility: MessageVisibility | undefined;
  const defaultCodeLanguage = organizationSetting(reader, "default_code_block_language");
  const alertWords = alertWordsIn(reader);
  return {
    usersByName(name) {
      const users = usersByName(reader, name).filter((user) => canSeeUser(reader, sender, user));
      const active = users.filter((user) => user.is_active);
      return (active.length > 0 ? active : users).map(named);
    },
    userById(id) {
      const user = userById(reader, id);
      return user && canSeeUser(reader, sender, user) ? named(user) : undefined;
    },
    groupByName(name): MentionableGroup | undefined {
      const group = userGroupByName(reader, name);
      if (!group) return undefined;
      const mayMention = isInGroup(reader, sender, group.can_mention_group);
      return { id: group.id, name: displayedName(group), mayMention, isSilent: group.deactivated };
    },
    channelWildcard: true,
    topicWildcard: to === undefined || "channel" in to,
    channelByName(name) {
      const channel = channelByName(reader, name);
      return channel && canSeeChannel(reader, sender, channel) ? channel : undefined;
    },
    newestInTopic(channelId, topic) {
      visibility ??= messageVisibility(reader, sender);
      return newestVisibleInTopic(reader, visibility, channelId, topic);
    },
    emptyTopicName: EMPTY_TOPIC_DISPLAY_NAME,
    linkifiers: compiledLinkifiers(reader),
    customEmoji(name) {
      const emoji = customEmojiByName(reader, name);
      if (emoji) return { url: emojiPictureUrl(emoji) };
      return EXTRA_EMOJI.has(name) ? { url: extraEmojiUrl(name) } : undefined;
    },
    translateEmoticons: userSetting(reader, sender.id, "translate_emoticons"),
    ...(defaultCodeLanguage ? { defaultCodeLanguage } : {}),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    hostnames: operatorSetting(reader, "ALLOWED_HOSTS"),
    ...(alertWords && { alertWords }),
  };
}

/** Newest messages of a topic to check for one that the sender can read. A text may link to many topics. */
const MAX_SCANNED = 20;

function newestVisibleInTopic(
  reader: Reader,
  visibility: MessageVisibility,
  channelId: number,
  topic: string,
): number | undefined {
  const id = topicId(reader, channelId, topicFromInput(topic));
  if (id === undefined) return undefined;
  return newestInTopic(reader, id, MAX_SCANNED).find((message) => visibility.sees(message));
}

/** To mention more subscribers or participants needs a permission (docs/protocol.md#wildcard-mentions). */
export const MAX_MENTIONED = 15;

export function assertMayMention(reader: Reader, sender: User, to: Destination, mentions: Mentions): void {
  const [refused] = mentions.refusedGroupIds;
  if (refused !== undefined) {
    const name = userGroupById(reader, refused)?.name ?? refused;
    throw badRequest("group_mention_not_permitted", { group: name });
  }
  if (!("channel" in to) || !(mentions.channelWildcard || mentions.topicWildcard)) return;
  if (isPermitted(reader, sender, "can_mention_many_users_group")) return;
  if (mentions.channelWildcard && subscribersOf(reader, to.channel.id).ids.length > MAX_MENTIONED) {
    throw new ApiError("STREAM_WILDCARD_MENTION_NOT_ALLOWED", problem("channel_wildcard_not_permitted"));
  }
  if (mentions.topicWildcard && topicParticipants(reader, to, sender.id).size > MAX_MENTIONED) {
    throw new ApiError("TOPIC_WILDCARD_MENTION_NOT_ALLOWED", problem("topic_wildcard_not_permitted"));
  }
}

/**
 * By user: the bits of message_flags that follow from a message's mentions and alert words. Only recipients have such
 * bits, and users without a subscription who are mentioned by name and can read the channel. Those users also get
 * `historical`, because they did not receive the message.
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
