import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { State } from "../../api/state-shape.ts";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat, useChatState } from "../chat-context.ts";
import type { DraftNarrow } from "../model/drafts.ts";
import { narrowKey } from "../model/narrow.ts";
import classes from "./Snippets.module.css";

const NONE: NonNullable<State["saved_snippets"]> = [];

/** Texts saved for reuse: to insert, to delete, and to save what is being written as one. */
export function Snippets({ narrow, onClose }: { narrow: DraftNarrow; onClose(): void }) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const snippets = useChatState((state) => state.saved_snippets ?? NONE);
  const [title, setTitle] = useState("");
  const [error, setError] = useState<string>();
  const content = chat.drafts.store.value.get(narrowKey(narrow))?.text ?? "";
  const attempt = async (work: Promise<unknown>) => {
    setError(undefined);
    try {
      await work;
    } catch (caught) {
      setError(errorMessage(caught));
    }
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    await attempt(chat.client.call("POST /saved_snippets", { title, content }));
    setTitle("");
  };
  return (
    <Dialog title={t("writing.snippets.title")} onClose={onClose}>
      {snippets.length === 0 && <p className={classes.empty}>{t("writing.snippets.empty")}</p>}
      <ul className={classes.list}>
        {snippets.map(({ id, title: name, content: text }) => (
          <li key={id} className={classes.snippet}>
            <button
              type="button"
              className={classes.insert}
              onClick={() => page.update((before) => ({ ...before, dialog: undefined, insertion: text }))}
            >
              <bdi className={classes.name}>{name}</bdi>
              <span className={classes.text}>{text}</span>
            </button>
            <Button
              size="xs"
              variant="default"
              aria-label={t("writing.snippets.deleteNamed", { name })}
              onClick={() =>
                void attempt(chat.client.call("DELETE /saved_snippets/{saved_snippet_id}", { saved_snippet_id: id }))
              }
            >
              {t("writing.delete")}
            </Button>
          </li>
        ))}
      </ul>
      {content.trim() !== "" && (
        <form className={classes.form} onSubmit={(event) => void save(event)}>
          <TextInput
            size="sm"
            label={t("writing.snippets.saveAs")}
            value={title}
            maxLength={60}
            onChange={(event) => setTitle(event.currentTarget.value)}
            required
          />
          <Button type="submit" size="sm">
            {t("chat.save")}
          </Button>
        </form>
      )}
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
    </Dialog>
  );
}
