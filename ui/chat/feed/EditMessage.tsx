import { Button, Group } from "@mantine/core";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { WireEvent } from "../../api/state-shape.ts";
import { useStore } from "../../api/store.ts";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { type Completion, Completions, useCompletions } from "../composer/Completions.tsx";
import { isComposing } from "../composer/composer-keys.ts";
import { continueLine } from "../composer/continue-line.ts";
import type { Chat } from "../model/chat.ts";
import type { Message } from "../model/feed-state.ts";
import classes from "./EditMessage.module.css";
import { COMPOSER_ID } from "./use-quote.ts";

/** The event that brings a message's new text; after a break, the messages that were loaded anew. */
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

/** The text of a message as it was typed, to change it. */
export function EditMessage({ message }: { message: Message }) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  /** The message's own text. */
  const [source, setSource] = useState<string>();
  const edit = useStore(chat.edits.store, (all) => all.get(message.id));
  const text = source === undefined ? undefined : (edit?.text ?? source);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const sendsOnEnter = useChatState(({ user_settings }) => user_settings?.enter_sends ?? false);
  const area = useRef<HTMLTextAreaElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when another tab or device has changed the message
  useEffect(() => {
    let isLeft = false;
    const input = { message_id: message.id, apply_markdown: false };
    chat.client.call("GET /messages/{message_id}", input).then(
      ({ raw_content }) => !isLeft && setSource(raw_content),
      (caught) => !isLeft && setError(errorMessage(caught)),
    );
    return () => {
      isLeft = true;
    };
  }, [chat, message.id, message.content]);

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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret moves once the new text is in the field
  useLayoutEffect(() => {
    if (caret.current !== undefined) area.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);

  /** What was typed stays, to go on with it; `discard` is for who wants none of it. */
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
  const save = async () => {
    if (busy) return;
    // The server stores texts without white space at their end, and reports no change where there is none.
    if (text === undefined || text.trimEnd() === source) return discard();
    setBusy(true);
    setError(undefined);
    try {
      const event = editOf(chat, message.id);
      const saved = chat.client.call("PATCH /messages/{message_id}", { message_id: message.id, content: text });
      // Without the event, the old text would be shown once more.
      await Promise.all([saved, event.seen]).finally(event.stop);
      chat.edits.saved(message.id, text);
      onClose();
    } catch (caught) {
      setError(errorMessage(caught));
      setBusy(false);
    }
  };
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event.nativeEvent)) return;
    if (completions.onKeyDown(event, complete)) event.stopPropagation();
    else if (event.key === "Escape") {
      event.stopPropagation(); // the page's own Escape leaves the conversation
      onClose();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey || (sendsOnEnter && !event.shiftKey))) {
      event.preventDefault();
      void save();
    } else if (continueLine(event, event.currentTarget)) event.preventDefault();
  };

  return (
    <div className={classes.edit}>
      <textarea
        ref={area}
        className={classes.text}
        dir="auto"
        value={text ?? ""}
        disabled={!isLoaded}
        aria-label={t("chat.editText")}
        aria-autocomplete="list"
        aria-controls={completions.isOpen ? completions.id : undefined}
        aria-activedescendant={completions.activeId}
        onChange={(event) => type(event.currentTarget.value)}
        onSelect={completions.onCaret}
        onBlur={completions.close}
        onKeyDown={onKeyDown}
      />
      <Completions completions={completions} onPick={complete} />
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
      <Group gap="xs">
        <BusyButton size="xs" busy={busy} onClick={() => void save()}>
          {t("chat.save")}
        </BusyButton>
        <Button size="xs" variant="default" onClick={discard}>
          {t("chat.cancel")}
        </Button>
      </Group>
    </div>
  );
}
