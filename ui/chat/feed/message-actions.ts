import type { ChatContext } from "../chat-context.ts";
import type { Chat } from "../model/chat.ts";
import { conversationOf, type Message } from "../model/feed-state.ts";
import { type Narrow, termsOf } from "../model/narrow.ts";
import { mayEdit } from "../model/permissions.ts";
import type { FocusTarget } from "../page-state.ts";
import { serverUrl } from "../server-url.ts";
import { addressIn } from "../use-place.ts";

// Requests about a message. `chat.pending` shows a change before its event arrives.

export function messageAddress(chat: Chat, message: Message): string {
  const narrow = conversationOf(message, chat.userId);
  return `${serverUrl()}/${addressIn(chat.state.value, { page: "messages", narrow, near: message.id })}`;
}

/** The Markdown of a message. */
export async function sourceOf(chat: Chat, message: Message): Promise<string> {
  const input = { message_id: message.id, apply_markdown: false, allow_empty_topic_name: true };
  return (await chat.client.call("GET /messages/{message_id}", input)).raw_content;
}

/** A quotation of a message, for the composer. `said` is the word between the name and the text. */
export async function quotation(chat: Chat, message: Message, said: string): Promise<string> {
  const source = await sourceOf(chat, message);
  // The fence is longer than any run of backticks inside.
  const fence = "`".repeat(Math.max(3, ...[...source.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const by = `@_**${message.sender_full_name}|${message.sender_id}** [${said}](${messageAddress(chat, message)}):`;
  return `${by}\n${fence}quote\n${source}\n${fence}\n`;
}

export const isStarred = ({ flags }: Message): boolean => flags.includes("starred");

export const isCollapsed = ({ flags }: Message): boolean => flags.includes("collapsed");

/** Hides or shows a message's text, on all devices of this person. */
export const toggleCollapsed = (chat: Chat, message: Message): Promise<unknown> =>
  toggleFlag(chat, message, "collapsed");

export const toggleStar = (chat: Chat, message: Message): Promise<unknown> => toggleFlag(chat, message, "starred");

function toggleFlag(chat: Chat, message: Message, flag: "starred" | "collapsed"): Promise<unknown> {
  const op = chat.pending.shown(message).flags.includes(flag) ? "remove" : "add";
  return chat.pending.make({ type: "update_message_flags", op, flag, message_id: message.id }, () =>
    chat.client.call("POST /messages/flags", { messages: [message.id], op, flag }),
  );
}

type Emoji = Omit<Message["reactions"][number], "user_id">;

export function toggleReaction(chat: Chat, message: Message, emoji: Emoji): Promise<unknown> {
  const { emoji_name, emoji_code, reaction_type } = emoji;
  const isThere = chat.pending
    .shown(message)
    .reactions.some(
      (reaction) =>
        reaction.user_id === chat.userId &&
        reaction.emoji_code === emoji_code &&
        reaction.reaction_type === reaction_type,
    );
  const input = { message_id: message.id, emoji_name, emoji_code, reaction_type };
  return chat.pending.make({ type: "reaction", op: isThere ? "remove" : "add", user_id: chat.userId, ...input }, () =>
    isThere
      ? chat.client.call("DELETE /messages/{message_id}/reactions", input)
      : chat.client.call("POST /messages/{message_id}/reactions", input),
  );
}

export const THUMBS_UP: Emoji = { emoji_name: "+1", emoji_code: "1f44d", reaction_type: "unicode_emoji" };

/** Votes or edits a poll or a to-do list: docs/protocol.md#message-object. */
export function actOnWidget(chat: Chat, message: Message, action: object): Promise<unknown> {
  const content = JSON.stringify(action);
  const change = { type: "submessage", message_id: message.id, sender_id: chat.userId, content } as const;
  return chat.pending.make(change, () =>
    chat.client.call("POST /submessage", { message_id: message.id, msg_type: "widget", content }),
  );
}

/** Opens the editor of the user's own message, or shows the notice `tooLate`. */
export function startEditing(
  { chat, page }: Pick<ChatContext, "chat" | "page">,
  message: Message,
  from: FocusTarget,
  tooLate: string,
): void {
  const isEditable = mayEdit(chat.state.value ?? {}, message, Date.now());
  const editing = { id: message.id, from };
  page.update((before) => ({ ...before, ...(isEditable ? { editing } : { notice: tooLate }) }));
}

/** The server's limit for one request. */
const MAX_MARKED = 5000;

/** Marks a message and all later messages of the narrow as unread. */
export const markUnreadFrom = (chat: Chat, narrow: Narrow, message: Message): Promise<unknown> =>
  chat.client.call("POST /messages/flags/narrow", {
    anchor: String(message.id),
    include_anchor: true,
    num_before: 0,
    num_after: MAX_MARKED,
    narrow: termsOf(narrow, chat.userId),
    op: "remove",
    flag: "read",
  });
