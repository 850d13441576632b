import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { timeOrDay } from "../../parts/format.ts";
import { useChat } from "../chat-context.ts";
import { opensOffline } from "../offline/register.ts";
import classes from "./Banners.module.css";

/** Reports that the server does not respond, or only over HTTPS. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const { lostAt, copiedAt, needsHttps } = useStore(chat.connection, (value) => value);
  return (
    <div role="status" className={classes.region}>
      {lostAt !== undefined && (
        <div className={classes.banner}>
          <p className={classes.text}>
            {needsHttps ? t("app.needsHttps") : t("chat.connectionLost")}{" "}
            {copiedAt !== undefined && t("chat.copiedAt", { time: timeOrDay(copiedAt, Date.now()) })}
            {!needsHttps && !opensOffline() && t("chat.keepOpen")}
          </p>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => (needsHttps ? window.location.reload() : chat.tryNow())}
          >
            {t(needsHttps ? "app.reload" : "chat.tryNow")}
          </Button>
        </div>
      )}
    </div>
  );
}
