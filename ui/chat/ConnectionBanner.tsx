import { useTranslation } from "react-i18next";
import { useStore } from "../api/store.ts";
import classes from "./ConnectionBanner.module.css";
import { useChat } from "./chat-context.ts";

/** Says that the server does not answer; what is written meanwhile waits in this browser. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const isLost = useStore(chat.connection, ({ lostAt }) => lostAt !== undefined);
  return (
    <div role="status" className={classes.region}>
      {isLost && <p className={classes.banner}>{t("chat.connectionLost")}</p>}
    </div>
  );
}
