import { Button, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Entrance } from "../../../parts/Entrance.tsx";
import { Form } from "../../../parts/Form.tsx";
import { PasswordField } from "../../../parts/PasswordField.tsx";
import { useSubmit } from "../../../parts/use-submit.ts";
import classes from "./SignInPage.module.css";

export function SignInPage({ onSignedIn }: { onSignedIn(): void }) {
  const { t } = useTranslation();
  const client = useClient();
  const [organization, setOrganization] = useState<string>();
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
      ({ realm_name }) => setOrganization(realm_name),
      () => {}, // the page does without the name
    );
  }, [client]);

  const { errors, busy } = submission;
  const title = organization ? t("signIn.titleNamed", { organization }) : t("signIn.title");
  return (
    <Entrance title={title} lead={t("signIn.lead")}>
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
        <Button type="submit" size="lg" loading={busy}>
          {t("signIn.submit")}
        </Button>
      </Form>
      <p className={classes.chat}>{t("signIn.chat", { address: window.location.origin })}</p>
    </Entrance>
  );
}
