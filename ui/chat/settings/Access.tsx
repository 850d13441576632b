import { Anchor, Button } from "@mantine/core";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { CopyableCode } from "../../parts/CopyableCode.tsx";
import { Form } from "../../parts/Form.tsx";
import { OwnSessions } from "../../parts/OwnSessions.tsx";
import { PasswordField } from "../../parts/PasswordField.tsx";
import { useSubmit } from "../../parts/use-submit.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { ConfirmButton } from "../parts/ConfirmButton.tsx";
import { serverUrl } from "../server-url.ts";
import { OtherDevices } from "./OtherDevices.tsx";
import classes from "./Settings.module.css";
import { zuliprc } from "./zuliprc.ts";

/** Other devices, the API key, and sessions. */
export function Access() {
  const { t } = useTranslation();
  const { chat, mayManage } = useChat();
  const isGuest = useChatState(({ is_guest }) => is_guest === true);
  const username = useChatState(({ delivery_email }) => delivery_email ?? "");
  const email = useChatState((state) => state.email ?? "");
  const [key, setKey] = useState<string>();
  const submission = useSubmit({
    fields: ["password"],
    check: ({ password }) => (password ? {} : { password: t("errors.missing.signInPassword") }),
    async send({ password }) {
      const answer = await chat.client.call("POST /fetch_api_key", { username, password });
      setKey(answer.api_key);
    },
  });

  return (
    <>
      <OtherDevices />
      <section className={classes.group}>
        <h3>{t("ownSettings.access.key")}</h3>
        <p className={classes.hint}>
          {t("ownSettings.access.keyHint")} {!isGuest && t("ownSettings.access.botsHint")}{" "}
          {!isGuest && <Anchor href={`/admin/#${mayManage ? "/bots" : "/own"}`}>{t("chat.bots")}</Anchor>}
        </p>
        {key === undefined ? (
          <Form submission={submission}>
            <PasswordField
              name="password"
              label={t("ownSettings.account.oldPassword")}
              autoComplete="current-password"
              error={submission.errors.password}
            />
            <div className={classes.actions}>
              <BusyButton type="submit" size="sm" busy={submission.busy}>
                {t("ownSettings.access.show")}
              </BusyButton>
            </div>
          </Form>
        ) : (
          <>
            <CopyableCode>{key}</CopyableCode>
            <div className={classes.actions}>
              <Button
                size="sm"
                variant="default"
                component="a"
                href={`data:application/octet-stream,${encodeURIComponent(zuliprc(serverUrl(), email, key))}`}
                download="zuliprc"
                leftSection={<Download size="1rem" aria-hidden="true" />}
              >
                {t("ownSettings.access.zuliprc")}
              </Button>
            </div>
          </>
        )}
      </section>
      <EndEverywhere onNewKey={(fresh) => setKey((before) => (before === undefined ? before : fresh))} />
    </>
  );
}

function EndEverywhere({ onNewKey }: { onNewKey(key: string): void }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const [ended, setEnded] = useState(0);
  const end = async () => {
    const { api_key } = await chat.client.call("POST /users/me/api_key/regenerate", {});
    onNewKey(api_key);
    setEnded((count) => count + 1);
  };
  return (
    <section className={classes.group}>
      <h3>{t("ownSettings.access.sessions")}</h3>
      <p className={classes.hint}>{t("ownSettings.access.sessionsHint")}</p>
      <OwnSessions key={ended} label={t("ownSettings.access.sessions")} />
      <p className={classes.hint}>{t("ownSettings.access.endHint")}</p>
      <div className={classes.actions}>
        <ConfirmButton
          label={t("ownSettings.access.end")}
          confirmLabel={t("ownSettings.access.confirm")}
          onConfirm={end}
        />
        <span role="status" className={classes.hint}>
          {ended > 0 && t("ownSettings.access.ended")}
        </span>
      </div>
    </section>
  );
}
