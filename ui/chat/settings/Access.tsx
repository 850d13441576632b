import { Button } from "@mantine/core";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { CopyableCode } from "../../parts/CopyableCode.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { Form } from "../../parts/Form.tsx";
import { OwnSessions } from "../../parts/OwnSessions.tsx";
import { PasswordField } from "../../parts/PasswordField.tsx";
import { useSubmit } from "../../parts/use-submit.ts";
import { AskedTwice } from "../AskedTwice.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { OtherDevices } from "./OtherDevices.tsx";
import classes from "./Settings.module.css";
import { zuliprc } from "./zuliprc.ts";

/** The chat on other devices, one's API key for programs, and the end of all other sign-ins. */
export function Access() {
  const { t } = useTranslation();
  const { chat } = useChat();
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
        <p className={classes.hint}>{t("ownSettings.access.keyHint")}</p>
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
                href={`data:application/octet-stream,${encodeURIComponent(zuliprc(window.location.origin, email, key))}`}
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
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<string>();
  const [ended, setEnded] = useState(0);
  const end = async () => {
    setBusy(true);
    try {
      const { api_key } = await chat.client.call("POST /users/me/api_key/regenerate", {});
      onNewKey(api_key);
      setEnded((count) => count + 1);
      setOutcome(t("ownSettings.access.ended"));
      return true;
    } catch (error) {
      setOutcome(errorMessage(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={classes.group}>
      <h3>{t("ownSettings.access.sessions")}</h3>
      <p className={classes.hint}>{t("ownSettings.access.sessionsHint")}</p>
      <OwnSessions key={ended} label={t("ownSettings.access.sessions")} />
      <p className={classes.hint}>{t("ownSettings.access.endHint")}</p>
      <div className={classes.actions}>
        <AskedTwice
          label={t("ownSettings.access.end")}
          sureLabel={t("ownSettings.access.confirm")}
          busy={busy}
          onSure={end}
        />
        <span role="status" className={classes.hint}>
          {outcome}
        </span>
      </div>
    </section>
  );
}
