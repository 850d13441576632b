import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Answer, Refusal } from "../api/client.ts";
import { useClient } from "../api/client-context.ts";
import { AuthLayout } from "../parts/AuthLayout.tsx";
import { BusyButton } from "../parts/BusyButton.tsx";
import { Form } from "../parts/Form.tsx";
import { NewPasswordField } from "../parts/NewPasswordField.tsx";
import { Note } from "../parts/Note.tsx";
import { PageLoader } from "../parts/PageLoader.tsx";
import { Unopened } from "../parts/Unopened.tsx";
import { useSubmit } from "../parts/use-submit.ts";
import classes from "./ResetPage.module.css";

type Person = Answer<"POST /host/sign-in-links/open">;

/** Behind an administrator's link: a new password for whoever forgot theirs. */
export function ResetPage({ token }: { token: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const [person, setPerson] = useState<Person>();
  const [trouble, setTrouble] = useState<unknown>();
  const [asked, setAsked] = useState(0);
  const [isDone, setDone] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts how often to ask anew
  useEffect(() => {
    setTrouble(undefined);
    client.call("POST /host/sign-in-links/open", { token }).then(setPerson, setTrouble);
  }, [client, token, asked]);

  if (isDone && person) return <Done person={person} />;
  if (isVoid(trouble))
    return <AuthLayout title={t("reset.void")} lead={t("reset.voidHint")} readers="guests" takesFocus />;
  const tryAgain = () => setAsked((times) => times + 1);
  if (trouble) return <Unopened title={t("reset.title")} error={trouble} onTryAgain={tryAgain} />;
  if (!person) return <PageLoader />;
  return <NewPassword token={token} person={person} onDone={() => setDone(true)} onVoid={setTrouble} />;
}

const isVoid = (trouble: unknown): boolean => trouble instanceof Refusal && trouble.data["var_name"] === "token";

interface NewPasswordProps {
  token: string;
  person: Person;
  onDone(): void;
  onVoid(trouble: unknown): void;
}

function NewPassword({ token, person, onDone, onVoid }: NewPasswordProps) {
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
        if (!isVoid(error)) throw error;
        onVoid(error);
      }
    },
  });
  return (
    <AuthLayout title={t("reset.hello", { name: full_name })} lead={t("reset.lead", { organization })} readers="guests">
      <Form submission={submission}>
        {/* For password keepers: whose password it is. */}
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField
          name="new_password"
          label={t("reset.newPassword")}
          hint={t("password.hint")}
          error={submission.errors.new_password}
          known={() => [full_name, email]}
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
  return (
    <AuthLayout title={t("reset.done")} lead={t("reset.doneHint")} readers="guests" takesFocus>
      <div className={classes.next}>
        <Note tone="info">{t("reset.next", { address: window.location.origin, email })}</Note>
      </div>
    </AuthLayout>
  );
}
