import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Channel } from "../../api/state-shape.ts";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { ErrorCallout } from "../../parts/ErrorCallout.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { mayJoin } from "../model/permissions.ts";

/** Subscribes to a channel, if the viewer can. */
export function Join({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const isOpen = useChatState((state) => mayJoin(state, channel));
  const join = useMutation({
    mutationFn: () => chat.client.call("POST /users/me/subscriptions", { subscriptions: [{ name: channel.name }] }),
  });
  if (!isOpen) return null;
  return (
    <div>
      <BusyButton size="xs" variant="default" busy={join.isPending} onClick={() => join.mutate()}>
        {t("channelDialog.join")}
      </BusyButton>
      <ErrorCallout error={join.error} />
    </div>
  );
}
