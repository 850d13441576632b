import { Button, Group } from "@mantine/core";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { WireEvent } from "../../api/state-shape.ts";
import { useStore } from "../../api/store.ts";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { type Completion, Completions, useCompletions } from "../composer/Completions.tsx";
import { continueLine, isComposing } from "../composer/composer-keys.ts";
import { COMPOSER_ID } from "../composer/field-ids.ts";
import type { Chat } from "../model/chat.ts";
import type { Message } from "../model/feed-state.ts";
import classes from "./MessageView.module.css";

/** Resolves when a message's new text arrives: by event, or with a new event queue. */
function editOf(chat: Chat, messageId: number): { readonly seen: Promise<void>; stop(): void } {
  let stop = () => {};
  const seen = new Promise<void>((resolve) => {
    const listener = (event: WireEvent) => {
      if (event.type === "update_message" && event.message_id === messageId && !event.rendering_only) resolve();
    };
    const { queue_id } = chat.state.value ?? {};
    const unsubscribe = chat.state.subscribe(() => {
      if (chat.state.value?.queue_id !== queue_id) resolve();
    });
    chat.listeners.add(listener);
    stop = () => {
      unsubscribe();
      chat.listeners.delete(listener);
    };
  });
  return { seen, stop: () => stop() };
}

export function EditMessage({ message }: { message: Message }) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  // The key has the content, because another tab or device may change the message.
  const sourceQuery = useQuery({
    queryKey: ["GET /messages/{message_id}", message.id, message.content],
    queryFn: ({ signal }) =>
      chat.client.call("GET /messages/{message_id}", { message_id: message.id, apply_markdown: false }, signal),
    placeholderData: keepPreviousData,
    // Different texts can have the same HTML.
    staleTime: 0,
    gcTime: 0,
  });
  const source = sourceQuery.data?.raw_content;
  const edit = useStore(chat.edits.store, (all) => all.get(message.id));
  const text = source === undefined ? undefined : (edit?.text ?? source);
  const sendsOnEnter = useChatState(({ user_settings }) => user_settings?.enter_sends ?? false);
  const area = useRef<HTMLTextAreaElement>(null);

  const isLoaded = text !== undefined;
  useEffect(() => {
    if (isLoaded) area.current?.focus();
  }, [isLoaded]);

  const type = (next: string) => {
    if (next === source) chat.edits.remove(message.id);
    else chat.edits.set(message.id, next);
  };
  const completions = useCompletions(text ?? "", area);
  const complete = (completion: Completion) => {
    const start = `${completions.around.before}${completion.text} `;
    caret.current = start.length;
    type(start + completions.around.after);
  };
  const caret = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret moves after the field has the new text
  useLayoutEffect(() => {
    if (caret.current !== undefined) area.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);

  /** Keeps the unsaved text, unlike `discard`. */
  const onClose = () => {
    const from = page.value.editing?.from;
    page.update((state) => ({ ...state, editing: undefined }));
    const row = document.querySelector<HTMLElement>(`[data-message-id="${message.id}"]`);
    (from === "composer" ? document.getElementById(COMPOSER_ID) : row)?.focus({ preventScroll: true });
  };
  const discard = () => {
    chat.edits.remove(message.id);
    onClose();
  };
  const saving = useMutation({
    mutationFn: (content: string) => {
      const event = editOf(chat, message.id);
      const saved = chat.client.call("PATCH /messages/{message_id}", { message_id: message.id, content });
      // Waits for the event too, because the row would show the old text before it.
      return Promise.all([saved, event.seen]).finally(event.stop);
    },
    onSuccess: (_, content) => {
      chat.edits.saved(message.id, content);
      onClose();
    },
  });
  const error = saving.error ?? sourceQuery.error;
  const save = () => {
    if (saving.isPending) return;
    // The server removes white space at the end, and sends no event for an unchanged text.
    if (text === undefined || text.trimEnd() === source) discard();
    else saving.mutate(text);
  };
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event.nativeEvent)) return;
    if (completions.onKeyDown(event, complete)) event.stopPropagation();
    else if (event.key === "Escape") {
      event.stopPropagation(); // the page's own Escape leaves the conversation
      onClose();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey || (sendsOnEnter && !event.shiftKey))) {
      event.preventDefault();
      save();
    } else if (continueLine(event, event.currentTarget)) event.preventDefault();
  };

  return (
    <div className={classes.edit}>
      <textarea
        ref={area}
        className={classes.editText}
        dir="auto"
        value={text ?? ""}
        disabled={!isLoaded}
        aria-label={t("chat.editText")}
        aria-autocomplete="list"
        aria-controls={completions.isOpen ? completions.id : undefined}
        aria-activedescendant={completions.activeId}
        onChange={(event) => {
          type(event.currentTarget.value);
          completions.onCaret();
        }}
        onSelect={completions.onCaret}
        onBlur={completions.close}
        onKeyDown={onKeyDown}
      />
      <Completions completions={completions} onPick={complete} />
      {error && (
        <Callout tone="error" role="alert">
          {errorMessage(error)}
        </Callout>
      )}
      <Group gap="xs" justify="end">
        <Button size="xs" variant="default" onClick={discard}>
          {t("chat.cancel")}
        </Button>
        <BusyButton size="xs" busy={saving.isPending} onClick={save}>
          {t("chat.save")}
        </BusyButton>
      </Group>
    </div>
  );
}
