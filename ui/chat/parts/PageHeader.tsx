import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useChat, useChatState } from "../chat-context.ts";
import { HOME_HASH } from "../model/narrow.ts";
import { PanelToggle } from "../panel/PanelToggle.tsx";
import { ChannelSettingsButton } from "../settings/ChannelSettingsButton.tsx";
import { addressIn } from "../use-place.ts";
import classes from "./PageHeader.module.css";

export interface PageHeaderProps {
  title: string;
  icon?: ReactNode;
  /** Below the title, such as the channel of a topic. */
  context?: ReactNode;
  tools?: ReactNode;
}

/** The title of the open place. On a phone, with a link back to the conversations. */
export function PageHeader({ title, icon, context, tools }: PageHeaderProps) {
  const { t } = useTranslation();
  const { chat, place } = useChat();
  const organization = useChatState(({ realm_name }) => realm_name ?? "");
  const narrow = place.page === "messages" ? place.narrow : undefined;
  const channelId = narrow && "channelId" in narrow ? narrow.channelId : undefined;
  return (
    <header className={classes.header}>
      <h1 className={classes.organization}>{organization}</h1>
      <a
        className={classes.back}
        href={channelId === undefined ? HOME_HASH : addressIn(chat.state.value, { page: "topics", channelId })}
        aria-label={t(channelId === undefined ? "chat.back" : "topics.back")}
      >
        <ChevronLeft size="1.375rem" aria-hidden="true" />
      </a>
      {icon && (
        <span className={classes.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <div className={classes.names}>
        <h2 className={classes.title}>
          <bdi>{title}</bdi>
        </h2>
        {context && <p className={classes.context}>{context}</p>}
      </div>
      <div className={classes.tools}>
        {tools}
        {!chat.isSpectator && (
          <>
            <span className={classes.inMenuOnPhones}>
              <ChannelSettingsButton />
            </span>
            <PanelToggle />
          </>
        )}
      </div>
    </header>
  );
}
