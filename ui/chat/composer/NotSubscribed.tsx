import { useTranslation } from "react-i18next";
import { useAttempt, useChat, useChatState } from "../chat-context.ts";
import { mayJoin } from "../model/permissions.ts";
import { channelById, subscriptionTo } from "../model/selectors.ts";
import classes from "./Composer.module.css";

export function NotSubscribed({ channelId }: { channelId: number }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const attempt = useAttempt();
  const channel = useChatState((state) => channelById(state, channelId));
  const isOpen = useChatState((state) => channel !== undefined && mayJoin(state, channel));
  const isSubscribed = useChatState((state) => subscriptionTo(state, channelId) !== undefined);
  if (isSubscribed || !channel) return null;
  const { name } = channel;
  return (
    <p className={classes.hint}>
      {t("chat.compose.notSubscribed")}{" "}
      {isOpen && (
        <button
          type="button"
          className={classes.join}
          onClick={() => attempt(chat.client.call("POST /users/me/subscriptions", { subscriptions: [{ name }] }))}
        >
          {t("chat.browse.joinNamed", { name })}
        </button>
      )}
    </p>
  );
}
