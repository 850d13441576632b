import { ApiError, badRequest } from "../../errors.ts";
import type { MentionableGroup, Mentions, NamedPerson, RenderContext } from "../../markdown/context.ts";
import type { Reader } from "../../storage/transaction.ts";
import { alertWordsIn } from "../queries/alert-words.ts";
import { channelByName } from "../queries/channels.ts";
import { customEmojiByName } from "../queries/emoji.ts";
import { topicParticipants } from "../queries/mentions.ts";
import { newestInTopic } from "../queries/messages.ts";
import { operatorSetting } from "../queries/operator-settings.ts";
import { organizationSetting } from "../queries/organization.ts";
import { emojiPictureUrl, extraEmojiUrl } from "../queries/picture-addresses.ts";
import { EXTRA_EMOJI } from "../queries/reactions.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { isSystemBot } from "../queries/system-bots.ts";
import { SYSTEM_GROUPS } from "../queries/system-groups.ts";
import { EMPTY_TOPIC_DISPLAY_NAME, topicFromInput, topicId } from "../queries/topics.ts";
import { isInGroup } from "../queries/user-group-members.ts";
import { type UserGroup, userGroupById, userGroupByName } from "../queries/user-groups.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById, usersByName } from "../queries/users.ts";
import { canSeeChannel } from "./channels.ts";
import type { Destination } from "./destinations.ts";
import { compiledLinkifiers } from "./linkifiers.ts";
import { type MessageVisibility, messageVisibility } from "./messages.ts";
import { canSeeUser } from "./people.ts";
import { isPermitted } from "./roles.ts";

/** System groups are mentioned by name and displayed by description. */
const displayedName = ({ name, is_system_group }: UserGroup): string =>
  (is_system_group && SYSTEM_GROUPS.find((group) => group.name === name)?.description) || name;

/**
 * What the sender's text can refer to: people, groups and channels that the sender can see. `to`: the destination, if
 * known. `baseUrl`: the organization's URL.
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
    const name = userGroupById(reader, refused)?.name;
    throw badRequest(`You may not mention the group ${name}: insufficient permission.`);
  }
  if (!("channel" in to) || !(mentions.channelWildcard || mentions.topicWildcard)) return;
  if (isPermitted(reader, sender, "can_mention_many_users_group")) return;
  if (mentions.channelWildcard && subscribersOf(reader, to.channel.id).ids.length > MAX_MENTIONED) {
    throw new ApiError(
      "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
      "You may not mention everybody in a channel with so many subscribers.",
    );
  }
  if (mentions.topicWildcard && topicParticipants(reader, to, sender.id).size > MAX_MENTIONED) {
    throw new ApiError(
      "TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
      "You may not mention everybody in a topic with so many participants.",
    );
  }
}
