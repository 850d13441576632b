import { Settings2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useChat, useChatState } from "../chat-context.ts";
import { channelById } from "../model/selectors.ts";
import { IconButton } from "../parts/IconButton.tsx";
import { useOpenCard } from "../people/open-card.ts";

/** Opens the settings of the open channel. On a phone, the menu has them.  */
export function ChannelSettingsButton() {
  const { t } = useTranslation();
  const { place } = useChat();
  const openCard = useOpenCard();
  const channelId = place.page === "messages" && "channelId" in place.narrow ? place.narrow.channelId : undefined;
  const isKnown = useChatState((state) => channelId !== undefined && channelById(state, channelId) !== undefined);
  if (channelId === undefined || !isKnown) return null;
  return (
    <IconButton onClick={() => openCard({ kind: "channel", channelId })} label={t("channelDialog.open")}>
      <Settings2 size="1.125rem" aria-hidden="true" />
    </IconButton>
  );
}
