import { ActionIcon, Popover } from "@mantine/core";
import { CheckCheck, CircleHelp, LogOut, Settings, Smile, UserPlus, UserRound, Wrench } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { mayInvite } from "../../parts/allowed-invitations.ts";
import { ColorSchemeSwitch } from "../../parts/ColorSchemeSwitch.tsx";
import { useSaveScheme } from "../Appearance.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { FocusPopover } from "../FocusPopover.tsx";
import { isSomethingUnread } from "../model/unread.ts";
import { useOpenCard } from "../people/open-card.ts";
import { EmojiOf, statusOf } from "../people/StatusEmoji.tsx";
import { useMarkRead } from "../reading/use-mark-read.ts";
import { addressOfSettings } from "../settings/sections.ts";
import classes from "./AccountMenu.module.css";

/** The button; Mantine gives it an id of its own. */
export const ACCOUNT_BUTTON = "[data-account]";

export function AccountMenu({ mayManage, onSignOut }: { mayManage: boolean; onSignOut(): void }) {
  const { t } = useTranslation();
  const { page } = useChat();
  const name = useChatState(({ full_name }) => full_name ?? "");
  const userId = useChatState(({ user_id }) => user_id ?? 0);
  const invites = useChatState(mayInvite);
  const status = useChatState((state) => statusOf(state, userId));
  const hasUnread = useChatState(isSomethingUnread);
  const markRead = useMarkRead();
  const openCard = useOpenCard();
  const saveScheme = useSaveScheme();
  const [isOpen, setOpen] = useState(false);
  const open = (dialog: Parameters<typeof openCard>[0]) => {
    setOpen(false);
    openCard(dialog);
  };
  const picture = useChatState(({ avatar_url }) => avatar_url ?? "");
  return (
    <FocusPopover opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal>
      <Popover.Target>
        <ActionIcon
          data-account
          variant="subtle"
          color="gray"
          size="lg"
          onClick={() => setOpen(!isOpen)}
          aria-label={t("chat.account", { name })}
        >
          <img className={classes.avatar} src={picture} alt="" width={28} height={28} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu}>
        <button type="button" className={classes.item} data-own="true" onClick={() => open({ kind: "person", userId })}>
          <UserRound size="1rem" aria-hidden="true" />
          <bdi>{name}</bdi>
        </button>
        <button type="button" className={classes.item} onClick={() => open({ kind: "status" })}>
          {status?.emoji_name ? <EmojiOf status={status} /> : <Smile size="1rem" aria-hidden="true" />}
          <bdi>{status?.status_text || t("chatPeople.status.set")}</bdi>
        </button>
        {hasUnread && (
          <button
            type="button"
            className={classes.item}
            onClick={() => {
              setOpen(false);
              markRead({ kind: "everything" });
            }}
          >
            <CheckCheck size="1rem" aria-hidden="true" />
            {t("chat.markEverythingRead")}
          </button>
        )}
        <ColorSchemeSwitch onChange={saveScheme} />
        <a className={classes.item} href={addressOfSettings("profile")} onClick={() => setOpen(false)}>
          <Settings size="1rem" aria-hidden="true" />
          {t("ownSettingsNames.title")}
        </a>
        <button
          type="button"
          className={classes.item}
          onClick={() => {
            setOpen(false);
            page.update((before) => ({ ...before, dialog: { kind: "help", section: "keys" } }));
          }}
        >
          <CircleHelp size="1rem" aria-hidden="true" />
          {t("help.title")}
        </button>
        {invites && (
          <a className={classes.item} href="/admin/#/invitations?do=invite">
            <UserPlus size="1rem" aria-hidden="true" />
            {t("chat.invite")}
          </a>
        )}
        {mayManage && (
          <a className={classes.item} href="/admin/">
            <Wrench size="1rem" aria-hidden="true" />
            {t("chat.manage")}
          </a>
        )}
        <button type="button" className={classes.item} onClick={onSignOut}>
          <LogOut size="1rem" aria-hidden="true" />
          {t("chat.signOut")}
        </button>
      </Popover.Dropdown>
    </FocusPopover>
  );
}
