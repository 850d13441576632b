import * as german from "../../locales/de/notifications.ts";
import * as english from "../../locales/en/notifications.ts";
import { filled } from "../../locales/filled.ts";
import { summaryOf } from "../../markdown/summary.ts";
import type { Trigger } from "../../notifications/decision.ts";
import type { Reader } from "../../storage/transaction.ts";
import { addressOfMessage, type Destination } from "../access/destinations.ts";
import { messageVisibility } from "../access/messages.ts";
import { channelById } from "../queries/channels.ts";
import { membersOf } from "../queries/conversations.ts";
import { type MessageRow, messageRow } from "../queries/messages.ts";
import type { NotificationRow } from "../queries/notifications.ts";
import { organizationSetting } from "../queries/organization.ts";
import { ReadState } from "../queries/read-state.ts";
import { displayedTopic } from "../queries/topics.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";
import { messageOnWire } from "./messages.ts";

/** A notification in the user's language. */
export interface ShownNotification {
  readonly kind: "message" | "test";
  readonly title: string;
  readonly body: string;
  /** The location in the chat page, relative to the server: `/#narrow/…`. */
  readonly url: string;
  /** Equal for notifications of the same conversation. */
  readonly conversation: string;
  /** The sender's picture, relative to the server. Null for tests. */
  readonly picture: string | null;
  /** Whether the message is for this person: a direct message, a mention or an alert word. */
  readonly isPersonal: boolean;
}

function textsFor(reader: Reader, user: User) {
  const texts = userSetting(reader, user.id, "default_language") === "de" ? german : english;
  return { ...texts.notificationTexts.chatNotifications, ...texts.deviceTexts };
}

/**
 * Undefined if the user has read the message, or cannot read it any more: a device gets nothing about it.
 * Requires a row of the kind `message` or `test`.
 */
export function notificationFor(reader: Reader, user: User, row: NotificationRow): ShownNotification | undefined {
  if (row.message_id === null) return testNotification(reader, user);
  const visibility = messageVisibility(reader, user);
  if (!visibility.sees(row.message_id) || !new ReadState(reader, user.id).isUnread(row.message_id)) return undefined;
  const message = messageRow(reader, row.message_id);
  return message && messageNotification(reader, user, message, row.trigger ?? "direct");
}

function testNotification(reader: Reader, user: User): ShownNotification {
  const texts = textsFor(reader, user);
  const body = filled(texts.testText, { organization: organizationSetting(reader, "name") });
  return {
    kind: "test",
    title: texts.test,
    body,
    url: "/#settings/notifications",
    conversation: "test",
    picture: null,
    isPersonal: true,
  };
}

const PERSONAL: readonly Trigger[] = ["direct", "mention", "alert_word", "wildcard"];

function messageNotification(reader: Reader, user: User, row: MessageRow, trigger: Trigger): ShownNotification {
  const texts = textsFor(reader, user);
  const to = destinationOf(reader, row);
  const { sender_full_name: name, avatar_url: picture } = messageOnWire(reader, row, { viewer: user });
  return {
    kind: "message",
    title: titleOf(reader, user, to, { name, texts }),
    body: userSetting(reader, user.id, "message_content_in_push_notifications")
      ? summaryOf(row.rendered_content, row.content)
      : hiddenText(trigger, texts),
    url: addressOfMessage(row.id, to, user),
    conversation: conversationName(row),
    picture,
    isPersonal: PERSONAL.includes(trigger),
  };
}

type Texts = ReturnType<typeof textsFor>;

/** Equal for messages of the same conversation. `pushTag` of ui/chat/notifications/Notifications.tsx is equal. */
export const conversationName = ({ channel_id, topic, recipient_id }: MessageRow): string =>
  channel_id === null ? `direct ${recipient_id}` : `channel ${channel_id} ${topic.toLowerCase()}`;

const hiddenText = (trigger: Trigger, { hidden, hiddenMention, hiddenMessage }: Texts): string =>
  trigger === "direct" ? hidden : trigger === "mention" ? hiddenMention : hiddenMessage;

function titleOf(
  reader: Reader,
  user: User,
  to: Destination,
  { name, texts: { inTopic, inGroup } }: { name: string; texts: Texts },
): string {
  if ("channel" in to)
    return filled(inTopic, { name, channel: to.channel.name, topic: displayedTopic(to.topic, false) });
  const others = to.userIds.filter((id) => id !== user.id).map((id) => userById(reader, id)?.full_name ?? "");
  return others.length > 1 ? filled(inGroup, { name, people: others.join(", ") }) : name;
}

export function destinationOf(reader: Reader, { channel_id, topic, conversation_key }: MessageRow): Destination {
  const channel = channel_id === null ? undefined : channelById(reader, channel_id);
  return channel ? { channel, topic } : { userIds: membersOf(conversation_key ?? "") };
}
