import { useMutation } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Input } from "../../api/client.ts";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { IS_TOUCHED } from "../../parts/touch.ts";
import { useAttempt, useChat, useChatState } from "../chat-context.ts";
import { mentionsPeople, mentionsTooMany, unreachedBy } from "../model/mentions.ts";
import { mayAddSubscribers } from "../model/permissions.ts";
import { channelById } from "../model/selectors.ts";
import { useSubscribers } from "../people/use-subscribers.ts";
import classes from "./Composer.module.css";
import { COMPOSER_ID } from "./field-ids.ts";

export interface MentionHintsProps {
  channelId: number;
  text: string;
}

/** Warns about mentions that will not work: of people who cannot read the channel, and of too many people. */
export function MentionHints({ channelId, text }: MentionHintsProps) {
  const { t } = useTranslation();
  const isTooMany = useChatState((state) => mentionsTooMany(state, channelId, text));
  return (
    <>
      {isTooMany && (
        <Hint>
          <span>{t("writing.mentions.tooMany")}</span>
        </Hint>
      )}
      {mentionsPeople(text) && <Unreached channelId={channelId} text={text} />}
    </>
  );
}

function Unreached({ channelId, text }: MentionHintsProps) {
  const { t, i18n } = useTranslation();
  const { chat } = useChat();
  const attempt = useAttempt();
  const { data: ids } = useSubscribers(channelId);
  const add = useMutation({
    mutationFn: (input: Input<"POST /users/me/subscriptions">) =>
      chat.client.call("POST /users/me/subscriptions", input),
  });
  const users = useChatState(({ realm_users }) => realm_users);
  const channel = useChatState((state) => channelById(state, channelId));
  const adds = useChatState((state) => channel !== undefined && mayAddSubscribers(state, channel));
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on these parts of the state only
  const people = useMemo(
    () => (ids ? unreachedBy(chat.state.value ?? {}, channelId, text, ids) : []),
    [ids, users, channel, text],
  );
  if (!channel || people.length === 0) return null;
  const named = people.slice(0, people.length > MAX_NAMES ? MAX_NAMES - 1 : MAX_NAMES);
  const others = people.length - named.length;
  const names = new Intl.ListFormat(i18n.language, { type: "conjunction" }).format([
    ...named.map(({ full_name }) => full_name),
    ...(others > 0 ? [t("writing.mentions.others", { count: others })] : []),
  ]);
  const onAdd = () => {
    const principals = people.map(({ user_id }) => user_id);
    attempt(add.mutateAsync({ subscriptions: [{ name: channel.name }], principals }));
    // The button disappears with the hint, so the focus moves before.
    document.getElementById(COMPOSER_ID)?.focus();
  };
  return (
    <Hint
      action={
        adds && (
          <BusyButton size={IS_TOUCHED ? "sm" : "compact-sm"} variant="default" busy={add.isPending} onClick={onAdd}>
            {t("writing.mentions.add", { count: people.length })}
          </BusyButton>
        )
      }
    >
      <bdi>{t("writing.mentions.unreached", { names, count: people.length })}</bdi>
    </Hint>
  );
}

/** The others are counted. */
const MAX_NAMES = 3;

function Hint({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.warning}>
      <p className={classes.warningText}>
        <TriangleAlert className={classes.warningIcon} size="1rem" aria-hidden="true" />
        {children}
      </p>
      {action}
    </div>
  );
}
