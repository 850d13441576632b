import { useTranslation } from "react-i18next";
import { CHANNEL_ACTIONS } from "../actions/channel.ts";
import { useChatState } from "../chat-context.ts";
import { channelById } from "../model/selectors.ts";
import { ActionItems, ActionsMenu } from "../parts/ActionsMenu.tsx";

export interface ChannelMenuProps {
  channelId: number;
  size?: "sm" | "lg";
}

export function ChannelMenu({ channelId, size = "lg" }: ChannelMenuProps) {
  const { t } = useTranslation();
  const name = useChatState((state) => channelById(state, channelId)?.name ?? t("chat.unknownChannel"));
  return (
    <ActionsMenu label={t("channelMenu.label", { name })} size={size}>
      <ActionItems actions={CHANNEL_ACTIONS} thing={{ channelId }} />
    </ActionsMenu>
  );
}
