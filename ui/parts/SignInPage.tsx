import { Box, TextInput } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../api/client-context.ts";
import { AuthLayout } from "./AuthLayout.tsx";
import { BusyButton } from "./BusyButton.tsx";
import { Callout } from "./Callout.tsx";
import { CopyableCode } from "./CopyableCode.tsx";
import { ForgotPassword } from "./ForgotPassword.tsx";
import { Form } from "./Form.tsx";
import { PasswordField } from "./PasswordField.tsx";
import { Hint } from "./text/Hint.tsx";
import { useSubmit } from "./use-submit.ts";

/** As server/host/supervisor/cli.ts takes it. */
const SIGN_IN_LINK_COMMAND = "npm run --silent hearth -- sign-in-link --data DIR --email EMAIL";

export interface SignInPageProps {
  lead: string;
  audience: "operators" | "members";
  hint: ReactNode;
  /** The session expired without a sign-out. */
  sessionEnded: boolean;
  onSignedIn(): void;
}

export function SignInPage({ lead, audience, hint, sessionEnded, onSignedIn }: SignInPageProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [organization, setOrganization] = useState<string>();
  const [sendsEmail, setSendsEmail] = useState(false);
  const submission = useSubmit({
    fields: ["username", "password"],
    check: ({ username, password }) => ({
      ...(!username.trim() && { username: t("errors.missing.username") }),
      ...(!password && { password: t("errors.missing.signInPassword") }),
    }),
    async send({ username, password }) {
      await client.call("POST /host/session", { username: username.trim(), password });
      onSignedIn();
    },
  });

  useEffect(() => {
    client.call("GET /server_settings", {}).then(
      ({ realm_name, realm_sends_email }) => {
        setOrganization(realm_name);
        setSendsEmail(realm_sends_email);
      },
      () => {}, // the title then lacks the name
    );
  }, [client]);

  const { errors, busy } = submission;
  const title = organization ? t("signIn.titleNamed", { organization }) : t("signIn.title");
  return (
    <AuthLayout title={title} lead={lead} audience={audience}>
      {sessionEnded && (
        <Box mt="lg">
          <Callout tone="info" role="alert">
            {t("signIn.ended")}
          </Callout>
        </Box>
      )}
      <Form submission={submission}>
        <TextInput
          name="username"
          type="email"
          label={t("signIn.email")}
          autoComplete="username"
          error={errors.username}
          autoFocus
        />
        <PasswordField
          name="password"
          label={t("password.label")}
          autoComplete="current-password"
          error={errors.password}
        />
        <BusyButton type="submit" size="lg" busy={busy}>
          {t("signIn.submit")}
        </BusyButton>
      </Form>
      <Box component="details" mt="lg" fz="sm" c="dimmed">
        <summary style={{ cursor: "pointer" }}>{t("signIn.forgot")}</summary>
        {sendsEmail && <ForgotPassword />}
        <Hint my="xs">{t(sendsEmail ? "signIn.forgotAskInstead" : "signIn.forgotAsk")}</Hint>
        {audience === "operators" && (
          <>
            <Hint my="xs">{t("signIn.forgotHere")}</Hint>
            <CopyableCode>{SIGN_IN_LINK_COMMAND}</CopyableCode>
          </>
        )}
      </Box>
      <Hint mt="lg" pt="md" styles={{ root: { borderBlockStart: "1px solid var(--hearth-line)" } }}>
        {hint}
      </Hint>
    </AuthLayout>
  );
}
