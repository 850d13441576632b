import { ActionIcon, Popover } from "@mantine/core";
import { LogOut, Settings, UserRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ColorSchemeSwitch } from "../../parts/ColorSchemeSwitch.tsx";
import { useChatState } from "../chat-context.ts";
import classes from "./AccountMenu.module.css";

export function AccountMenu({ mayManage, onSignOut }: { mayManage: boolean; onSignOut(): void }) {
  const { t } = useTranslation();
  const name = useChatState(({ full_name }) => full_name ?? "");
  const picture = useChatState(({ avatar_url }) => avatar_url ?? "");
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("chat.account", { name })}>
          <img className={classes.avatar} src={picture} alt="" width={28} height={28} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu}>
        <p className={classes.name}>
          <UserRound size="1rem" aria-hidden="true" />
          <bdi>{name}</bdi>
        </p>
        <ColorSchemeSwitch />
        {mayManage && (
          <a className={classes.item} href="/admin/">
            <Settings size="1rem" aria-hidden="true" />
            {t("chat.manage")}
          </a>
        )}
        <button type="button" className={classes.item} onClick={onSignOut}>
          <LogOut size="1rem" aria-hidden="true" />
          {t("chat.signOut")}
        </button>
      </Popover.Dropdown>
    </Popover>
  );
}
