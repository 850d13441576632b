import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useAttempt, useChat, useChatState } from "../chat-context.ts";
import { mentionsPeople, mentionsTooMany, unreachedBy } from "../model/mentions.ts";
import { mayAddSubscribers } from "../model/permissions.ts";
import { channelById } from "../model/selectors.ts";
import { useSubscribers } from "../people/use-subscribers.ts";
import classes from "./Composer.module.css";

export interface MentionHintsProps {
  channelId: number;
  text: string;
}

/** Says before it is sent which mentions will not work: of people who cannot read the channel, and of too many. */
export function MentionHints({ channelId, text }: MentionHintsProps) {
  const { t } = useTranslation();
  const isTooMany = useChatState((state) => mentionsTooMany(state, channelId, text));
  return (
    <>
      {isTooMany && <p className={classes.hint}>{t("writing.mentions.tooMany")}</p>}
      {mentionsPeople(text) && <Unreached channelId={channelId} text={text} />}
    </>
  );
}

function Unreached({ channelId, text }: MentionHintsProps) {
  const { t, i18n } = useTranslation();
  const { chat } = useChat();
  const attempt = useAttempt();
  const { ids } = useSubscribers(channelId);
  const users = useChatState(({ realm_users }) => realm_users);
  const channel = useChatState((state) => channelById(state, channelId));
  const adds = useChatState((state) => channel !== undefined && mayAddSubscribers(state, channel));
  // biome-ignore lint/correctness/useExhaustiveDependencies: who they are follows from the people and the channel
  const people = useMemo(
    () => (ids ? unreachedBy(chat.state.value ?? {}, channelId, text, ids) : []),
    [ids, users, channel, text],
  );
  if (!channel || people.length === 0) return null;
  const names = new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(
    people.map(({ full_name }) => full_name),
  );
  const add = () =>
    attempt(
      chat.client.call("POST /users/me/subscriptions", {
        subscriptions: [{ name: channel.name }],
        principals: people.map(({ user_id }) => user_id),
      }),
    );
  return (
    <p className={classes.hint}>
      {t("writing.mentions.unreached", { names, count: people.length })}{" "}
      {adds && (
        <button type="button" className={classes.join} onClick={add}>
          {t("writing.mentions.add")}
        </button>
      )}
    </p>
  );
}
