import { Popover } from "@mantine/core";
import { CalendarClock, Eye, Paperclip, PencilLine, SendHorizontal, Smile } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChat } from "../chat-context.ts";
import { EmojiPicker } from "../emoji/EmojiPicker.tsx";
import type { DraftNarrow } from "../model/drafts.ts";
import { FocusPopover } from "../parts/FocusPopover.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import classes from "./Composer.module.css";
import { ComposerMenu } from "./ComposerMenu.tsx";

export interface ComposerToolsProps {
  narrow: DraftNarrow;
  isPreviewing: boolean;
  showsFormats: boolean;
  isEmpty: boolean;
  maySend: boolean;
  onFiles(files: readonly File[]): void;
  onInsert(text: string): void;
  onTogglePreview(): void;
  onToggleFormats(): void;
}

const ICON = { size: "1.0625rem", "aria-hidden": true } as const;

export function ComposerTools(props: ComposerToolsProps) {
  const { narrow, isPreviewing, showsFormats, isEmpty, maySend } = props;
  const { onFiles, onInsert, onTogglePreview, onToggleFormats } = props;
  const { t } = useTranslation();
  const { page } = useChat();
  const [isPicking, setPicking] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  return (
    <div className={classes.tools}>
      <input
        ref={file}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      <Tool label={t("chat.compose.attach")} onClick={() => file.current?.click()}>
        <Paperclip {...ICON} />
      </Tool>
      <Tool
        label={t(isPreviewing ? "writing.writeOn" : "writing.preview")}
        onClick={onTogglePreview}
        isPressed={isPreviewing}
      >
        {isPreviewing ? <PencilLine {...ICON} /> : <Eye {...ICON} />}
      </Tool>
      <FocusPopover opened={isPicking} onChange={setPicking} position="top-end">
        <Popover.Target>
          <IconButton onClick={() => setPicking(!isPicking)} label={t("chat.compose.emoji")}>
            <Smile size="1.125rem" aria-hidden="true" />
          </IconButton>
        </Popover.Target>
        <Popover.Dropdown className={classes.dropdown}>
          <EmojiPicker
            onPick={({ name }) => {
              setPicking(false);
              onInsert(`:${name}: `);
            }}
          />
        </Popover.Dropdown>
      </FocusPopover>
      <ComposerMenu narrow={narrow} showsFormats={showsFormats} onToggleFormats={onToggleFormats} />
      <Tool
        label={t("writing.sendLater")}
        isDisabled={isEmpty}
        onClick={() => {
          if (!isEmpty) page.update((before) => ({ ...before, dialog: { kind: "schedule", narrow } }));
        }}
      >
        <CalendarClock {...ICON} />
      </Tool>
      <IconButton
        variant="filled"
        type="submit"
        label={t("chat.compose.send")}
        aria-disabled={!maySend}
        className={classes.send}
        onMouseDown={(event) => event.preventDefault()} // keeps the focus in the field, and a phone's keyboard open
      >
        <SendHorizontal {...ICON} />
      </IconButton>
    </div>
  );
}

interface ToolProps {
  label: string;
  onClick(): void;
  isPressed?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
}

const Tool = ({ label, onClick, isPressed, isDisabled, children }: ToolProps) => (
  <IconButton onClick={onClick} aria-pressed={isPressed} aria-disabled={isDisabled} label={label}>
    {children}
  </IconButton>
);
