import { ActionIcon, Popover } from "@mantine/core";
import { Paperclip, SendHorizontal, Smile } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChat, useChatState } from "../chat-context.ts";
import { EmojiPicker } from "../feed/EmojiPicker.tsx";
import { type Narrow, narrowKey } from "../model/narrow.ts";
import type { Destination } from "../model/outbox.ts";
import { channelById, subscriptionTo } from "../model/selectors.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { type Completion, Completions, useCompletions } from "./Completions.tsx";
import classes from "./Composer.module.css";
import { loadDraft, saveDraft } from "./drafts.ts";
import { useTyping } from "./use-typing.ts";
import { useUploads } from "./use-uploads.ts";

export interface ComposerProps {
  narrow: Narrow;
  /** A quotation to write under; taken over once. */
  quoted: string | undefined;
  onQuoted(): void;
}

/** Where one writes: in a topic, in a direct conversation, or in a channel with a topic of one's choice. */
export function Composer({ narrow, quoted, onQuoted }: ComposerProps) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const key = narrowKey(narrow);
  const draft = useRef(loadDraft(chat.userId, key)).current;
  const [text, setText] = useState(draft.text);
  const [topic, setTopic] = useState(draft.topic);
  const [notice, setNotice] = useState<string>();
  const [isPicking, setPicking] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const narrowTitle = useNarrowTitle();
  const title = useChatState((state) => narrowTitle(state, narrow));
  const sendsOnEnter = useChatState(({ user_settings }) => user_settings?.enter_sends ?? false);
  const channel = useChatState((state) => ("channelId" in narrow ? channelById(state, narrow.channelId) : undefined));
  const isSubscribed = useChatState(
    (state) => !("channelId" in narrow) || subscriptionTo(state, narrow.channelId) !== undefined,
  );
  const destination = destinationOf(narrow, topic);
  const noteTyping = useTyping(destination);
  const completions = useCompletions(text, area);

  useEffect(() => saveDraft(chat.userId, key, { text, topic }), [chat, key, text, topic]);
  useEffect(() => {
    if (window.matchMedia("(pointer: fine)").matches) area.current?.focus({ preventScroll: true });
  }, []);

  const insert = (addition: string) => {
    const field = area.current;
    const at = field?.selectionStart ?? text.length;
    const end = field?.selectionEnd ?? at;
    setText((before) => before.slice(0, at) + addition + before.slice(end));
    moveTo(at + addition.length);
  };
  const caret = useRef<number>(undefined);
  const moveTo = (position: number) => {
    caret.current = position;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret moves once the new text is in the field
  useLayoutEffect(() => {
    if (caret.current === undefined) return;
    area.current?.focus();
    area.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);

  useEffect(() => {
    if (quoted === undefined) return;
    setText((before) => (before === "" ? quoted : `${before}\n${quoted}`));
    onQuoted();
    requestAnimationFrame(() => {
      const field = area.current;
      field?.focus();
      field?.setSelectionRange(field.value.length, field.value.length);
    });
  }, [quoted, onQuoted]);

  const uploads = useUploads({ onUploaded: insert, onError: setNotice });

  if (!destination) return null;
  const send = () => {
    const content = text.trim();
    if (content === "" || uploads.isBusy) return;
    chat.outbox.add(destination, content, chat.queueId);
    setText("");
    setNotice(undefined);
    noteTyping("");
    if (narrow.kind === "channel" && "channelId" in destination)
      go({ page: "messages", narrow: { kind: "topic", ...destination } });
  };
  const complete = (completion: Completion) => {
    const { before, after } = completions.around;
    const addition = `${completion.text} `;
    setText(before + addition + after);
    moveTo(before.length + addition.length);
  };
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (completions.onKeyDown(event, complete)) return;
    if (event.key !== "Enter") return;
    const wantsSend = sendsOnEnter ? !event.shiftKey : event.ctrlKey || event.metaKey;
    if (!wantsSend) return;
    event.preventDefault();
    send();
  };
  const toggleEnter = () =>
    void chat.client
      .call("PATCH /settings", { enter_sends: !sendsOnEnter })
      .catch(() => setNotice(t("errors.offline")));

  return (
    <form
      className={classes.composer}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        uploads.add([...event.dataTransfer.files]);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      aria-label={t("chat.compose.label")}
    >
      {!isSubscribed && channel && <p className={classes.hint}>{t("chat.compose.notSubscribed")}</p>}
      {narrow.kind === "channel" && (
        <input
          className={classes.topic}
          value={topic}
          onChange={(event) => setTopic(event.currentTarget.value)}
          placeholder={t("chat.compose.topic")}
          aria-label={t("chat.compose.topic")}
          maxLength={60}
        />
      )}
      <div className={classes.box}>
        <textarea
          ref={area}
          className={classes.text}
          value={text}
          rows={1}
          placeholder={t("chat.compose.placeholder", { title })}
          aria-label={t("chat.compose.placeholder", { title })}
          aria-autocomplete="list"
          aria-controls={completions.isOpen ? completions.id : undefined}
          aria-activedescendant={completions.activeId}
          onChange={(event) => {
            setText(event.currentTarget.value);
            noteTyping(event.currentTarget.value);
          }}
          onSelect={completions.onCaret}
          onBlur={completions.close}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const files = [...event.clipboardData.files];
            if (files.length === 0) return;
            event.preventDefault();
            uploads.add(files);
          }}
        />
        <Completions completions={completions} onPick={complete} />
        <div className={classes.tools}>
          <input
            ref={file}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              uploads.add([...(event.currentTarget.files ?? [])]);
              event.currentTarget.value = "";
            }}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            onClick={() => file.current?.click()}
            aria-label={t("chat.compose.attach")}
            title={t("chat.compose.attach")}
          >
            <Paperclip size="1.0625rem" aria-hidden="true" />
          </ActionIcon>
          <Popover opened={isPicking} onChange={setPicking} position="top-end" shadow="md" trapFocus returnFocus>
            <Popover.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                onClick={() => setPicking(!isPicking)}
                aria-label={t("chat.compose.emoji")}
                title={t("chat.compose.emoji")}
              >
                <Smile size="1.125rem" aria-hidden="true" />
              </ActionIcon>
            </Popover.Target>
            <Popover.Dropdown className={classes.dropdown}>
              <EmojiPicker
                onPick={({ name }) => {
                  setPicking(false);
                  insert(`:${name}: `);
                }}
              />
            </Popover.Dropdown>
          </Popover>
          <ActionIcon
            variant="filled"
            size="lg"
            type="submit"
            aria-label={t("chat.compose.send")}
            title={t("chat.compose.send")}
            aria-disabled={text.trim() === "" || uploads.isBusy}
            className={classes.send}
          >
            <SendHorizontal size="1.0625rem" aria-hidden="true" />
          </ActionIcon>
        </div>
      </div>
      <div className={classes.footer}>
        <span role="status" className={classes.notice}>
          {uploads.isBusy ? t("chat.compose.uploading", { percent: uploads.percent }) : notice}
        </span>
        <label className={classes.enter}>
          <input type="checkbox" checked={sendsOnEnter} onChange={toggleEnter} />
          {t("chat.compose.enterSends")}
        </label>
      </div>
    </form>
  );
}

/** Where a message goes that is written here; undefined in lists of messages from many places. */
function destinationOf(narrow: Narrow, topic: string): Destination | undefined {
  if (narrow.kind === "topic") return { channelId: narrow.channelId, topic: narrow.topic };
  if (narrow.kind === "channel") return { channelId: narrow.channelId, topic: topic.trim() };
  if (narrow.kind === "direct") return { userIds: narrow.userIds };
  return undefined;
}
