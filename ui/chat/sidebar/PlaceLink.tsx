import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { number } from "../../parts/format.ts";
import { useChat } from "../chat-context.ts";
import { HOME_HASH, narrowKey, type Place } from "../model/narrow.ts";
import { settingsAt } from "../settings/sections.ts";
import { useActive } from "../use-active.ts";
import { addressIn } from "../use-place.ts";
import classes from "./PlaceLink.module.css";

export interface PlaceLinkProps {
  place: Place;
  icon?: ReactNode;
  /** Unread messages. */
  count?: number;
  /** Whether the count is of messages that are meant for the reader. */
  isUrgent?: boolean;
  isMuted?: boolean;
  /** A topic below its channel. */
  isNested?: boolean;
  /** Beside the name, on hover, by keyboard and where it is open. */
  menu?: ReactNode;
  children: ReactNode;
}

/** A channel's topics and its messages are one line. */
function keyOf(place: Place): string {
  if (place.page === "topics") return narrowKey({ kind: "channel", channelId: place.channelId });
  return place.page === "messages" ? narrowKey(place.narrow) : place.page;
}

/** A line of the sidebar that leads to a place. */
export function PlaceLink({ place, icon, count = 0, isUrgent, isMuted, isNested, menu, children }: PlaceLinkProps) {
  const { t } = useTranslation();
  const { chat, place: here } = useChat();
  const { isActive, handlers } = useActive();
  const isHere =
    keyOf(place) === keyOf(here) &&
    !["", HOME_HASH].includes(window.location.hash) &&
    !settingsAt(window.location.hash);
  return (
    <li className={classes.item} {...handlers}>
      <a
        className={classes.link}
        href={addressIn(chat.state.value, place)}
        aria-current={isHere ? "page" : undefined}
        data-unread={count > 0 && !isMuted}
        data-muted={isMuted}
        data-nested={isNested}
      >
        {icon && (
          <span className={classes.icon} aria-hidden="true">
            {icon}
          </span>
        )}
        <span className={classes.name}>
          <bdi>{children}</bdi>
        </span>
        {count > 0 && (
          <span className={classes.count} data-urgent={isUrgent}>
            <span aria-hidden="true">{number(count)}</span>
            <VisuallyHidden component="span">{t("chat.unread", { count })}</VisuallyHidden>
          </span>
        )}
      </a>
      {menu && isActive && <span className={classes.menu}>{menu}</span>}
    </li>
  );
}
