import { useTranslation } from "react-i18next";
import { useNow } from "../../parts/use-now.ts";
import { useChatState } from "../chat-context.ts";
import { type Narrow, narrowKey } from "../model/narrow.ts";
import { personById, presenceOf } from "../model/selectors.ts";
import { unreadCounts } from "../model/unread.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { Presence } from "../parts/Presence.tsx";
import { PlaceLink } from "./PlaceLink.tsx";
import classes from "./Sidebar.module.css";

const FEW = 8;

/** The newest direct conversations, and all with unread messages. */
export function DirectMessages() {
  const { t } = useTranslation();
  const counts = useChatState(unreadCounts);
  const self = useChatState(({ user_id }) => user_id ?? 0);
  const recent = useChatState(({ recent_private_conversations }) => recent_private_conversations);
  const conversations = (recent ?? []).map(({ user_ids }) => ({
    kind: "direct" as const,
    userIds: user_ids.length > 0 ? [...user_ids].sort((a, b) => a - b) : [self],
  }));
  const countOf = (narrow: DirectNarrow) => counts.conversations.get(narrowKey(narrow)) ?? 0;
  const shown = conversations.filter((narrow, at) => at < FEW || countOf(narrow) > 0);
  if (shown.length === 0) return <p className={classes.empty}>{t("chat.noDirectMessages")}</p>;
  return (
    <ul className={classes.list}>
      {shown.map((narrow) => (
        <DirectLine key={narrowKey(narrow)} narrow={narrow} count={countOf(narrow)} />
      ))}
    </ul>
  );
}

type DirectNarrow = Extract<Narrow, { kind: "direct" }>;

function DirectLine({ narrow, count }: { narrow: DirectNarrow; count: number }) {
  const now = useNow();
  const [only, ...others] = narrow.userIds;
  const presence = useChatState((state) => {
    if (only === undefined || others.length > 0) return undefined;
    return personById(state, only)?.is_bot ? "bot" : presenceOf(state, only, now);
  });
  const narrowTitle = useNarrowTitle();
  const title = useChatState((state) => narrowTitle(state, narrow));
  return (
    <PlaceLink place={{ page: "messages", narrow }} icon={<Presence presence={presence} />} count={count} isUrgent>
      {title}
    </PlaceLink>
  );
}
