import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat } from "../chat-context.ts";
import type { Feed } from "../model/feed.ts";
import classes from "./FeedView.module.css";

/** The loading state or error at an end of the loaded messages. */
export function MoreMessages({ feed, end }: { feed: Feed; end: "older" | "newer" }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const hasFailed = useStore(feed.store, ({ failed }) => failed === end);
  const error = useStore(feed.store, (state) => state.error);
  const isLost = useStore(chat.connection, ({ lostAt }) => lostAt !== undefined);
  if (!hasFailed && end === "newer") return null;
  if (isLost) return <p className={classes.edge}>{t(`chat.awaits.${end}`)}</p>;
  if (!hasFailed) return <p className={classes.edge}>{t("chat.loadingOlder")}</p>;
  return (
    <div className={classes.edge}>
      <p>{errorMessage(error)}</p>
      <Button size="xs" variant="default" onClick={() => feed.retry()}>
        {t("chat.outgoing.retry")}
      </Button>
    </div>
  );
}
