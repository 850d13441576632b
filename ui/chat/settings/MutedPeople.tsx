import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useChat, useChatState } from "../chat-context.ts";
import { personById } from "../model/selectors.ts";
import { SavingNote } from "./SavingNote.tsx";
import classes from "./Settings.module.css";
import { useSaving } from "./use-saving.ts";

/** Whom one has muted, to take that back. */
export function MutedPeople() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const state = useChatState((value) => value);
  const [saving, save] = useSaving();
  const muted = state.muted_users ?? [];
  return (
    <section className={classes.group}>
      <h3>{t("ownSettings.muted.title")}</h3>
      <p className={classes.hint}>{t(muted.length > 0 ? "chatPeople.mutedHint" : "ownSettings.muted.nobody")}</p>
      <ul className={classes.people}>
        {muted.map(({ id }) => {
          const name = personById(state, id)?.full_name ?? t("chat.unknownPerson");
          return (
            <li key={id} className={classes.row}>
              <bdi>{name}</bdi>
              <Button
                size="xs"
                variant="default"
                aria-label={t("ownSettings.muted.unmute", { name })}
                onClick={() =>
                  void save(() =>
                    chat.client.call("DELETE /users/me/muted_users/{muted_user_id}", { muted_user_id: id }),
                  )
                }
              >
                {t("chatPeople.unmute")}
              </Button>
            </li>
          );
        })}
      </ul>
      <SavingNote saving={saving} />
    </section>
  );
}
