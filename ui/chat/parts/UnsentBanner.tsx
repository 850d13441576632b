import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { type Narrow, narrowKey } from "../model/narrow.ts";
import { conversationAt, isFor } from "../model/outbox.ts";
import { channelById } from "../model/selectors.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import classes from "./Banners.module.css";

/** Reports refused messages of other conversations, and leads to the oldest one. */
export function UnsentBanner() {
  const { chat, place } = useChat();
  const outgoing = useStore(chat.outbox.store, (all) => all);
  const shown = place.page === "messages" ? place.narrow : undefined;
  const unsent = outgoing.filter(({ state, to }) => state === "failed" && !(shown && isFor(shown, to)));
  const [first] = unsent;
  return first && <Unsent narrow={conversationAt(first.to)} count={unsent.length} />;
}

/** `narrow` is the conversation of the oldest message. */
function Unsent({ narrow, count }: { narrow: Narrow; count: number }) {
  const { t } = useTranslation();
  const { page, go } = useChat();
  const narrowTitle = useNarrowTitle();
  const title = useChatState((state) => narrowTitle(state, narrow));
  const channel = useChatState((state) =>
    "channelId" in narrow ? channelById(state, narrow.channelId)?.name : undefined,
  );
  const open = () => {
    page.update((before) => ({ ...before, sentTo: narrowKey(narrow) }));
    go({ page: "messages", narrow });
  };
  return (
    <div className={classes.banner}>
      <p className={classes.text}>
        {t("chat.unsent", { count, place: channel === undefined ? title : `${channel} › ${title}` })}
      </p>
      <Button size="compact-sm" variant="default" onClick={open}>
        {t("chat.toUnsent", { count })}
      </Button>
    </div>
  );
}
