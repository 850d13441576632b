import { ApiError, badRequest } from "../errors.ts";
import type { MentionableGroup, Mentions, NamedPerson, RenderContext } from "../markdown/context.ts";
import { alertWordsIn } from "../queries/alert-words.ts";
import { channelByName } from "../queries/channels.ts";
import { topicParticipants } from "../queries/mentions.ts";
import { organizationSetting } from "../queries/organization.ts";
import type { GroupSetting } from "../queries/permission-settings.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { isSystemBot } from "../queries/system-bots.ts";
import { SYSTEM_GROUPS } from "../queries/system-groups.ts";
import { EMPTY_TOPIC_DISPLAY_NAME, topicFromInput, topicId } from "../queries/topics.ts";
import { isInGroup } from "../queries/user-group-members.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { canSeeChannel } from "./channels.ts";
import type { Destination } from "./destinations.ts";
import { type MessageVisibility, messageVisibility } from "./messages.ts";
import { canSeeUser } from "./people.ts";
import { isPermitted } from "./user-groups.ts";

/** The form in which names in mentions are compared. */
const nameKey = (name: string): string => name.normalize("NFKC").toLowerCase();

const idsByName = (reader: Reader): ReadonlyMap<string, readonly number[]> =>
  reader.derived("user ids by name", ["users"], (rows) => {
    const ids = new Map<string, number[]>();
    for (const { id, name } of rows.all<{ id: number; name: string }>("SELECT id, full_name AS name FROM users")) {
      const same = ids.get(nameKey(name));
      if (same) same.push(id);
      else ids.set(nameKey(name), [id]);
    }
    return ids;
  });

interface Group {
  readonly id: number;
  readonly name: string;
  readonly mentionableBy: GroupSetting;
  readonly deactivated: boolean;
}

const groupsByName = (reader: Reader): ReadonlyMap<string, Group> =>
  reader.derived("user groups by name", ["user_groups"], (rows) => {
    type Row = { id: number; name: string; is_system_group: number; can_mention_group: string; deactivated: number };
    const found = rows.all<Row>(
      "SELECT id, name, is_system_group, can_mention_group, deactivated FROM user_groups ORDER BY id",
    );
    return new Map(
      found.map(({ id, name, is_system_group, can_mention_group, deactivated }) => {
        const described = SYSTEM_GROUPS.find((group) => is_system_group === 1 && group.name === name)?.description;
        const mentionableBy = JSON.parse(can_mention_group) as GroupSetting;
        return [nameKey(name), { id, name: described ?? name, mentionableBy, deactivated: deactivated === 1 }];
      }),
    );
  });

/**
 * What a text of this sender may refer to: people, groups and channels that the sender may know of. `to`: where it is
 * to be shown, if that is known; `baseUrl`: the organization's address.
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
      const users = (idsByName(reader).get(nameKey(name)) ?? [])
        .map((id) => userById(reader, id) as User)
        .filter((user) => canSeeUser(reader, sender, user));
      const active = users.filter((user) => user.is_active);
      return (active.length > 0 ? active : users).map(named);
    },
    userById(id) {
      const user = userById(reader, id);
      return user && canSeeUser(reader, sender, user) ? named(user) : undefined;
    },
    groupByName(name): MentionableGroup | undefined {
      const group = groupsByName(reader).get(nameKey(name));
      if (!group) return undefined;
      const mayMention = isInGroup(reader, sender, group.mentionableBy);
      return { id: group.id, name: group.name, mayMention, isSilent: group.deactivated };
    },
    channelWildcard: true,
    topicWildcard: to === undefined || "channel" in to,
    channelByName(name) {
      const channel = channelByName(reader, name);
      return channel && canSeeChannel(reader, sender, channel) ? channel : undefined;
    },
    newestInTopic(channelId, topic) {
      visibility ??= messageVisibility(reader, sender);
      return newestInTopic(reader, visibility, channelId, topic);
    },
    emptyTopicName: EMPTY_TOPIC_DISPLAY_NAME,
    translateEmoticons: userSetting(reader, sender.id, "translate_emoticons"),
    ...(defaultCodeLanguage ? { defaultCodeLanguage } : {}),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(alertWords && { alertWords }),
  };
}

/** How many messages from a topic's end are looked at for one that the sender can read: a text may link to hundreds. */
const MAX_SCANNED = 20;

function newestInTopic(
  reader: Reader,
  visibility: MessageVisibility,
  channelId: number,
  topic: string,
): number | undefined {
  const id = topicId(reader, channelId, topicFromInput(topic));
  if (id === undefined) return undefined;
  return reader
    .all<{ id: number }>("SELECT id FROM messages WHERE topic_id = ? ORDER BY id DESC LIMIT ?", id, MAX_SCANNED)
    .find((message) => visibility.sees(message.id))?.id;
}

/** More than so many subscribers or participants are many (docs/protocol.md#wildcard-mentions). */
const MANY = 15;

/** Refuses mentions that the sender may not make there: of groups, and of everybody where that is many. */
export function assertMayMention(reader: Reader, sender: User, to: Destination, mentions: Mentions): void {
  const [refused] = mentions.refusedGroupIds;
  if (refused !== undefined) {
    const name = reader.value<string>("SELECT name FROM user_groups WHERE id = ?", refused);
    throw badRequest(`You may not mention the group ${name}: insufficient permission.`);
  }
  if (!("channel" in to) || !(mentions.channelWildcard || mentions.topicWildcard)) return;
  if (isPermitted(reader, sender, "can_mention_many_users_group")) return;
  if (mentions.channelWildcard && subscribersOf(reader, to.channel.id).ids.length > MANY) {
    throw new ApiError(
      "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
      "You may not mention everybody in a channel with so many subscribers.",
    );
  }
  if (mentions.topicWildcard && topicParticipants(reader, to, sender.id).size > MANY) {
    throw new ApiError(
      "TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
      "You may not mention everybody in a topic with so many participants.",
    );
  }
}
