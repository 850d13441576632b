import { Popover } from "@mantine/core";
import { Smile, UserRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ColorSchemeSwitch } from "../../parts/ColorSchemeSwitch.tsx";
import { useSaveScheme } from "../Appearance.tsx";
import { PAGE_ACTIONS } from "../actions/page.ts";
import { useActions } from "../actions/use-actions.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { FocusPopover } from "../parts/FocusPopover.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { type OpenCard, useOpenCard } from "../people/open-card.ts";
import { EmojiOf, statusOf } from "../people/StatusEmoji.tsx";
import classes from "./AccountMenu.module.css";

export function AccountMenu() {
  const { t } = useTranslation();
  const { mayManage } = useChat();
  const name = useChatState(({ full_name }) => full_name ?? "");
  const userId = useChatState(({ user_id }) => user_id ?? 0);
  const picture = useChatState(({ avatar_url }) => avatar_url ?? "");
  const status = useChatState((state) => statusOf(state, userId));
  const actions = useActions(PAGE_ACTIONS, "menu", { here: undefined, mayManage });
  const openCard = useOpenCard();
  const saveScheme = useSaveScheme();
  const [isOpen, setOpen] = useState(false);
  const open = (card: OpenCard) => {
    setOpen(false);
    openCard(card);
  };
  return (
    <FocusPopover opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal>
      <Popover.Target>
        <IconButton data-account onClick={() => setOpen(!isOpen)} label={t("chat.account", { name })}>
          <img className={classes.avatar} src={picture} alt="" width={28} height={28} />
        </IconButton>
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
        <ColorSchemeSwitch onChange={saveScheme} />
        {actions.map(({ id, text, Icon, action, run }) =>
          action.href === undefined ? (
            <button
              key={id}
              type="button"
              className={classes.item}
              onClick={() => {
                setOpen(false);
                run();
              }}
            >
              {Icon && <Icon size="1rem" aria-hidden="true" />}
              {text}
            </button>
          ) : (
            <a key={id} className={classes.item} href={action.href} onClick={() => setOpen(false)}>
              {Icon && <Icon size="1rem" aria-hidden="true" />}
              {text}
            </a>
          ),
        )}
      </Popover.Dropdown>
    </FocusPopover>
  );
}
