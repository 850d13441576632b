import { ActionIcon } from "@mantine/core";
import { Settings2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useChat, useChatState } from "../chat-context.ts";
import { subscriptionTo } from "../model/selectors.ts";
import { useOpenCard } from "../people/open-card.ts";

/** Opens one's own settings for the channel that is open, if one is subscribed to it. On a phone, its menu does. */
export function ChannelSettingsButton() {
  const { t } = useTranslation();
  const { place } = useChat();
  const openCard = useOpenCard();
  const channelId = place.page === "messages" && "channelId" in place.narrow ? place.narrow.channelId : undefined;
  const isSubscribed = useChatState(
    (state) => channelId !== undefined && subscriptionTo(state, channelId) !== undefined,
  );
  if (channelId === undefined || !isSubscribed) return null;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      onClick={() => openCard({ kind: "channel", channelId })}
      aria-label={t("subscriptionSettings.open")}
      title={t("subscriptionSettings.open")}
    >
      <Settings2 size="1.125rem" aria-hidden="true" />
    </ActionIcon>
  );
}
