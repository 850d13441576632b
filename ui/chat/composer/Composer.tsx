import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { errorMessage } from "../../parts/error-messages.ts";
import { number } from "../../parts/format.ts";
import { lazyPart } from "../../parts/lazy-part.ts";
import { usePendingValue } from "../../parts/settings/use-pending-value.ts";
import { IS_TOUCHED } from "../../parts/touch.ts";
import { useFileDrop } from "../../parts/use-file-drop.ts";
import { TopicField } from "../channels/TopicField.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { editLast } from "../feed/edit-last.ts";
import { focusMessages } from "../feed/selection.ts";
import { type DraftNarrow, destinationOf, isWritten } from "../model/drafts.ts";
import { type Narrow, narrowKey } from "../model/narrow.ts";
import { closedBecause, topicsIn } from "../model/permissions.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { AttachedPictures } from "./AttachedPictures.tsx";
import type { AttachedPicture } from "./attached-pictures.ts";
import { ClosedComposer } from "./ClosedComposer.tsx";
import { type Completion, Completions, useCompletions } from "./Completions.tsx";
import classes from "./Composer.module.css";
import { ComposerTools } from "./ComposerTools.tsx";
import { composerAction, continueLine, isComposing } from "./composer-keys.ts";
import { EnterSends } from "./EnterSends.tsx";
import { FormatBar } from "./FormatBar.tsx";
import { COMPOSER_ID, TOPIC_ID } from "./field-ids.ts";
import { useFormatsShown } from "./formats-shown.ts";
import { type Format, formatted } from "./formatting.ts";
import { NotSubscribed } from "./NotSubscribed.tsx";
import { Preview } from "./Preview.tsx";
import { pastedFiles, pastedText } from "./pasted.ts";
import { UploadList } from "./UploadList.tsx";
import { useDraftText } from "./use-draft-text.ts";
import { useSend } from "./use-send.ts";
import { useTyping } from "./use-typing.ts";

const MentionHints = lazyPart(() => import("./MentionHints.tsx").then((all) => ({ default: all.MentionHints })));

export interface ComposerProps {
  narrow: Narrow;
  /** Whether the page above already shows why the conversation is closed. */
  isReasonAbove: boolean;
}

/** Shows nothing in views of several conversations. */
export const Composer = ({ narrow, isReasonAbove }: ComposerProps) =>
  isWritten(narrow) ? <ComposerIn narrow={narrow} isReasonAbove={isReasonAbove} /> : null;

function ComposerIn({ narrow, isReasonAbove }: { narrow: DraftNarrow; isReasonAbove: boolean }) {
  const { chat } = useChat();
  const reason = useChatState((state) => closedBecause(state, narrow));
  const text = useStore(chat.drafts.store, (all) => all.get(narrowKey(narrow))?.text ?? "");
  return reason ? (
    <ClosedComposer narrow={narrow} reason={isReasonAbove ? undefined : reason} text={text} />
  ) : (
    <OpenComposer narrow={narrow} />
  );
}

/** Writes in a topic, in a direct conversation, or in a channel with a topic that the user chooses. */
function OpenComposer({ narrow }: { narrow: DraftNarrow }) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const area = useRef<HTMLTextAreaElement>(null);
  const draft = useDraftText(narrow, area);
  const { text, topic } = draft;
  const topics = useChatState((state) => topicsIn(state, narrow));
  const destination = destinationOf(narrow, topics === "none" ? "" : topic);
  const noteTyping = useTyping(destination);
  const completions = useCompletions(text, area);
  const [notice, setNotice] = useState<string>();
  const [isPreviewing, setPreviewing] = useState(false);
  const [showsFormats, toggleFormats] = useFormatsShown();
  const { shown: sendsOnEnter, put: putSendsOnEnter } = usePendingValue(
    useChatState(({ user_settings }) => user_settings?.enter_sends ?? false),
    (enter_sends) => chat.client.call("PATCH /settings", { enter_sends }),
  );
  const narrowTitle = useNarrowTitle();
  const title = useChatState((state) => narrowTitle(state, narrow));
  const placeholder = t("chat.compose.placeholder", { title });
  useFocusAtOpening();

  const key = narrowKey(narrow);
  const uploads = useStore(chat.uploads.store, (all) => all).filter((one) => narrowKey(one.narrow) === key);
  const addFiles = (files: readonly File[]) => {
    if (files.length === 0) return;
    chat.uploads.add(narrow, files, area.current?.selectionStart ?? text.length);
    area.current?.focus({ preventScroll: true });
  };
  const isDropping = useFileDrop(({ files }) => addFiles([...files]));
  const sending = useSend({
    narrow,
    destination,
    text,
    lacksTopic: narrow.kind === "channel" && topics === "needed" && topic.trim() === "",
    isUploading: uploads.some(({ state }) => state !== "failed"),
    onNotice: setNotice,
    onSent() {
      setPreviewing(false);
      noteTyping("");
    },
  });

  /** Focuses the text field, unless the topic field has an error to fix first. */
  const returnToField = () => {
    requestAnimationFrame(() => document.activeElement?.id !== TOPIC_ID && area.current?.focus());
  };
  /** Closes the move form first, if it is open. */
  const leave = () => {
    if (page.value.move) page.update((before) => ({ ...before, move: undefined }));
    else focusMessages();
  };
  const togglePreview = () => {
    setPreviewing(!isPreviewing);
    if (isPreviewing) returnToField();
  };
  const format = (kind: Format) => {
    const field = area.current;
    if (!field || isPreviewing) return;
    const { selectionStart, selectionEnd, value } = field;
    const { from, to, insert, start, end } = formatted(kind, { text: value, start: selectionStart, end: selectionEnd });
    field.focus();
    field.setSelectionRange(from, to);
    insertUndoably(insert);
    field.setSelectionRange(start, end);
  };
  const takeOut = ({ start, end }: AttachedPicture) => {
    area.current?.focus();
    area.current?.setSelectionRange(start, end);
    document.execCommand("delete"); // Ctrl+Z undoes this
  };
  const complete = (completion: Completion) => {
    const { before, after } = completions.around;
    const start = `${before}${completion.text} `;
    draft.replace(start + after, start.length);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event.nativeEvent)) return;
    if (completions.onKeyDown(event, complete)) {
      event.stopPropagation();
      return;
    }
    const action = composerAction(event, { text, sendsOnEnter });
    if (action === undefined) {
      if (continueLine(event, event.currentTarget)) event.preventDefault();
      return;
    }
    if (action === "leave") {
      event.stopPropagation();
      leave();
      return;
    }
    if (action === "editLast" && !editLast({ chat, page }, narrow, "composer", t("chat.editTooLate"))) return;
    event.preventDefault();
    if (typeof action === "object") format(action.format);
    else if (action === "preview") togglePreview();
    else if (action === "send") sending.send();
  };
  const onPreviewKeyDown = (event: KeyboardEvent) => {
    const action = composerAction(event, { text, sendsOnEnter });
    if (action !== "preview" && action !== "send") return;
    event.preventDefault();
    if (action === "preview") return togglePreview();
    sending.send();
    returnToField();
  };
  const onPaste = (event: React.ClipboardEvent<HTMLTextAreaElement>) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const files = pastedFiles(event.clipboardData);
    const pasted =
      files.length > 0
        ? undefined
        : pastedText(event.clipboardData, { text: value, start: selectionStart, end: selectionEnd });
    if (files.length === 0 && pasted === undefined) return;
    event.preventDefault();
    if (pasted === undefined) addFiles(files);
    else insertUndoably(pasted);
  };

  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault();
        sending.send();
        if (!IS_TOUCHED) returnToField();
      }}
      // Popovers of the tools are outside the form and handle Escape themselves.
      onKeyDown={(event) => {
        if (event.key !== "Escape" || isComposing(event.nativeEvent)) return;
        if (!event.currentTarget.contains(event.target as Element)) return;
        event.stopPropagation();
        leave();
      }}
      aria-label={t("chat.compose.label")}
    >
      {"channelId" in narrow && (
        <>
          <NotSubscribed channelId={narrow.channelId} />
          <div role="status">{text.includes("@**") && <MentionHints channelId={narrow.channelId} text={text} />}</div>
        </>
      )}
      <UploadList uploads={uploads} />
      {showsFormats && <FormatBar onFormat={format} />}
      {/* Directly before the text, so that Tab leads there. */}
      {narrow.kind === "channel" && topics !== "none" && (
        <TopicField
          id={TOPIC_ID}
          channelId={narrow.channelId}
          className={classes.topic}
          value={topic}
          onChange={draft.setTopic}
          onPick={() => area.current?.focus()}
          onEnter={text.trim() === "" ? () => area.current?.focus() : undefined}
          placeholder={t(topics === "needed" ? "chat.compose.topic" : "chat.compose.topicOrNone")}
          label={t("chat.compose.topic")}
        />
      )}
      <div className={classes.box} data-dropping={isDropping}>
        {isDropping && <p className={classes.drop}>{t("writing.files.drop")}</p>}
        {isPreviewing && <Preview text={text} onKeyDown={onPreviewKeyDown} />}
        <textarea
          hidden={isPreviewing}
          ref={area}
          id={COMPOSER_ID}
          className={classes.text}
          dir="auto"
          value={text}
          rows={1}
          placeholder={placeholder}
          aria-label={placeholder}
          aria-autocomplete="list"
          aria-controls={completions.isOpen ? completions.id : undefined}
          aria-activedescendant={completions.activeId}
          onChange={(event) => {
            draft.setText(event.currentTarget.value);
            completions.onCaret();
            noteTyping(event.currentTarget.value);
            sending.noteTyped();
          }}
          onSelect={completions.onCaret}
          onBlur={completions.close}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {!isPreviewing && <AttachedPictures text={text} onRemove={takeOut} />}
        <Completions completions={completions} onPick={complete} />
        <ComposerTools
          narrow={narrow}
          isPreviewing={isPreviewing}
          showsFormats={showsFormats}
          isEmpty={text.trim() === ""}
          maySend={sending.isPossible && !sending.isAwaited}
          onFiles={addFiles}
          onInsert={draft.insert}
          onTogglePreview={togglePreview}
          onToggleFormats={toggleFormats}
        />
      </div>
      <div className={classes.footer}>
        <span role="status" className={classes.notice}>
          {sending.isAwaited ? t("writing.files.awaited") : notice}
        </span>
        {sending.length !== undefined && (
          <span className={classes.length} data-full={sending.length > sending.maxLength}>
            {t("writing.length", { length: number(sending.length), most: number(sending.maxLength) })}
          </span>
        )}
        <EnterSends
          isOn={sendsOnEnter}
          onChange={(isOn) =>
            void putSendsOnEnter(isOn, sendsOnEnter).catch((error: unknown) => setNotice(errorMessage(error)))
          }
        />
      </div>
    </form>
  );
}

/** Unlike a new value, Ctrl+Z undoes this. */
const insertUndoably = (text: string): void => void document.execCommand("insertText", false, text);

/** Focuses the composer when a conversation opens, unless the user opened it by keyboard to read. */
function useFocusAtOpening(): void {
  const { page } = useChat();
  // The initial value: FeedView resets it when the messages have the focus.
  const [focus] = useState(page.value.focus);
  useEffect(() => {
    // On phones the focus opens the keyboard, so only an explicit request sets it.
    const isWanted = focus === "topic" || window.matchMedia("(pointer: fine)").matches;
    if (focus === "messages" || !isWanted) return;
    const field = document.getElementById(focus === "topic" ? TOPIC_ID : COMPOSER_ID);
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
    field.focus({ preventScroll: true });
    field.setSelectionRange(field.value.length, field.value.length);
  }, [focus]);
}
