import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { ErrorCallout } from "../../parts/ErrorCallout.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import classes from "./Settings.module.css";

/** docs/protocol.md#limits */
const MAX_LENGTH = 100;
const NO_WORDS: readonly string[] = [];

export function AlertWords() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const words = useChatState(({ alert_words }) => alert_words ?? NO_WORDS);
  const form = useRef<HTMLFormElement>(null);
  const add = useMutation({
    mutationFn: (word: string) => chat.client.call("POST /users/me/alert_words", { alert_words: [word] }),
    onSuccess: () => form.current?.reset(),
  });
  const remove = useMutation({
    mutationFn: (word: string) => chat.client.call("DELETE /users/me/alert_words", { alert_words: [word] }),
  });
  const submit = (data: FormData) => {
    const word = String(data.get("word") ?? "").trim();
    if (word !== "") add.mutate(word);
  };
  return (
    <section className={classes.group}>
      <h3>{t("ownSettings.alertWords.title")}</h3>
      <p className={classes.hint}>{t("ownSettings.alertWords.hint")}</p>
      <form
        ref={form}
        className={classes.row}
        onSubmit={(event) => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
      >
        <TextInput name="word" size="sm" label={t("ownSettings.alertWords.word")} maxLength={MAX_LENGTH} />
        <Button type="submit" size="sm" variant="default">
          {t("ownSettings.alertWords.add")}
        </Button>
      </form>
      <ErrorCallout error={add.error ?? remove.error} />
      {words.length > 0 && (
        <ul className={classes.chips}>
          {words.map((word) => (
            <li key={word}>
              <Button
                size="compact-sm"
                variant="default"
                rightSection={<X size="0.875rem" aria-hidden="true" />}
                aria-label={t("ownSettings.alertWords.remove", { word })}
                onClick={() => remove.mutate(word)}
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
