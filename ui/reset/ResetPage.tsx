import { Box, Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../api/client.ts";
import { useClient } from "../api/client-context.ts";
import { AuthLayout } from "../parts/AuthLayout.tsx";
import { BusyButton } from "../parts/BusyButton.tsx";
import { Callout } from "../parts/Callout.tsx";
import { ErrorPage } from "../parts/ErrorPage.tsx";
import { isTokenError } from "../parts/error-messages.ts";
import { Form } from "../parts/Form.tsx";
import { NewPasswordField } from "../parts/NewPasswordField.tsx";
import { PageLoader } from "../parts/PageLoader.tsx";
import { useSubmit } from "../parts/use-submit.ts";

type Person = Answer<"POST /host/sign-in-links/open">;

/** The page of a password reset link. */
export function ResetPage({ token }: { token: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const [person, setPerson] = useState<Person>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const [isDone, setDone] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` asks again
  useEffect(() => {
    setError(undefined);
    client.call("POST /host/sign-in-links/open", { token }).then(setPerson, setError);
  }, [client, token, attempt]);

  if (isDone && person) return <Done person={person} />;
  if (isTokenError(error))
    return (
      <AuthLayout title={t("reset.invalidLink")} lead={t("reset.invalidLinkHint")} audience="members" takesFocus />
    );
  const tryAgain = () => setAttempt((count) => count + 1);
  if (error) return <ErrorPage title={t("reset.title")} error={error} onTryAgain={tryAgain} />;
  if (!person) return <PageLoader />;
  return <NewPassword token={token} person={person} onDone={() => setDone(true)} onTokenError={setError} />;
}

interface NewPasswordProps {
  token: string;
  person: Person;
  onDone(): void;
  onTokenError(error: unknown): void;
}

function NewPassword({ token, person, onDone, onTokenError }: NewPasswordProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { full_name, email, organization } = person;
  const submission = useSubmit({
    fields: ["new_password"],
    check: ({ new_password }) => (new_password ? {} : { new_password: t("errors.missing.password") }),
    async send({ new_password }) {
      try {
        await client.call("POST /host/password-resets", { token, new_password });
        onDone();
      } catch (error) {
        if (!isTokenError(error)) throw error;
        onTokenError(error);
      }
    },
  });
  return (
    <AuthLayout
      title={t("reset.hello", { name: full_name })}
      lead={t("reset.lead", { organization })}
      audience="members"
    >
      <Form submission={submission}>
        {/* Tells password managers whose password it is. */}
        {email !== null && <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />}
        <NewPasswordField
          name="new_password"
          label={t("reset.newPassword")}
          hint={t("password.hint")}
          error={submission.errors.new_password}
          userInputs={() => (email === null ? [full_name] : [full_name, email])}
          autoFocus
        />
        <BusyButton type="submit" size="lg" busy={submission.busy}>
          {t("reset.submit")}
        </BusyButton>
      </Form>
    </AuthLayout>
  );
}

function Done({ person: { email } }: { person: Person }) {
  const { t } = useTranslation();
  const address = window.location.origin;
  return (
    <AuthLayout title={t("reset.done")} lead={t("reset.doneHint")} audience="members" takesFocus>
      <Box mt="lg">
        <Callout tone="info">
          {email === null ? t("reset.nextHidden", { address }) : t("reset.next", { address, email })}
        </Callout>
        <Button component="a" href="/" size="lg" mt="md">
          {t("reset.toChat")}
        </Button>
      </Box>
    </AuthLayout>
  );
}
