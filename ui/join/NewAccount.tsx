import { Anchor, Button, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../api/client-context.ts";
import { AuthLayout } from "../parts/AuthLayout.tsx";
import { isTokenError } from "../parts/error-messages.ts";
import { Form } from "../parts/Form.tsx";
import { LiveRegion } from "../parts/LiveRegion.tsx";
import { NewPasswordField } from "../parts/NewPasswordField.tsx";
import { Hint } from "../parts/text/Hint.tsx";
import { useSubmit } from "../parts/use-submit.ts";
import { type Invitation, OPEN_TO_ALL } from "./invitation.ts";

export interface NewAccountProps {
  token: string;
  invitation: Invitation;
  /** The link has expired since the page loaded. */
  onTokenError(error: unknown): void;
}

const READ_ONLY = { input: { background: "var(--hearth-sunken)", color: "var(--hearth-ink-soft)" } };

const left = new Promise<never>(() => {});

/** The sentences that explain roles other than member. */
const ROLE_TEXTS = { 100: "asOwner", 200: "asAdministrator", 300: "asModerator", 600: "asGuest" } as const;

export function NewAccount({ token, invitation, onTokenError }: NewAccountProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { organization, picture, invited_by, email: fixedEmail, role, claims } = invitation;
  const [name, setName] = useState(claims?.full_name ?? "");
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
        const { chat } = await client.call("POST /host/join", { token, ...values });
        const { email: username, password } = values;
        // If this fails, the chat page asks for the password.
        await client.call("POST /host/session", { username, password }).catch(() => {});
        window.location.replace(chat);
        await left; // stay busy until the chat page loads
      } catch (error) {
        if (!isTokenError(error)) throw error;
        onTokenError(error);
      }
    },
  });

  const { errors, busy } = submission;
  const introduction = token === OPEN_TO_ALL ? t("join.open") : t("join.invited");
  const roleText = role in ROLE_TEXTS ? t(`join.${ROLE_TEXTS[role as keyof typeof ROLE_TEXTS]}`) : "";
  const history = claims ? ` ${t("join.claim", { organization, name: claims.full_name })}` : "";
  const lead = `${invited_by ? t("join.invitedBy", { name: invited_by }) : introduction}${history} ${roleText}`.trim();
  return (
    <AuthLayout
      title={claims ? t("join.claimTitle") : t("join.title", { organization })}
      lead={lead}
      picture={picture}
      audience="members"
    >
      <Form submission={submission}>
        <TextInput
          name="full_name"
          label={t("join.full_name")}
          description={t("join.full_nameHint")}
          autoComplete="name"
          error={errors.full_name}
          onChange={(event) => setName(event.currentTarget.value.trim())}
          defaultValue={claims?.full_name}
          autoFocus
        />
        <TextInput
          ref={email}
          name="email"
          type="email"
          label={t("join.email")}
          description={t(fixedEmail ? "join.emailFixed" : claims?.email ? "join.claimEmailHint" : "join.emailHint")}
          defaultValue={claims?.email ?? undefined}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email}
          {...(fixedEmail && { defaultValue: fixedEmail, readOnly: true, styles: READ_ONLY })}
        />
        <NewPasswordField
          name="password"
          label={t("password.label")}
          hint={t("password.hint")}
          error={errors.password}
          userInputs={() => [name, email.current?.value ?? "", organization]}
        />
        <Button type="submit" size="lg" aria-disabled={busy}>
          {busy ? t("join.joining") : claims ? t("join.claimSubmit") : t("join.submit", { organization })}
        </Button>
        <LiveRegion>{busy ? t("join.joining") : undefined}</LiveRegion>
      </Form>
      <Hint mt="lg">
        {t("join.haveAccount")}{" "}
        <Anchor href="/" inherit underline="always">
          {t("join.signIn")}
        </Anchor>
      </Hint>
    </AuthLayout>
  );
}
