import type { TFunction } from "i18next";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { liveTab } from "../../api/live-tab.ts";
import type { Of, State, WireEvent } from "../../api/state-shape.ts";
import { lazyPart } from "../../parts/lazy-part.ts";
import { plainText } from "../../parts/plain-text.ts";
import { goToHash } from "../../parts/spare-entry.ts";
import { useChat } from "../chat-context.ts";
import { conversationOf } from "../model/feed-state.ts";
import { addressOf, narrowKey } from "../model/narrow.ts";
import { noticeOfMessage } from "../model/notifications.ts";
import { channelById } from "../model/selectors.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { Badge } from "./Badge.tsx";
import { loadWebPush } from "./load-web-push.ts";
import { mayNotify, pushRegistration } from "./push-registration.ts";
import { play } from "./sounds.ts";

/** A notification was clicked (service-worker.ts). */
interface OpenMessage {
  type: "open";
  hash: string;
}

const PushedNotifications = lazyPart(() =>
  import("./PushedNotifications.tsx").then((all) => ({ default: all.PushedNotifications })),
);

/**
 * Shows notifications and plays sounds for new messages that are not on screen, in one tab of the browser. A
 * conversation has one notification, which closes when its message is read. Also shows the unread count on the icon.
 */
export function Notifications() {
  const { t } = useTranslation();
  const { chat, place, go } = useChat();
  const narrowTitle = useNarrowTitle();
  const [shown] = useState(() => new Map<number, Notification>());

  const notify = (event: Of<"message">) => {
    const state = chat.state.value;
    if (!state || !liveTab().isMain.value) return;
    const notice = noticeOfMessage(state, event, Date.now());
    if (!notice) return;
    const conversation = conversationOf({ ...event.message, flags: [] }, chat.userId);
    const isOpen = place.page === "messages" && narrowKey(place.narrow) === narrowKey(conversation);
    if (isOpen && document.hasFocus()) return;
    if (notice.isHeard) play(state.user_settings?.notification_sound ?? "none");
    if (!notice.isShown || !mayNotify()) return;
    const { title, body } = textOf(state, event, { t, narrowTitle });
    const options = { body, icon: event.message.avatar_url, tag: narrowKey(conversation), silent: true };
    const registration = pushRegistration.value;
    if (registration) {
      const message_id = event.message.id;
      const url = `/${addressOf({ page: "messages", narrow: conversation, near: message_id })}`;
      const pushed = { ...options, tag: pushTag(event), data: { url, message_id } };
      void loadWebPush().then(({ showByWorker }) => showByWorker(registration, title, pushed));
      return;
    }
    let notification: Notification;
    try {
      notification = new Notification(title, options);
    } catch {
      return; // Chrome on Android has the constructor, but only service workers can use it.
    }
    shown.set(event.message.id, notification);
    notification.onclose = () => shown.delete(event.message.id);
    notification.onclick = () => {
      if (window.hearthChat) window.hearthChat.show();
      else window.focus();
      go({ page: "messages", narrow: conversation, near: event.message.id });
      notification.close();
    };
  };
  const onEvent = useEffectEvent((event: WireEvent) => {
    if (event.type === "message") notify(event);
    if (event.type === "update_message_flags" && event.flag === "read" && event.op === "add")
      for (const id of event.messages) shown.get(id)?.close();
    if (event.type === "delete_message")
      for (const id of "message_ids" in event ? event.message_ids : [event.message_id]) shown.get(id)?.close();
  });
  useEffect(() => {
    const follow = (event: WireEvent) => onEvent(event);
    chat.listeners.add(follow);
    return () => {
      chat.listeners.delete(follow);
      for (const notification of shown.values()) notification.close();
    };
  }, [chat, shown]);
  // Not in the part that loads later: a click can come before.
  useEffect(() => {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    const open = ({ data }: MessageEvent<OpenMessage>) => data?.type === "open" && goToHash(data.hash);
    workers?.addEventListener("message", open);
    return () => workers?.removeEventListener("message", open);
  }, []);
  return (
    <>
      <Badge />
      {mayNotify() && <PushedNotifications />}
    </>
  );
}

/** Equal to `conversationName` of server/api/presenters/notifications.ts. */
const pushTag = ({ message }: Of<"message">): string =>
  message.stream_id === undefined
    ? `direct ${message.recipient_id}`
    : `channel ${message.stream_id} ${message.subject.toLowerCase()}`;

interface Words {
  t: TFunction;
  narrowTitle: ReturnType<typeof useNarrowTitle>;
}

function textOf(state: State, { message }: Of<"message">, { t, narrowTitle }: Words): { title: string; body: string } {
  const name = message.sender_full_name;
  const text = plainText(message.content);
  const conversation = conversationOf({ ...message, flags: [] }, state.user_id ?? 0);
  if (conversation.kind === "topic")
    return {
      title: t("chatNotifications.inTopic", {
        name,
        channel: channelById(state, conversation.channelId)?.name ?? "",
        topic: narrowTitle(state, conversation),
      }),
      body: text,
    };
  const isGroup = conversation.kind === "direct" && conversation.userIds.length > 1;
  const showsText = state.user_settings?.pm_content_in_desktop_notifications ?? true;
  return {
    title: isGroup ? t("chatNotifications.inGroup", { name, people: narrowTitle(state, conversation) }) : name,
    body: showsText ? text : t("chatNotifications.hidden"),
  };
}
