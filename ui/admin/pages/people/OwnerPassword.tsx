import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Form } from "../../../parts/Form.tsx";
import { NewPasswordField } from "../../../parts/NewPasswordField.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { useSubmit } from "../../../parts/use-submit.ts";
import classes from "../../parts/details.module.css";
import type { Person } from "./use-people.ts";

/** Sets a new password for an owner, at the server's computer: a lost owner password has no other way back. */
export function OwnerPassword({ person: { id, name, user }, onDone }: { person: Person; onDone(): void }) {
  const { t } = useTranslation();
  const client = useClient();
  const [attempt, setAttempt] = useState(0);
  const submission = useSubmit({
    fields: ["new_password"],
    check: ({ new_password }) => (new_password ? {} : { new_password: t("errors.missing.password") }),
    async send({ new_password }) {
      await client.call("POST /host/owner-passwords", { user_id: id, new_password });
      noticeDone(t("people.ownerPasswordDone", { name }));
      setAttempt((count) => count + 1); // Empties the form.
      onDone();
    },
  });
  return (
    <section className={classes.section}>
      <h3>{t("people.ownerPassword")}</h3>
      <p>{t("people.ownerPasswordHint", { name })}</p>
      <Form key={attempt} submission={submission}>
        <NewPasswordField
          name="new_password"
          label={t("people.ownerPasswordNew")}
          hint={t("people.ownerPasswordNewHint", { name })}
          error={submission.errors.new_password}
          userInputs={() => [name, user.delivery_email ?? ""]}
        />
        <div>
          <BusyButton type="submit" variant="default" busy={submission.busy}>
            {t("people.ownerPasswordSet", { name })}
          </BusyButton>
        </div>
      </Form>
    </section>
  );
}
