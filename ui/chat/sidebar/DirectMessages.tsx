import { useTranslation } from "react-i18next";
import { useNow } from "../../parts/use-now.ts";
import { useChatState } from "../chat-context.ts";
import { narrowKey } from "../model/narrow.ts";
import { presenceOf } from "../model/selectors.ts";
import { unreadCounts } from "../model/unread.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { Presence } from "../Presence.tsx";
import { PlaceLink } from "./PlaceLink.tsx";
import classes from "./Sidebar.module.css";

const FEW = 8;

/** The newest direct conversations, and those with unread messages. */
export function DirectMessages() {
  const { t } = useTranslation();
  const state = useChatState((value) => value);
  const narrowTitle = useNarrowTitle();
  const now = useNow();
  const counts = unreadCounts(state);
  const self = state.user_id ?? 0;
  const conversations = (state.recent_private_conversations ?? []).map(({ user_ids }) => ({
    kind: "direct" as const,
    userIds: user_ids.length > 0 ? [...user_ids].sort((a, b) => a - b) : [self],
  }));
  const shown = conversations.filter(
    (narrow, at) => at < FEW || (counts.conversations.get(narrowKey(narrow)) ?? 0) > 0,
  );
  if (shown.length === 0) return <p className={classes.empty}>{t("chat.noDirectMessages")}</p>;
  return (
    <ul className={classes.list}>
      {shown.map((narrow) => {
        const key = narrowKey(narrow);
        const [only, ...others] = narrow.userIds;
        return (
          <PlaceLink
            key={key}
            place={{ page: "messages", narrow }}
            icon={<Presence presence={others.length > 0 ? undefined : presenceOf(state, only ?? 0, now)} />}
            count={counts.conversations.get(key) ?? 0}
            isUrgent
          >
            {narrowTitle(state, narrow)}
          </PlaceLink>
        );
      })}
    </ul>
  );
}
