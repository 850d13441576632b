import { insert, without } from "./id-lists.ts";
import type { Of, State } from "./state-shape.ts";
import { addUnread, type MessageLocation, removeUnread, withUnread } from "./unread-state.ts";

const MENTIONS = ["mentioned", "stream_wildcard_mentioned", "topic_wildcard_mentioned"];

export function messageArrived(state: State, { message, flags }: Of<"message">): State {
  const next = { ...state };
  // A `historical` message has no subscription: a bot was mentioned, or the queue has all public channels.
  if (state.max_message_id !== undefined && !flags.includes("historical")) {
    next.max_message_id = Math.max(state.max_message_id, message.id);
  }
  const people =
    typeof message.display_recipient === "string" ? undefined : message.display_recipient.map(({ id }) => id);
  const user_ids = people?.filter((id) => id !== state.user_id);
  if (user_ids && state.recent_private_conversations) {
    const key = user_ids.join();
    const others = state.recent_private_conversations.filter((conversation) => conversation.user_ids.join() !== key);
    next.recent_private_conversations = [{ max_message_id: message.id, user_ids }, ...others];
  }
  if (flags.includes("read")) return next;
  const location: MessageLocation = user_ids
    ? { user_ids }
    : { stream_id: message.stream_id as number, topic: message.subject };
  const mentioned = flags.some((flag) => MENTIONS.includes(flag));
  return withUnread(next, (unread, self) => {
    const added = addUnread(unread, self, message.id, location, mentioned);
    // A topic takes the spelling of its newest message.
    const streams = added.streams.map((group) =>
      group.unread_message_ids.at(-1) === message.id ? { ...group, topic: message.subject } : group,
    );
    return { ...added, streams };
  });
}

export function flagsChanged(state: State, event: Of<"update_message_flags">): State {
  const ids = new Set(event.messages);
  if (event.flag === "starred" && state.starred_messages) {
    const { starred_messages } = state;
    return {
      ...state,
      starred_messages: event.op === "add" ? insert(starred_messages, event.messages) : without(starred_messages, ids),
    };
  }
  if (event.flag !== "read") return state;
  if (event.op === "add") return withUnread(state, (unread) => removeUnread(unread, ids));
  return withUnread(state, (unread, self) => {
    let next = unread;
    for (const [id, details] of Object.entries(event.message_details ?? {})) {
      next = addUnread(next, self, Number(id), details, details.mentioned === true);
    }
    return next;
  });
}

export function messagesEdited(state: State, event: Of<"update_message">): State {
  const moved = messagesMoved(state, event);
  const unread = moved.unread_msgs;
  if (!unread) return moved;
  const { message_id, flags } = event;
  const isUnread = [...unread.streams, ...unread.pms, ...unread.huddles].some((group) =>
    group.unread_message_ids.includes(message_id),
  );
  const mentions = isUnread && flags.some((flag) => MENTIONS.includes(flag));
  if (mentions === unread.mentions.includes(message_id)) return moved;
  return withUnread(moved, () => ({
    ...unread,
    mentions: mentions ? insert(unread.mentions, [message_id]) : without(unread.mentions, new Set([message_id])),
  }));
}

function messagesMoved(state: State, event: Of<"update_message">): State {
  const { new_stream_id, subject } = event;
  if (new_stream_id === undefined && subject === undefined) return state;
  const moved = new Set(event.message_ids);
  return withUnread(state, (unread, self) => {
    let next = unread;
    for (const group of unread.streams) {
      for (const id of group.unread_message_ids) {
        if (!moved.has(id)) continue;
        const mentioned = unread.mentions.includes(id);
        next = removeUnread(next, new Set([id]));
        next = addUnread(
          next,
          self,
          id,
          { stream_id: new_stream_id ?? group.stream_id, topic: subject ?? group.topic },
          mentioned,
        );
      }
    }
    return next;
  });
}

export function messagesDeleted(state: State, messageIds: readonly number[]): State {
  const deleted = new Set(messageIds);
  const next = withUnread(state, (unread) => removeUnread(unread, deleted));
  return state.starred_messages ? { ...next, starred_messages: without(state.starred_messages, deleted) } : next;
}
