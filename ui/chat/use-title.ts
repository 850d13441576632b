import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { State } from "../api/state-shape.ts";
import { useStore } from "../api/store.ts";
import type { Chat } from "./model/chat.ts";
import type { Place } from "./model/narrow.ts";
import { useNarrowTitle } from "./narrow-title.ts";

/** The page's title: how much is unread, where one is, and in which organization. */
export function useTitle(chat: Chat, place: Place): void {
  const { t } = useTranslation();
  const organization = useStore(chat.state, (state) => state?.realm_name ?? "");
  const unread = useStore(chat.state, (state) => state?.unread_msgs?.count ?? 0);
  const narrowTitle = useNarrowTitle();
  const state = useStore(chat.state, (value) => value as State);
  const here = place.page === "inbox" ? t("chat.inbox") : narrowTitle(state, place.narrow);
  useEffect(() => {
    const title = t("chat.title", { place: here, organization });
    document.title = unread > 0 ? t("chat.titleUnread", { count: unread, title }) : title;
  }, [t, here, organization, unread]);
}
