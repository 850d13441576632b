import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useChat, useChatState } from "./chat-context.ts";
import { shownCount } from "./model/notifications.ts";
import { usePlaceTitle } from "./narrow-title.ts";

/** Sets the document's title: unread count, place and organization. */
export function PageTitle() {
  const { t } = useTranslation();
  const { place } = useChat();
  const placeTitle = usePlaceTitle();
  const organization = useChatState(({ realm_name }) => realm_name ?? "");
  const unread = useChatState(shownCount);
  const here = useChatState((state) => placeTitle(state, place));
  useEffect(() => {
    const title = t("chat.title", { place: here, organization });
    document.title = unread > 0 ? t("chat.titleUnread", { count: unread, title }) : title;
  }, [t, here, organization, unread]);
  return null;
}
