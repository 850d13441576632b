import { Button, TextInput } from "@mantine/core";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useChat, useChatState } from "../chat-context.ts";
import { SavingNote } from "./SavingNote.tsx";
import classes from "./Settings.module.css";
import { useSaving } from "./use-saving.ts";

/** docs/protocol.md#limits */
const MAX_LENGTH = 100;
const NO_WORDS: readonly string[] = [];

/** Words that notify as a mention does. */
export function AlertWords() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const words = useChatState(({ alert_words }) => alert_words ?? NO_WORDS);
  const [saving, save] = useSaving();
  const add = async (form: HTMLFormElement) => {
    const word = String(new FormData(form).get("word") ?? "").trim();
    if (word === "") return;
    if (await save(() => chat.client.call("POST /users/me/alert_words", { alert_words: [word] }))) form.reset();
  };
  return (
    <section className={classes.group}>
      <h3>{t("ownSettings.alertWords.title")}</h3>
      <p className={classes.hint}>{t("ownSettings.alertWords.hint")}</p>
      <form
        className={classes.row}
        onSubmit={(event) => {
          event.preventDefault();
          void add(event.currentTarget);
        }}
      >
        <TextInput name="word" size="sm" label={t("ownSettings.alertWords.word")} maxLength={MAX_LENGTH} />
        <Button type="submit" size="sm" variant="default">
          {t("ownSettings.alertWords.add")}
        </Button>
        <SavingNote saving={saving} />
      </form>
      {words.length > 0 && (
        <ul className={classes.chips}>
          {words.map((word) => (
            <li key={word}>
              <Button
                size="compact-sm"
                variant="default"
                rightSection={<X size="0.875rem" aria-hidden="true" />}
                aria-label={t("ownSettings.alertWords.remove", { word })}
                onClick={() =>
                  void save(() => chat.client.call("DELETE /users/me/alert_words", { alert_words: [word] }))
                }
              >
                {word}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
