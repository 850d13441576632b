import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import type { BotRow } from "./bots.ts";
import classes from "./Reactivate.module.css";

/** Says that a bot is deactivated, and brings it back. */
export function Reactivate({ row: { bot } }: { row: BotRow }) {
  const { t } = useTranslation();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const name = bot.full_name;
  const reactivate = async () => {
    setBusy(true);
    try {
      await client.call("POST /users/{user_id}/reactivate", { user_id: bot.user_id });
      noticeDone(t("bots.reactivate.done", { name }));
    } catch (error) {
      noticeError(error);
      setBusy(false);
    }
  };
  return (
    <div className={classes.reactivate}>
      <Callout tone="info">
        <p className={classes.hint}>{t("bots.reactivate.hint")}</p>
        <BusyButton size="compact-sm" busy={busy} onClick={reactivate}>
          {t("bots.reactivate.button", { name })}
        </BusyButton>
      </Callout>
    </div>
  );
}
