import { Menu } from "@mantine/core";
import { CircleHelp, ListTodo, NotepadTextDashed, Type, Vote } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useChat } from "../chat-context.ts";
import type { DraftNarrow } from "../model/drafts.ts";
import type { OpenDialog } from "../page-state.ts";
import { ActionsMenu } from "../parts/ActionsMenu.tsx";

export interface ComposerMenuProps {
  narrow: DraftNarrow;
  showsFormats: boolean;
  onToggleFormats(): void;
}

const ICON = { size: "1rem", "aria-hidden": true } as const;

export function ComposerMenu({ narrow, showsFormats, onToggleFormats }: ComposerMenuProps) {
  const { t } = useTranslation();
  const { page } = useChat();
  const open = (dialog: OpenDialog) => page.update((before) => ({ ...before, dialog }));
  return (
    <ActionsMenu label={t("writing.more")}>
      <Menu.Item leftSection={<Type {...ICON} />} onClick={onToggleFormats}>
        {t(showsFormats ? "writing.hideFormats" : "writing.showFormats")}
      </Menu.Item>
      <Menu.Item leftSection={<NotepadTextDashed {...ICON} />} onClick={() => open({ kind: "snippets", narrow })}>
        {t("writing.snippets.title")}
      </Menu.Item>
      <Menu.Item leftSection={<Vote {...ICON} />} onClick={() => open({ kind: "poll", narrow })}>
        {t("writing.poll.new")}
      </Menu.Item>
      <Menu.Item leftSection={<ListTodo {...ICON} />} onClick={() => open({ kind: "todo", narrow })}>
        {t("writing.todo.new")}
      </Menu.Item>
      <Menu.Item leftSection={<CircleHelp {...ICON} />} onClick={() => open({ kind: "help", section: "formatting" })}>
        {t("help.titles.formatting")}
      </Menu.Item>
    </ActionsMenu>
  );
}
