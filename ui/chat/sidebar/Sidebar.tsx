import { ActionIcon } from "@mantine/core";
import { AtSign, Inbox, Plus, Search, Star } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChat, useChatState } from "../chat-context.ts";
import { INBOX, type Narrow } from "../model/narrow.ts";
import { channelGroups, unreadCounts } from "../model/selectors.ts";
import { AccountMenu } from "./AccountMenu.tsx";
import { BrowseChannels } from "./BrowseChannels.tsx";
import { ChannelItem } from "./ChannelItem.tsx";
import { DirectMessages } from "./DirectMessages.tsx";
import { NewDirectMessage } from "./NewDirectMessage.tsx";
import { PlaceLink } from "./PlaceLink.tsx";
import classes from "./Sidebar.module.css";

export interface SidebarProps {
  mayManage: boolean;
  onSignOut(): void;
}

type OpenDialog = "direct" | "channels";
const MENTIONS: Narrow = { kind: "mentions" };
const STARRED: Narrow = { kind: "starred" };

export function Sidebar({ mayManage, onSignOut }: SidebarProps) {
  const { t } = useTranslation();
  const { go } = useChat();
  const state = useChatState((value) => value);
  const [dialog, setDialog] = useState<OpenDialog>();
  const mentions = state.unread_msgs?.mentions.length ?? 0;

  const search = (form: HTMLFormElement) => {
    const text = String(new FormData(form).get("search") ?? "").trim();
    if (text !== "") go({ page: "messages", narrow: { kind: "search", text } });
  };

  return (
    <div className={classes.sidebar}>
      <header className={classes.header}>
        <img className={classes.picture} src={state.realm_icon_url} alt="" width={32} height={32} />
        <h1 className={classes.organization}>
          <bdi>{state.realm_name}</bdi>
        </h1>
        <AccountMenu mayManage={mayManage} onSignOut={onSignOut} />
      </header>
      <search>
        <form
          className={classes.search}
          onSubmit={(event) => {
            event.preventDefault();
            search(event.currentTarget);
          }}
        >
          <Search size="1rem" aria-hidden="true" />
          <input name="search" type="search" placeholder={t("chat.search")} aria-label={t("chat.search")} />
        </form>
      </search>
      <div className={classes.scroll}>
        <ul className={classes.list}>
          <PlaceLink place={INBOX} icon={<Inbox size="1.0625rem" />} count={state.unread_msgs?.count ?? 0}>
            {t("chat.inbox")}
          </PlaceLink>
          <PlaceLink
            place={{ page: "messages", narrow: MENTIONS }}
            icon={<AtSign size="1.0625rem" />}
            count={mentions}
            isUrgent
          >
            {t("chat.mentions")}
          </PlaceLink>
          <PlaceLink place={{ page: "messages", narrow: STARRED }} icon={<Star size="1.0625rem" />}>
            {t("chat.starred")}
          </PlaceLink>
        </ul>
        <Section
          title={t("chat.directMessages")}
          action={t("chat.newDirectMessage")}
          onAction={() => setDialog("direct")}
        >
          <DirectMessages />
        </Section>
        <Section title={t("chat.channels")} action={t("chat.browseChannels")} onAction={() => setDialog("channels")}>
          <Channels />
        </Section>
      </div>
      {dialog === "direct" && <NewDirectMessage onClose={() => setDialog(undefined)} />}
      {dialog === "channels" && <BrowseChannels onClose={() => setDialog(undefined)} />}
    </div>
  );
}

function Channels() {
  const { t } = useTranslation();
  const state = useChatState((value) => value);
  const counts = unreadCounts(state);
  const groups = channelGroups(state);
  if (groups.length === 0) return <p className={classes.empty}>{t("chat.noChannels")}</p>;
  return groups.map(({ key, folder, channels }) => (
    <div key={key} className={classes.group}>
      {folder !== undefined && <h3 className={classes.folder}>{folder}</h3>}
      <ul className={classes.list}>
        {channels.map((channel) => (
          <ChannelItem key={channel.stream_id} channel={channel} counts={counts} />
        ))}
      </ul>
    </div>
  ));
}

interface SectionProps {
  title: string;
  /** What the button beside the title does. */
  action: string;
  onAction(): void;
  children: ReactNode;
}

function Section({ title, action, onAction, children }: SectionProps) {
  return (
    <section className={classes.section}>
      <div className={classes.sectionHeader}>
        <h2>{title}</h2>
        <ActionIcon variant="subtle" color="gray" size="sm" onClick={onAction} aria-label={action} title={action}>
          <Plus size="1rem" aria-hidden="true" />
        </ActionIcon>
      </div>
      {children}
    </section>
  );
}
