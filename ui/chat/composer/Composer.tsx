import { ActionIcon, Popover } from "@mantine/core";
import { CalendarClock, Eye, Paperclip, PencilLine, SendHorizontal, Smile } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { errorMessage } from "../../parts/error-messages.ts";
import { useAttempt, useChat, useChatState, usePageState } from "../chat-context.ts";
import { EmojiPicker } from "../feed/EmojiPicker.tsx";
import { startEditing } from "../feed/message-actions.ts";
import { focusMessages } from "../feed/selection.ts";
import { COMPOSER_ID } from "../feed/use-quote.ts";
import type { DraftNarrow } from "../model/drafts.ts";
import { type Narrow, narrowKey } from "../model/narrow.ts";
import { channelById, subscriptionTo } from "../model/selectors.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { useChosen } from "../settings/use-saving.ts";
import { type Completion, Completions, useCompletions } from "./Completions.tsx";
import classes from "./Composer.module.css";
import { ComposerMenu } from "./ComposerMenu.tsx";
import { destinationOf } from "./destination.ts";
import { FormatBar } from "./FormatBar.tsx";
import { type Format, formatted } from "./formatting.ts";
import { Preview } from "./Preview.tsx";
import { useTyping } from "./use-typing.ts";
import { useUploads } from "./use-uploads.ts";

export interface ComposerProps {
  narrow: Narrow;
}

/** The field of the topic that a message to a channel begins. */
export const TOPIC_ID = "composer-topic";

/** Where one writes: in a topic, in a direct conversation, or in a channel with a topic of one's choice. */
export function Composer({ narrow }: ComposerProps) {
  const { t } = useTranslation();
  const { chat, go, page } = useChat();
  const attempt = useAttempt();
  const insertion = usePageState((state) => state.insertion);
  const key = narrowKey(narrow);
  const draft = useStore(chat.drafts.store, (all) => all.get(key));
  const text = draft?.text ?? "";
  const topic = draft?.topic ?? "";
  const setText = (next: string) => canWrite(narrow) && chat.drafts.set(narrow, { text: next });
  const setTopic = (next: string) => canWrite(narrow) && chat.drafts.set(narrow, { topic: next });
  const [notice, setNotice] = useState<string>();
  const [isPreviewing, setPreviewing] = useState(false);
  const [showsFormats, setShowsFormats] = useState(() => readFlag(FORMATS_KEY));
  const [isPicking, setPicking] = useState(false);
  // What was wanted when the conversation opened: the messages take it back once they have the focus.
  const [focus] = useState(page.value.focus);
  const area = useRef<HTMLTextAreaElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const narrowTitle = useNarrowTitle();
  const title = useChatState((state) => narrowTitle(state, narrow));
  const [sendsOnEnter, chooseEnter] = useChosen(
    useChatState(({ user_settings }) => user_settings?.enter_sends ?? false),
  );
  const channel = useChatState((state) => ("channelId" in narrow ? channelById(state, narrow.channelId) : undefined));
  const needsTopic = useChatState(({ realm_mandatory_topics }) => realm_mandatory_topics ?? false);
  const isSubscribed = useChatState(
    (state) => !("channelId" in narrow) || subscriptionTo(state, narrow.channelId) !== undefined,
  );
  const destination = destinationOf(narrow, topic);
  const noteTyping = useTyping(destination);
  const completions = useCompletions(text, area);

  useEffect(() => {
    // A phone's keyboard comes only where somebody asked to write.
    const isWanted = focus === "topic" || window.matchMedia("(pointer: fine)").matches;
    if (focus === "messages" || !isWanted) return;
    document.getElementById(focus === "topic" ? TOPIC_ID : COMPOSER_ID)?.focus({ preventScroll: true });
  }, [focus]);

  const insert = (addition: string) => {
    const field = area.current;
    const at = field?.selectionStart ?? text.length;
    const end = field?.selectionEnd ?? at;
    const before = chat.drafts.store.value.get(key)?.text ?? "";
    setText(before.slice(0, at) + addition + before.slice(end));
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
    if (insertion === undefined || !canWrite(narrow)) return;
    const before = chat.drafts.store.value.get(key)?.text ?? "";
    chat.drafts.set(narrow, { text: before === "" ? insertion : `${before}\n${insertion}` });
    page.update((before) => ({ ...before, insertion: undefined }));
    requestAnimationFrame(() => {
      const field = area.current;
      field?.focus();
      field?.setSelectionRange(field.value.length, field.value.length);
    });
  }, [chat, narrow, key, insertion, page]);

  // A link that is glued to a word is hard to read.
  const insertFile = (link: string) => {
    const end = area.current?.selectionStart ?? text.length;
    insert(/\S$/.test(text.slice(0, end)) ? ` ${link}` : link);
  };
  const uploads = useUploads({ onUploaded: insertFile, onError: setNotice });

  if (!destination || !canWrite(narrow)) return null;
  const send = () => {
    const content = text.trim();
    if (content === "" || uploads.isBusy) return;
    setPreviewing(false);
    if (COMMAND.test(content)) {
      attempt(chat.client.call("POST /zcommand", { command: content }).then(() => setNotice(t("writing.commandDone"))));
      chat.drafts.set(narrow, { text: "" });
      return;
    }
    chat.outbox.add(destination, content, chat.queueId);
    chat.drafts.set(narrow, { text: "", topic: "" });
    setNotice(undefined);
    noteTyping("");
    if (narrow.kind === "channel" && "channelId" in destination)
      go({ page: "messages", narrow: { kind: "topic", ...destination } });
  };
  const togglePreview = () => {
    setPreviewing(!isPreviewing);
    if (isPreviewing) requestAnimationFrame(() => area.current?.focus());
  };
  const toggleFormats = () => {
    writeFlag(FORMATS_KEY, !showsFormats);
    setShowsFormats(!showsFormats);
  };
  const format = (kind: Format) => {
    const field = area.current;
    if (!field || isPreviewing) return;
    const {
      from,
      to,
      insert: replacement,
      start,
      end,
    } = formatted(kind, {
      text: field.value,
      start: field.selectionStart,
      end: field.selectionEnd,
    });
    field.focus();
    field.setSelectionRange(from, to);
    // Unlike a new value, this can be undone with Ctrl+Z.
    document.execCommand("insertText", false, replacement);
    field.setSelectionRange(start, end);
  };
  const complete = (completion: Completion) => {
    const { before, after } = completions.around;
    const addition = `${completion.text} `;
    setText(before + addition + after);
    moveTo(before.length + addition.length);
  };
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (completions.onKeyDown(event, complete)) {
      event.stopPropagation();
      return;
    }
    const formatKey = FORMAT_KEYS[`${event.shiftKey ? "Shift+" : ""}${event.key.toLowerCase()}`];
    if ((event.ctrlKey || event.metaKey) && formatKey) {
      event.preventDefault();
      format(formatKey);
      return;
    }
    if (event.altKey && event.key.toLowerCase() === "p") {
      event.preventDefault();
      togglePreview();
      return;
    }
    if (event.key === "ArrowUp" && text === "") {
      const own = chat.feed(narrow).store.value.messages.findLast(({ sender_id }) => sender_id === chat.userId);
      if (!own) return;
      event.preventDefault();
      startEditing({ chat, page }, own, "composer", t("chat.editTooLate"));
      return;
    }
    if (event.key === "Escape") {
      event.stopPropagation();
      focusMessages();
      return;
    }
    if (event.key !== "Enter") return;
    const wantsSend = sendsOnEnter ? !event.shiftKey : event.ctrlKey || event.metaKey;
    if (!wantsSend) return;
    event.preventDefault();
    send();
  };
  const toggleEnter = () =>
    chooseEnter(!sendsOnEnter, () =>
      chat.client.call("PATCH /settings", { enter_sends: !sendsOnEnter }).then(
        () => true,
        (error) => {
          setNotice(errorMessage(error));
          return false;
        },
      ),
    );

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
          id={TOPIC_ID}
          className={classes.topic}
          dir="auto"
          value={topic}
          onChange={(event) => setTopic(event.currentTarget.value)}
          placeholder={t(needsTopic ? "chat.compose.topic" : "chat.compose.topicOrNone")}
          aria-label={t("chat.compose.topic")}
          maxLength={60}
        />
      )}
      {showsFormats && <FormatBar onFormat={format} />}
      <div className={classes.box}>
        {isPreviewing && <Preview text={text} />}
        <textarea
          hidden={isPreviewing}
          ref={area}
          id={COMPOSER_ID}
          className={classes.text}
          dir="auto"
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
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            onClick={togglePreview}
            aria-pressed={isPreviewing}
            aria-label={t(isPreviewing ? "writing.writeOn" : "writing.preview")}
            title={t(isPreviewing ? "writing.writeOn" : "writing.preview")}
          >
            {isPreviewing ? (
              <PencilLine size="1.0625rem" aria-hidden="true" />
            ) : (
              <Eye size="1.0625rem" aria-hidden="true" />
            )}
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
          <ComposerMenu narrow={narrow} showsFormats={showsFormats} onToggleFormats={toggleFormats} />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            onClick={() => {
              if (text.trim() === "") return;
              page.update((before) => ({ ...before, dialog: { kind: "schedule", narrow } }));
            }}
            aria-disabled={text.trim() === ""}
            aria-label={t("writing.sendLater")}
            title={t("writing.sendLater")}
          >
            <CalendarClock size="1.0625rem" aria-hidden="true" />
          </ActionIcon>
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

const FORMATS_KEY = "hearth-format-bar";
const FORMAT_KEYS: Readonly<Partial<Record<string, Format>>> = { b: "bold", i: "italic", "Shift+l": "link" };
/** What the server does instead of sending it: docs/protocol.md#commands. */
const COMMAND = /^\/(?:ping|dark|night|light|day|fluid-width|fixed-width)$/;

function readFlag(key: string): boolean {
  try {
    return localStorage.getItem(key) === "true";
  } catch {
    return false; // storage may be forbidden
  }
}

function writeFlag(key: string, value: boolean): void {
  try {
    localStorage.setItem(key, String(value));
  } catch {} // forbidden: for as long as the page is open
}

/** Whether one writes here: in lists of messages from many places, one answers in their conversations. */
const canWrite = (narrow: Narrow): narrow is DraftNarrow =>
  narrow.kind === "channel" || narrow.kind === "topic" || narrow.kind === "direct";
