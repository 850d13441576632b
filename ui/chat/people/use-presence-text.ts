import { useTranslation } from "react-i18next";
import { relative } from "../../parts/format.ts";
import { useNow } from "../../parts/use-now.ts";
import { useChatState } from "../chat-context.ts";
import { lastSeen } from "../model/people.ts";
import { presenceOf } from "../model/selectors.ts";

/** Says whether a person is online, or when they were last seen. */
export function usePresenceText(userId: number): string {
  const { t } = useTranslation();
  const now = useNow();
  const presence = useChatState((state) => presenceOf(state, userId, now));
  const seen = useChatState((state) => lastSeen(state, userId));
  if (presence !== "offline") return t(`chatPeople.presence.${presence}`);
  return seen === undefined
    ? t("chatPeople.presence.offline")
    : t("chatPeople.lastSeen", { time: relative(seen, now) });
}
