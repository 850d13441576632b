import { Button, Text, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { State } from "../../api/state-shape.ts";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat, useChatState } from "../chat-context.ts";
import type { DraftNarrow } from "../model/drafts.ts";
import { narrowKey } from "../model/narrow.ts";
import classes from "./ComposerDialogs.module.css";

const NONE: NonNullable<State["saved_snippets"]> = [];

export function Snippets({ narrow, onClose }: { narrow: DraftNarrow; onClose(): void }) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const snippets = useChatState((state) => state.saved_snippets ?? NONE);
  const [title, setTitle] = useState("");
  const [content, setContent] = useState(chat.drafts.store.value.get(narrowKey(narrow))?.text ?? "");
  const save = useMutation({
    mutationFn: () => chat.client.call("POST /saved_snippets", { title, content }),
    onSuccess() {
      setTitle("");
      setContent("");
    },
  });
  const remove = useMutation({
    mutationFn: (id: number) => chat.client.call("DELETE /saved_snippets/{saved_snippet_id}", { saved_snippet_id: id }),
  });
  const error = save.error ?? remove.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  return (
    <Dialog title={t("writing.snippets.title")} onClose={onClose}>
      {snippets.length === 0 && (
        <Text size="sm" c="var(--hearth-ink-soft)">
          {t("writing.snippets.empty")}
        </Text>
      )}
      <ul className={classes.snippets}>
        {snippets.map(({ id, title: name, content: text }) => (
          <li key={id} className={classes.snippet}>
            <button
              type="button"
              className={classes.insert}
              onClick={() => page.update((before) => ({ ...before, dialog: undefined, insertion: text }))}
            >
              <Text component="bdi" inherit fw="var(--hearth-semibold)" className={classes.name}>
                {name}
              </Text>
              <Text component="span" size="sm" c="var(--hearth-ink-soft)" truncate>
                {text}
              </Text>
            </button>
            <Button
              size="xs"
              variant="default"
              aria-label={t("writing.snippets.deleteNamed", { name })}
              onClick={() => remove.mutate(id)}
            >
              {t("writing.delete")}
            </Button>
          </li>
        ))}
      </ul>
      <form className={classes.saveAs} onSubmit={submit}>
        <TextInput
          size="sm"
          label={t("writing.snippets.name")}
          value={title}
          maxLength={60}
          onChange={(event) => setTitle(event.currentTarget.value)}
          required
        />
        <Textarea
          size="sm"
          label={t("writing.snippets.text")}
          value={content}
          onChange={(event) => setContent(event.currentTarget.value)}
          rows={3}
          required
        />
        <Button type="submit" size="sm">
          {t("writing.snippets.save")}
        </Button>
      </form>
      {error && (
        <Callout tone="error" role="alert">
          {errorMessage(error)}
        </Callout>
      )}
    </Dialog>
  );
}
