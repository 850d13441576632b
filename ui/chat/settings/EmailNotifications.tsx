import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat, useChatState } from "../chat-context.ts";
import classes from "./Settings.module.css";
import { SettingsGroup } from "./SettingsGroup.tsx";

/** Mails about messages and sign-ins, while the server sends mails. */
export function EmailNotifications() {
  const isOn = useChatState((state) => state.realm_sends_email === true);
  return isOn ? (
    <SettingsGroup group="email">
      <Refused />
      <Test />
    </SettingsGroup>
  ) : null;
}

const FAILING = "GET /host/failing-addresses";

/** The mail server refused the person's address. */
function Refused() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const queries = useQueryClient();
  const self = useChatState(({ user_id }) => user_id);
  const { data } = useQuery({ queryKey: [FAILING], queryFn: ({ signal }) => chat.client.call(FAILING, {}, signal) });
  const retry = useMutation({
    mutationFn: (user_id: number) => chat.client.call("DELETE /host/failing-addresses/{user_id}", { user_id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [FAILING] }),
  });
  const own = data?.failing_addresses.find(({ user_id }) => user_id === self);
  if (!own) return null;
  return (
    <Callout
      tone="warning"
      action={
        <Button size="compact-sm" variant="default" onClick={() => retry.mutate(own.user_id)}>
          {t("ownSettings.email.retry")}
        </Button>
      }
    >
      {t("ownSettings.email.refused", { response: own.response ?? "" })}
    </Callout>
  );
}

function Test() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: () => chat.client.call("POST /host/mail/own-test", {}),
    onSuccess: () => queries.invalidateQueries({ queryKey: [FAILING] }),
  });
  return (
    <>
      <p className={classes.hint}>{t("ownSettings.email.hint")}</p>
      <div className={classes.actions}>
        <BusyButton size="sm" variant="default" busy={test.isPending} onClick={() => test.mutate()}>
          {t("ownSettings.email.test")}
        </BusyButton>
      </div>
      {test.error && (
        <Callout tone="error" role="alert">
          {errorMessage(test.error)}
        </Callout>
      )}
      {test.data && (
        <Callout tone={test.data.is_sent ? "info" : "error"} role="status">
          {test.data.is_sent
            ? t("ownSettings.email.sent", { email: test.data.to })
            : test.data.response !== null
              ? t("ownSettings.email.refused", { response: test.data.response })
              : t("ownSettings.email.failed")}
        </Callout>
      )}
    </>
  );
}
