import { Button, Popover, Switch, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Smile } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AskingDialog, FormButtons } from "../../parts/AskingDialog.tsx";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { ErrorCallout } from "../../parts/ErrorCallout.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { EmojiPicker } from "../emoji/EmojiPicker.tsx";
import { FocusPopover } from "../parts/FocusPopover.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import classes from "./People.module.css";
import { EmojiOf, type Status, statusOf } from "./StatusEmoji.tsx";

/** docs/protocol.md#limits */
const MAX_LENGTH = 60;

const SUGGESTIONS = [
  ["meeting", "calendar", "1f4c5"],
  ["commuting", "bus", "1f68c"],
  ["sick", "hurt", "1f915"],
  ["vacation", "palm_tree", "1f334"],
  ["home", "house", "1f3e0"],
  ["office", "office", "1f3e2"],
] as const;

type Chosen = Required<Pick<Status, "emoji_name" | "emoji_code" | "reaction_type">>;
const NONE: Chosen = { emoji_name: "", emoji_code: "", reaction_type: "" };
const unicode = (emoji_name: string, emoji_code: string): Chosen => ({
  emoji_name,
  emoji_code,
  reaction_type: "unicode_emoji",
});

/** Sets or clears the viewer's status. */
export function StatusDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const before = useChatState((state) => statusOf(state, chat.userId));
  const isVisible = useChatState(({ user_settings }) => user_settings?.presence_enabled ?? true);
  const [text, setText] = useState(before?.status_text ?? "");
  const [emoji, setEmoji] = useState<Chosen>({ ...NONE, ...before });
  const [isPicking, setPicking] = useState(false);
  const save = useMutation({
    mutationFn: ({ status_text, emoji_name, emoji_code, reaction_type }: Chosen & { status_text: string }) =>
      chat.client.call("POST /users/me/status", { status_text, emoji_name, emoji_code, reaction_type }),
    onSuccess: onClose,
  });
  const show = useMutation({
    mutationFn: (presence_enabled: boolean) => chat.client.call("PATCH /settings", { presence_enabled }),
  });

  return (
    <AskingDialog title={t("chatPeople.status.title")} onClose={onClose}>
      {() => (
        <form
          className={classes.dialogForm}
          onSubmit={(event) => {
            event.preventDefault();
            if (!save.isPending) save.mutate({ ...emoji, status_text: text.trim() });
          }}
        >
          <div className={classes.dialogRow}>
            <FocusPopover opened={isPicking} onChange={setPicking} position="bottom-start">
              <Popover.Target>
                <IconButton
                  variant="default"
                  size={42}
                  onClick={() => setPicking(!isPicking)}
                  label={t("chatPeople.status.emoji")}
                >
                  {emoji.emoji_name ? <EmojiOf status={emoji} /> : <Smile size="1.25rem" aria-hidden="true" />}
                </IconButton>
              </Popover.Target>
              <Popover.Dropdown className={classes.dialogDropdown}>
                <EmojiPicker
                  onPick={({ name, code }) => {
                    setEmoji(unicode(name, code));
                    setPicking(false);
                  }}
                />
              </Popover.Dropdown>
            </FocusPopover>
            <TextInput
              className={classes.dialogText}
              label={t("chatPeople.status.text")}
              value={text}
              maxLength={MAX_LENGTH}
              onChange={(event) => setText(event.currentTarget.value)}
              data-autofocus
            />
          </div>
          <ul className={classes.dialogSuggestions} aria-label={t("chatPeople.status.suggestions")}>
            {SUGGESTIONS.map(([key, name, code]) => (
              <li key={key}>
                <button
                  type="button"
                  onClick={() => {
                    setText(t(`chatPeople.status.ideas.${key}`));
                    setEmoji(unicode(name, code));
                  }}
                >
                  <EmojiOf status={unicode(name, code)} />
                  {t(`chatPeople.status.ideas.${key}`)}
                </button>
              </li>
            ))}
          </ul>
          <Switch
            label={t("chatPeople.status.invisible")}
            description={t("chatPeople.status.invisibleHint")}
            checked={!isVisible}
            onChange={(event) => show.mutate(!event.currentTarget.checked)}
          />
          <ErrorCallout error={save.error ?? show.error} />
          <div className={classes.dialogActions}>
            <FormButtons>
              {before && (before.emoji_name || before.status_text) && (
                <Button variant="default" onClick={() => save.mutate({ ...NONE, status_text: "" })}>
                  {t("chatPeople.status.clear")}
                </Button>
              )}
              <BusyButton type="submit" busy={save.isPending}>
                {t("chatPeople.status.save")}
              </BusyButton>
            </FormButtons>
          </div>
        </form>
      )}
    </AskingDialog>
  );
}
