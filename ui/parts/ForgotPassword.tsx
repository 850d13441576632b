import { Box, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../api/client-context.ts";
import { BusyButton } from "./BusyButton.tsx";
import { Callout } from "./Callout.tsx";
import { Form } from "./Form.tsx";
import { Hint } from "./text/Hint.tsx";
import { useSubmit } from "./use-submit.ts";

/** Sends a password reset link by mail. The response does not tell whether the account exists. */
export function ForgotPassword() {
  const { t } = useTranslation();
  const client = useClient();
  const [sentTo, setSentTo] = useState<string>();
  const submission = useSubmit({
    fields: ["email"],
    check: ({ email }) => (email.trim() ? {} : { email: t("errors.missing.username") }),
    async send({ email }) {
      setSentTo(undefined);
      await client.call("POST /host/reset-mails", { email: email.trim() });
      setSentTo(email.trim());
    },
  });
  return (
    <>
      <Hint my="xs">{t("signIn.forgotMail")}</Hint>
      <Form submission={submission}>
        <TextInput
          name="email"
          type="email"
          label={t("signIn.email")}
          c="var(--mantine-color-text)"
          autoComplete="username"
          error={submission.errors.email}
        />
        <BusyButton type="submit" variant="default" busy={submission.busy}>
          {t("signIn.sendLink")}
        </BusyButton>
      </Form>
      {sentTo !== undefined && (
        <Box mt="sm">
          <Callout tone="info" role="status">
            {t("signIn.linkSent", { email: sentTo })}
          </Callout>
        </Box>
      )}
    </>
  );
}
