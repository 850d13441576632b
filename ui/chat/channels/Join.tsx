import { useTranslation } from "react-i18next";
import type { Channel } from "../../api/state-shape.ts";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { mayJoin } from "../model/permissions.ts";
import { SavingNote } from "../settings/SavingNote.tsx";
import { useSaving } from "../settings/use-saving.ts";

/** Joins a channel that one is not in, where one may. */
export function Join({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const isOpen = useChatState((state) => mayJoin(state, channel));
  const [saving, save] = useSaving();
  if (!isOpen) return null;
  return (
    <div>
      <BusyButton
        size="xs"
        variant="default"
        busy={saving === "saving"}
        onClick={() =>
          void save(() => chat.client.call("POST /users/me/subscriptions", { subscriptions: [{ name: channel.name }] }))
        }
      >
        {t("channelDialog.join")}
      </BusyButton>
      <SavingNote saving={saving} />
    </div>
  );
}
