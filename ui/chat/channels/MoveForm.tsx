import { Button } from "@mantine/core";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { isSameTopic } from "../../parts/folded.ts";
import { focusBeneath } from "../../parts/kept-focus.ts";
import { useChat, useChatState, usePageState } from "../chat-context.ts";
import { focusMessages } from "../feed/selection.ts";
import { loadMarking } from "../feed/use-mark-read.ts";
import type { Move } from "../page-state.ts";
import classes from "./MoveForm.module.css";
import { TopicField } from "./TopicField.tsx";

const MODES = { change_one: "only", change_later: "later", change_all: "all" } as const;

/** Above the messages: renames a topic, or moves messages to another topic or channel. */
export function MoveForm() {
  const move = usePageState((page) => page.move);
  return move ? <OpenMoveForm key={`${move.messageId} ${move.mode}`} move={move} /> : null;
}

function OpenMoveForm({ move }: { move: Move }) {
  const { t } = useTranslation();
  const { chat, page, go } = useChat();
  const [topic, setTopic] = useState(move.topic);
  const [channelId, setChannelId] = useState(move.channelId);
  const [mode, setMode] = useState(move.mode);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const channels = useChatState((state) => state.subscriptions ?? []);
  const topicId = useId();
  const isUnchanged = topic.trim() === move.topic && channelId === move.channelId;
  const close = () => {
    page.update((before) => ({ ...before, move: undefined }));
  };
  useFocusReturn(move.messageId);

  const submit = async () => {
    if (isUnchanged) return close();
    setBusy(true);
    setError(undefined);
    try {
      const name = topic.trim();
      const from = { kind: "topic", channelId: move.channelId, topic: move.topic } as const;
      const to = { kind: "topic", channelId, topic: name } as const;
      const { moveMessages } = await loadMarking();
      await moveMessages({ chat }, { messageId: move.messageId, mode, from, to }, "moved");
      close();
      const isRename = isSameTopic(name, move.topic) && channelId === move.channelId;
      if (!isRename || mode === "change_all") go({ page: "messages", narrow: to, near: move.messageId }, "messages");
    } catch (caught) {
      setError(errorMessage(caught));
      setBusy(false);
    }
  };

  return (
    <form
      className={classes.form}
      aria-label={t("topics.moveTitle")}
      data-keeps-keys
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      <label className={classes.field}>
        <span>{t("topics.channel")}</span>
        <select value={channelId} onChange={(event) => setChannelId(Number(event.currentTarget.value))}>
          {channels.map(({ stream_id, name }) => (
            <option key={stream_id} value={stream_id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div className={`${classes.field} ${classes.topic}`}>
        <label htmlFor={topicId}>{t("chat.compose.topic")}</label>
        <TopicField
          id={topicId}
          channelId={channelId}
          value={topic}
          onChange={setTopic}
          label={t("chat.compose.topic")}
          ref={selectAll}
        />
      </div>
      <label className={classes.field}>
        <span>{t("topics.which")}</span>
        <select value={mode} onChange={(event) => setMode(event.currentTarget.value as Move["mode"])}>
          {Object.entries(MODES).map(([value, text]) => (
            <option key={value} value={value}>
              {t(`topics.modes.${text}`)}
            </option>
          ))}
        </select>
      </label>
      <div className={classes.actions}>
        <Button size="xs" variant="default" onClick={close}>
          {t("chat.cancel")}
        </Button>
        <BusyButton size="xs" type="submit" busy={busy}>
          {t("topics.move")}
        </BusyButton>
      </div>
      {error && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </form>
  );
}

/** Returns the focus to its earlier place or to the message when the form closes. */
function useFocusReturn(messageId: number): void {
  const [opener] = useState(focusBeneath);
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return;
      opener?.focus({ preventScroll: true });
      if (document.activeElement === document.body) focusMessages(messageId);
    },
    [opener, messageId],
  );
}

function selectAll(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
