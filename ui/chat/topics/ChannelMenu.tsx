import { Menu } from "@mantine/core";
import {
  Bell,
  BellOff,
  CheckCheck,
  Link,
  LogOut,
  MessageSquarePlus,
  Pin,
  PinOff,
  Settings2,
  Users,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { copyText } from "../../parts/copy-text.ts";
import { ActionsMenu } from "../ActionsMenu.tsx";
import { useAttempt, useChat, useChatState } from "../chat-context.ts";
import { channelById, subscriptionTo } from "../model/selectors.ts";
import { unreadCounts } from "../model/unread.ts";
import { useOpenCard } from "../people/open-card.ts";
import { useMarkRead } from "../reading/use-mark-read.ts";
import { addressIn } from "../use-place.ts";

export interface ChannelMenuProps {
  channelId: number;
  size?: "sm" | "lg";
  className?: string | undefined;
}

const ICON = { size: "1rem", "aria-hidden": true } as const;

/** What can be done with a channel. */
export function ChannelMenu({ channelId, size = "lg", className }: ChannelMenuProps) {
  const { t } = useTranslation();
  const name = useChatState((state) => channelById(state, channelId)?.name ?? t("chat.unknownChannel"));
  return (
    <ActionsMenu label={t("channelMenu.label", { name })} size={size} className={className}>
      <Items channelId={channelId} name={name} />
    </ActionsMenu>
  );
}

function Items({ channelId, name }: { channelId: number; name: string }) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const attempt = useAttempt();
  const markRead = useMarkRead();
  const openCard = useOpenCard();
  const subscription = useChatState((state) => subscriptionTo(state, channelId));
  const unread = useChatState((state) => unreadCounts(state).channels.get(channelId) ?? 0);
  const place = { page: "messages", narrow: { kind: "channel", channelId } } as const;
  const change = (property: "is_muted" | "pin_to_top", value: boolean) =>
    attempt(
      chat.client.call("POST /users/me/subscriptions/properties", {
        subscription_data: [{ stream_id: channelId, property, value }],
      }),
    );
  return (
    <>
      {unread > 0 && (
        <Menu.Item leftSection={<CheckCheck {...ICON} />} onClick={() => markRead({ kind: "channel", channelId })}>
          {t("chat.markRead")}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<MessageSquarePlus {...ICON} />} onClick={() => go(place, "topic")}>
        {t("channelMenu.newTopic")}
      </Menu.Item>
      {subscription && (
        <>
          <Menu.Item
            leftSection={subscription.pin_to_top ? <PinOff {...ICON} /> : <Pin {...ICON} />}
            onClick={() => change("pin_to_top", !subscription.pin_to_top)}
          >
            {t(subscription.pin_to_top ? "channelMenu.unpin" : "channelMenu.pin")}
          </Menu.Item>
          <Menu.Item
            leftSection={subscription.is_muted ? <Bell {...ICON} /> : <BellOff {...ICON} />}
            onClick={() => change("is_muted", !subscription.is_muted)}
          >
            {t(subscription.is_muted ? "channelMenu.unmute" : "channelMenu.mute")}
          </Menu.Item>
        </>
      )}
      <Menu.Item leftSection={<Settings2 {...ICON} />} onClick={() => openCard({ kind: "channel", channelId })}>
        {t("channelDialog.open")}
      </Menu.Item>
      <Menu.Item
        leftSection={<Users {...ICON} />}
        onClick={() => openCard({ kind: "channel", channelId, section: "people" })}
      >
        {t("channelDialog.openPeople")}
      </Menu.Item>
      <Menu.Item
        leftSection={<Link {...ICON} />}
        onClick={() => attempt(copyText(`${window.location.origin}/${addressIn(chat.state.value, place)}`))}
      >
        {t("chat.tools.copyLink")}
      </Menu.Item>
      {subscription && (
        <Menu.Item
          leftSection={<LogOut {...ICON} />}
          // Nobody gets back into a private channel by themselves: its dialog asks first.
          onClick={() =>
            subscription.invite_only
              ? openCard({ kind: "channel", channelId, section: "own" })
              : attempt(chat.client.call("DELETE /users/me/subscriptions", { subscriptions: [name] }))
          }
        >
          {t("channelMenu.leave")}
        </Menu.Item>
      )}
    </>
  );
}
