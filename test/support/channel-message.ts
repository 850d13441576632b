import type { Message } from "../../ui/chat/model/feed-state.ts";

/** A message of channel 5 for the chat page's models. Its ID is its time and text. */
export const channelMessage = (id: number, more: Partial<Message> = {}): Message =>
  ({
    id,
    type: "stream",
    stream_id: 5,
    subject: "lunch",
    sender_id: 3,
    content: `<p>${id}</p>`,
    display_recipient: "general",
    flags: [],
    reactions: [],
    submessages: [],
    timestamp: id,
    ...more,
  }) as unknown as Message;
