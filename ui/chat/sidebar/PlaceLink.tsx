import type { ReactNode } from "react";
import { useChat } from "../chat-context.ts";
import { HOME_HASH, narrowKey, type Place } from "../model/narrow.ts";
import { useIsPhone } from "../parts/is-phone.ts";
import { keepInView } from "../parts/keep-in-view.ts";
import { MentionMark, UnreadCount } from "../parts/UnreadCount.tsx";
import { useActive } from "../parts/use-active.ts";
import { settingsAt } from "../settings/sections.ts";
import { addressIn, useHash } from "../use-place.ts";
import classes from "./PlaceLink.module.css";

export interface PlaceLinkProps extends Omit<LineProps, "href" | "isHere"> {
  place: Place;
}

export interface LineProps {
  href: string;
  isHere: boolean;
  icon?: ReactNode;
  count?: number;
  /** Whether the unread messages are for the reader personally. */
  isUrgent?: boolean;
  isMuted?: boolean;
  isMentioned?: boolean;
  isNested?: boolean;
  /** Visible on hover, with the focus inside, and while it is open. */
  menu?: ReactNode;
  children: ReactNode;
}

/** The topics and the messages of a channel share a line. */
function keyOf(place: Place): string {
  if (place.page === "topics") return narrowKey({ kind: "channel", channelId: place.channelId });
  return place.page === "messages" ? narrowKey(place.narrow) : place.page;
}

/** The key of the open place. Undefined for settings, and for the list of conversations on a phone. */
export function useHereKey(): string | undefined {
  const { place } = useChat();
  const hash = useHash();
  const isAlone = useIsPhone() && ["", HOME_HASH].includes(hash);
  return isAlone || settingsAt(hash) ? undefined : keyOf(place);
}

export function PlaceLink({ place, ...line }: PlaceLinkProps) {
  const { chat } = useChat();
  return <Line href={addressIn(chat.state.value, place)} isHere={useHereKey() === keyOf(place)} {...line} />;
}

/** Depends only on its props, because there may be thousands of lines. */
export function Line({
  href,
  isHere,
  icon,
  count = 0,
  isUrgent,
  isMuted,
  isMentioned,
  isNested,
  menu,
  children,
}: LineProps) {
  const { isActive, handlers } = useActive();
  return (
    <li className={classes.item} {...handlers}>
      <a
        ref={isHere ? keepInView : undefined}
        className={classes.link}
        href={href}
        aria-current={isHere ? "page" : undefined}
        data-unread={count > 0 && !isMuted}
        data-muted={isMuted}
        data-nested={isNested}
        data-menu={Boolean(menu) && isActive}
      >
        {icon && (
          <span className={classes.icon} aria-hidden="true">
            {icon}
          </span>
        )}
        <span className={classes.name}>
          <bdi>{children}</bdi>
        </span>
        {isMentioned && <MentionMark />}
        {count > 0 && <UnreadCount count={count} className={classes.count} isUrgent={isUrgent} />}
      </a>
      {menu && isActive && <span className={classes.menu}>{menu}</span>}
    </li>
  );
}
