import { Button, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../api/client-context.ts";
import { AuthLayout } from "../parts/AuthLayout.tsx";
import { Form } from "../parts/Form.tsx";
import { LiveRegion } from "../parts/LiveRegion.tsx";
import { NewPasswordField } from "../parts/NewPasswordField.tsx";
import { useSubmit } from "../parts/use-submit.ts";
import { type Account, type Invitation, OPEN_TO_ALL } from "./invitation.ts";
import classes from "./NewAccount.module.css";

export interface NewAccountProps {
  token: string;
  invitation: Invitation;
  onJoined(account: Account): void;
  /** Whether the link has become useless meanwhile. */
  isVoid(error: unknown): boolean;
  onVoid(error: unknown): void;
}

/** What roles above and below a member's mean, in a sentence. */
const AS = { 100: "asOwner", 200: "asAdministrator", 300: "asModerator", 600: "asGuest" } as const;

export function NewAccount({ token, invitation, onJoined, isVoid, onVoid }: NewAccountProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { organization, picture, invited_by, email: fixed, role } = invitation;
  const [name, setName] = useState("");
  const email = useRef<HTMLInputElement>(null);
  const submission = useSubmit({
    fields: ["full_name", "email", "password"],
    check: (values) => ({
      ...(!values.full_name.trim() && { full_name: t("errors.missing.ownName") }),
      ...(!values.email.trim() && { email: t("errors.missing.owner_email") }),
      ...(!values.password && { password: t("errors.missing.password") }),
    }),
    async send(values) {
      try {
        onJoined(await client.call("POST /host/join", { token, ...values }));
      } catch (error) {
        if (!isVoid(error)) throw error;
        onVoid(error);
      }
    },
  });

  const { errors, busy } = submission;
  const invited = token === OPEN_TO_ALL ? t("join.open") : t("join.invited");
  const as = role in AS ? t(`join.${AS[role as keyof typeof AS]}`) : "";
  const lead = `${invited_by ? t("join.invitedBy", { name: invited_by }) : invited} ${as}`.trim();
  return (
    <AuthLayout title={t("join.title", { organization })} lead={lead} picture={picture} readers="guests">
      <Form submission={submission}>
        <TextInput
          name="full_name"
          label={t("join.full_name")}
          description={t("join.full_nameHint")}
          autoComplete="name"
          error={errors.full_name}
          onChange={(event) => setName(event.currentTarget.value.trim())}
          autoFocus
        />
        <TextInput
          ref={email}
          name="email"
          type="email"
          label={t("join.email")}
          description={t(fixed ? "join.emailFixed" : "join.emailHint")}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email}
          {...(fixed && { defaultValue: fixed, readOnly: true, classNames: { input: classes.fixed } })}
        />
        <NewPasswordField
          name="password"
          label={t("password.label")}
          hint={t("password.hint")}
          error={errors.password}
          known={() => [name, email.current?.value ?? "", organization]}
        />
        <Button type="submit" size="lg" aria-disabled={busy} data-busy={busy} className={classes.submit}>
          {busy ? t("join.joining") : t("join.submit", { organization })}
        </Button>
        <LiveRegion>{busy ? t("join.joining") : undefined}</LiveRegion>
      </Form>
      <p className={classes.known}>{t("join.known", { address: window.location.origin })}</p>
    </AuthLayout>
  );
}
