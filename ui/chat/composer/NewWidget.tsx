import { Button, Group, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { AskingDialog, FormButtons } from "../../parts/AskingDialog.tsx";
import { useChat } from "../chat-context.ts";
import { type DraftNarrow, destinationOf } from "../model/drafts.ts";
import { narrowKey } from "../model/narrow.ts";
import { conversationAt } from "../model/outbox.ts";
import { pollText, todoText } from "../model/widgets.ts";

export interface NewWidgetProps {
  kind: "poll" | "todo";
  narrow: DraftNarrow;
  onClose(): void;
}

/** Creates a poll or to-do list: a message that begins with a command, from which the server creates the widget. */
export function NewWidget({ kind, narrow, onClose }: NewWidgetProps) {
  const { t } = useTranslation();
  const { chat, page, go } = useChat();
  const [heading, setHeading] = useState("");
  const [lines, setLines] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const items = lines.split("\n").filter((line) => line.trim() !== "");
    const to = destinationOf(narrow, chat.drafts.store.value.get(narrowKey(narrow))?.topic ?? "");
    if (!to) return;
    chat.outbox.add(to, kind === "poll" ? pollText(heading, items) : todoText(heading, items), chat.queueId);
    page.update((before) => ({ ...before, sentTo: narrowKey(conversationAt(to)) }));
    onClose();
    if (narrow.kind === "channel") go({ page: "messages", narrow: conversationAt(to) });
  };
  return (
    <AskingDialog title={t(`writing.${kind}.new`)} onClose={onClose}>
      {(leave) => (
        <form onSubmit={submit}>
          <TextInput
            label={t(`writing.${kind}.heading`)}
            value={heading}
            onChange={(event) => setHeading(event.currentTarget.value)}
            required={kind === "poll"}
            data-autofocus
          />
          <Textarea
            label={t(`writing.${kind}.items`)}
            description={t("writing.onePerLine")}
            value={lines}
            onChange={(event) => setLines(event.currentTarget.value)}
            rows={5}
            mt="sm"
          />
          <Group gap="sm" mt="md" justify="end">
            <FormButtons>
              <Button variant="default" onClick={leave}>
                {t("chat.cancel")}
              </Button>
              <Button type="submit">{t("chat.compose.send")}</Button>
            </FormButtons>
          </Group>
        </form>
      )}
    </AskingDialog>
  );
}
