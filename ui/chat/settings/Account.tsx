import { TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Form } from "../../parts/Form.tsx";
import { NewPasswordField } from "../../parts/NewPasswordField.tsx";
import { PasswordField } from "../../parts/PasswordField.tsx";
import { useSubmit } from "../../parts/use-submit.ts";
import { useChat, useChatState } from "../chat-context.ts";
import classes from "./Settings.module.css";

export function Account() {
  return (
    <>
      <Email />
      <Password />
    </>
  );
}

function Email() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const email = useChatState(({ delivery_email }) => delivery_email ?? "");
  const isFixed = useChatState((state) => state.realm_email_changes_disabled === true && state.is_admin !== true);
  const [isSaved, setSaved] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const submission = useSubmit({
    fields: ["email", "old_password"],
    check: (values) => ({
      ...(!values.email.trim() && { email: t("errors.missing.owner_email") }),
      ...(!values.old_password && { old_password: t("errors.missing.signInPassword") }),
    }),
    async send({ email: address, old_password }) {
      setSaved(false);
      await chat.client.call("PATCH /settings", { email: address.trim(), old_password });
      form.current?.querySelectorAll<HTMLInputElement>("input[name='old_password']").forEach((field) => {
        field.value = "";
      });
      setSaved(true);
    },
  });
  const { errors, busy } = submission;
  return (
    <section className={classes.group} ref={form}>
      <h3>{t("ownSettings.account.email")}</h3>
      {isFixed ? (
        <p className={classes.hint}>{t("ownSettings.account.emailFixed", { email })}</p>
      ) : (
        <Form submission={submission}>
          <TextInput
            key={email}
            name="email"
            type="email"
            label={t("ownSettings.account.address")}
            defaultValue={email}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            error={errors.email}
          />
          <PasswordField
            name="old_password"
            label={t("ownSettings.account.oldPassword")}
            autoComplete="current-password"
            error={errors.old_password}
          />
          <div className={classes.actions}>
            <BusyButton type="submit" size="sm" busy={busy}>
              {t("ownSettings.account.changeEmail")}
            </BusyButton>
            <span role="status" className={classes.saved}>
              {isSaved && t("ownSettingsNames.saved")}
            </span>
          </div>
        </Form>
      )}
    </section>
  );
}

function Password() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const name = useChatState(({ full_name }) => full_name ?? "");
  const email = useChatState(({ delivery_email }) => delivery_email ?? "");
  const [saves, setSaves] = useState(0);
  const submission = useSubmit({
    fields: ["old_password", "new_password"],
    check: (values) => ({
      ...(!values.old_password && { old_password: t("errors.missing.signInPassword") }),
      ...(!values.new_password && { new_password: t("errors.missing.password") }),
    }),
    async send(values) {
      await chat.client.call("PATCH /settings", values);
      setSaves((count) => count + 1);
    },
  });
  const { errors, busy } = submission;
  return (
    <section className={classes.group}>
      <h3>{t("ownSettings.account.password")}</h3>
      <p className={classes.hint}>{t("ownSettings.account.passwordHint")}</p>
      <Form key={saves} submission={submission}>
        <PasswordField
          name="old_password"
          label={t("ownSettings.account.oldPassword")}
          autoComplete="current-password"
          error={errors.old_password}
        />
        <NewPasswordField
          name="new_password"
          label={t("ownSettings.account.newPassword")}
          hint={t("password.hint")}
          error={errors.new_password}
          userInputs={() => [name, email]}
        />
        <div className={classes.actions}>
          <BusyButton type="submit" size="sm" busy={busy}>
            {t("ownSettings.account.changePassword")}
          </BusyButton>
          <span role="status" className={classes.saved}>
            {saves > 0 && t("ownSettings.account.passwordSaved")}
          </span>
        </div>
      </Form>
    </section>
  );
}
