import type { ChatContext } from "../chat-context.ts";
import type { Chat } from "../model/chat.ts";
import type { Narrow } from "../model/narrow.ts";
import { isFor } from "../model/outbox.ts";
import type { FocusTarget } from "../page-state.ts";
import { startEditing } from "./message-actions.ts";

/**
 * Opens the editor of this person's last message in a narrow, and returns whether there is one. If that message is still
 * being sent, it waits for the server's response.
 */
export function editLast(
  context: Pick<ChatContext, "chat" | "page">,
  narrow: Narrow,
  from: FocusTarget,
  tooLate: string,
): boolean {
  const { chat } = context;
  const unsent = chat.outbox.store.value.findLast(({ to, state }) => state !== "failed" && isFor(narrow, to));
  if (unsent) {
    const { hash } = window.location;
    const stop = chat.outbox.store.subscribe(() => {
      const now = chat.outbox.store.value.find(({ localId }) => localId === unsent.localId);
      if (now && now.state !== "failed") return;
      stop();
      const own = ownLast(chat, narrow);
      if (!now && own && window.location.hash === hash) startEditing(context, own, from, tooLate);
    });
    return true;
  }
  const own = ownLast(chat, narrow);
  if (own) startEditing(context, own, from, tooLate);
  return own !== undefined;
}

const ownLast = (chat: Chat, narrow: Narrow) =>
  chat.feed(narrow).store.value.messages.findLast(({ sender_id }) => sender_id === chat.userId);
