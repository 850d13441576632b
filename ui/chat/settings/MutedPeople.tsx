import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorCallout } from "../../parts/ErrorCallout.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { personById } from "../model/selectors.ts";
import classes from "./Settings.module.css";

const NO_ONE: readonly { readonly id: number }[] = [];

export function MutedPeople() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const muted = useChatState(({ muted_users }) => muted_users ?? NO_ONE);
  const unmute = useMutation({
    mutationFn: (id: number) => chat.client.call("DELETE /users/me/muted_users/{muted_user_id}", { muted_user_id: id }),
  });
  return (
    <section className={classes.group}>
      <h3>{t("ownSettings.muted.title")}</h3>
      <p className={classes.hint}>{t(muted.length > 0 ? "chatPeople.mutedHint" : "ownSettings.muted.nobody")}</p>
      <ul className={classes.people}>
        {muted.map(({ id }) => (
          <MutedPerson key={id} id={id} onUnmute={() => unmute.mutate(id)} />
        ))}
      </ul>
      <ErrorCallout error={unmute.error} />
    </section>
  );
}

function MutedPerson({ id, onUnmute }: { id: number; onUnmute(): void }) {
  const { t } = useTranslation();
  const name = useChatState((state) => personById(state, id)?.full_name) ?? t("chat.unknownPerson");
  return (
    <li className={classes.row}>
      <bdi>{name}</bdi>
      <Button size="xs" variant="default" aria-label={t("ownSettings.muted.unmute", { name })} onClick={onUnmute}>
        {t("chatPeople.unmute")}
      </Button>
    </li>
  );
}
