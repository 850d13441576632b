import { quoteOf } from "../../markdown/render.ts";
import { messageUrl } from "../../markdown/urls.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { membersOf } from "../queries/conversations.ts";
import type { MessageRow } from "../queries/messages.ts";
import { displayedTopic, MAX_TOPIC_LENGTH } from "../queries/topics.ts";
import { type User, userById } from "../queries/users.ts";
import { notifyTopic, personLink, plainText, withQuote } from "./notices.ts";

/** Values of `report_type` (docs/protocol.md#message-reports), as moderators see them. */
export const REPORT_REASONS = {
  spam: "Spam",
  harassment: "Harassment",
  inappropriate: "Inappropriate content",
  norms: "Against what this organization has agreed on",
  other: "Another reason",
} as const;

interface MessageReport {
  reason: keyof typeof REPORT_REASONS;
  /** The reporter's text; "" for none. */
  description: string;
}

/** Posts a report in the moderators' channel. It quotes the current message even if moderators cannot read it. */
export function reportMessage(
  tx: Transaction,
  reporter: User,
  { message, channel, report }: { message: MessageRow; channel: Channel; report: MessageReport },
): void {
  const sender = userById(tx, message.sender_id) as User;
  const about = `${personLink(reporter)} reported ${messageInWords(tx, message, sender)}.`;
  const { reason, description } = report;
  const why = `Reason: **${REPORT_REASONS[reason]}**${description === "" ? "" : `\n\n${quoteOf(description)}`}`;
  notifyTopic(tx, channel, topicAbout(sender), withQuote(`${about}\n\n${why}\n\nThe message:`, message.content));
}

/** All reports about a sender share a topic. */
function topicAbout({ full_name }: User): string {
  const topic = [...`Reports about ${full_name}`];
  return topic.length <= MAX_TOPIC_LENGTH ? topic.join("") : `${topic.slice(0, MAX_TOPIC_LENGTH - 1).join("")}…`;
}

function messageInWords(reader: Reader, { id, channel_id, topic, conversation_key }: MessageRow, sender: User): string {
  const channel = channel_id === null ? undefined : channelById(reader, channel_id);
  if (channel) {
    const location = plainText(`#${channel.name} > ${displayedTopic(topic, false)}`);
    return `a message from ${personLink(sender)} in [${location}](${messageUrl(channel, topic, id)})`;
  }
  const others = membersOf(conversation_key ?? "").filter((member) => member !== sender.id);
  const names = others.map((other) => personLink(userById(reader, other) as User));
  return `a direct message from ${personLink(sender)} to ${names.join(", ") || "themselves"}`;
}
