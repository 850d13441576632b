import { useEffect } from "react";
import type { State, WireEvent } from "../../api/state-shape.ts";
import { useStore } from "../../api/store.ts";
import { useChat } from "../chat-context.ts";
import { pushRegistration } from "./push-registration.ts";
import { checkWebPush, closePushed, isInBrowser } from "./web-push.ts";

/** Keeps this browser's Web Push and the notifications that it shows up to date while the page is open. */
export function PushedNotifications() {
  const { chat } = useChat();
  const registration = useStore(pushRegistration, (value) => value);

  useEffect(() => {
    if (!isInBrowser() || chat.isSpectator) return;
    const check = () => void checkWebPush(chat.client).catch(() => {}); // checked again with the next page
    const follow = (event: WireEvent) => event.type === "web_push_devices" && check();
    check();
    chat.listeners.add(follow);
    return () => void chat.listeners.delete(follow);
  }, [chat]);

  useEffect(() => {
    if (!registration) return;
    const { value: state } = chat.state;
    if (state) void closePushed((id) => isRead(state, id));
    const follow = (event: WireEvent) => {
      if (event.type === "update_message_flags" && event.flag === "read" && event.op === "add")
        void closePushed((id) => event.messages.includes(id));
      if (event.type === "delete_message")
        void closePushed((id) => ("message_ids" in event ? event.message_ids.includes(id) : event.message_id === id));
    };
    chat.listeners.add(follow);
    return () => void chat.listeners.delete(follow);
  }, [chat, registration]);
  return null;
}

function isRead({ unread_msgs: unread }: State, id: number): boolean {
  if (!unread || unread.old_unreads_missing) return false;
  const all = [...unread.pms, ...unread.huddles, ...unread.streams];
  return !all.some(({ unread_message_ids }) => unread_message_ids.includes(id));
}
