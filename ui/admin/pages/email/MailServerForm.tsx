import { Button, Checkbox, Group, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer, Input } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Form } from "../../../parts/Form.tsx";
import { PasswordField } from "../../../parts/PasswordField.tsx";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useSubmit } from "../../../parts/use-submit.ts";

type Mail = Answer<"GET /host/mail">;
type Smtp = NonNullable<Mail["smtp"]>;

/** The usual ports of mail servers. */
const PORTS: Record<Smtp["security"], number> = { tls: 465, starttls: 587, none: 25 };
const SECURITIES = ["tls", "starttls", "none"] as const;
/** In the order of the form. */
const FIELDS = ["host", "port", "user", "password", "from_address", "from_name", "public_url"] as const;

export interface MailServerFormProps {
  mail: Mail;
  onSaved(): void;
}

export function MailServerForm({ mail, onSaved }: MailServerFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { smtp, has_password, set_by_environment: fixed } = mail;
  const isFixed = fixed.includes("SMTP");
  const [security, setSecurity] = useState<Smtp["security"]>(smtp?.security ?? "tls");
  const [port, setPort] = useState<number | string>(smtp?.port ?? PORTS.tls);
  const [isAccepted, setAccepted] = useState(smtp?.accept_plaintext ?? false);
  const [isConfirming, setConfirming] = useState(false);

  const submission = useSubmit({
    fields: FIELDS,
    check: ({ host, from_address }) => ({
      ...(!isFixed && !host.trim() && { host: t("email.missingHost") }),
      ...(!isFixed && !from_address.trim() && { from_address: t("email.missingFrom") }),
    }),
    async send(values) {
      const next: Smtp = {
        host: values.host.trim(),
        port: Number(port),
        security,
        accept_plaintext: security === "none" && isAccepted,
        user: values.user.trim() || null,
        from_address: values.from_address.trim(),
        from_name: values.from_name.trim(),
      };
      const input: Input<"PUT /host/mail"> = {
        ...(!isFixed && { smtp: next, ...(values.password && { password: values.password }) }),
        ...(!fixed.includes("PUBLIC_URL") && { public_url: values.public_url.trim() || null }),
      };
      await client.call("PUT /host/mail", input);
      noticeDone(t("email.saved"));
      onSaved();
    },
  });
  const { errors, busy } = submission;
  const environment = (name: "SMTP" | "PUBLIC_URL") =>
    fixed.includes(name) ? t("network.byEnvironment", { name }) : undefined;
  return (
    <>
      <Form submission={submission}>
        {isFixed && <Hint>{environment("SMTP")}</Hint>}
        <TextInput
          name="host"
          label={t("email.host")}
          placeholder={t("email.hostExample")}
          defaultValue={smtp?.host ?? ""}
          error={errors.host}
          disabled={isFixed}
          dir="ltr"
        />
        <Group align="start" gap="sm" grow>
          <NativeSelect
            size="md"
            label={t("email.security")}
            data={SECURITIES.map((value) => ({ value, label: t(`email.securities.${value}`) }))}
            value={security}
            disabled={isFixed}
            onChange={({ currentTarget: { value } }) => {
              // A port that the user typed stays.
              if (port === PORTS[security]) setPort(PORTS[value as Smtp["security"]]);
              setSecurity(value as Smtp["security"]);
            }}
          />
          <NumberInput
            name="port"
            label={t("email.port")}
            min={1}
            max={65_535}
            value={port}
            onChange={setPort}
            error={errors.port}
            disabled={isFixed}
            hideControls
          />
        </Group>
        {security === "none" && (
          <Checkbox
            label={t("email.plaintext")}
            description={t("email.plaintextHint")}
            checked={isAccepted}
            disabled={isFixed}
            onChange={(event) => setAccepted(event.currentTarget.checked)}
          />
        )}
        <TextInput
          name="user"
          label={t("email.user")}
          description={t("email.userHint")}
          defaultValue={smtp?.user ?? ""}
          error={errors.user}
          disabled={isFixed}
          autoComplete="off"
          dir="ltr"
        />
        {!isFixed && (
          <PasswordField
            name="password"
            label={t("email.password")}
            description={t(has_password ? "email.passwordStored" : "email.passwordHint")}
            error={errors.password}
            autoComplete="new-password"
          />
        )}
        <TextInput
          name="from_address"
          type="email"
          label={t("email.from")}
          description={t("email.fromHint")}
          defaultValue={smtp?.from_address ?? ""}
          error={errors.from_address}
          disabled={isFixed}
          autoComplete="off"
          dir="ltr"
        />
        <TextInput
          name="from_name"
          label={t("email.fromName")}
          description={t("email.fromNameHint")}
          defaultValue={smtp?.from_name ?? ""}
          error={errors.from_name}
          disabled={isFixed}
        />
        <TextInput
          name="public_url"
          label={t("email.publicUrl")}
          description={environment("PUBLIC_URL") ?? t("email.publicUrlHint", { url: mail.link_url })}
          placeholder={t("email.publicUrlExample")}
          defaultValue={mail.public_url ?? ""}
          error={errors.public_url}
          disabled={fixed.includes("PUBLIC_URL")}
          dir="ltr"
        />
        <Group gap="sm">
          <BusyButton type="submit" busy={busy}>
            {t(smtp ? "email.save" : "email.turnOn")}
          </BusyButton>
          {smtp && !isFixed && (
            <Button variant="default" onClick={() => setConfirming(true)}>
              {t("email.turnOff")}
            </Button>
          )}
        </Group>
      </Form>
      {isConfirming && (
        <ConfirmDialog
          title={t("email.turnOffTitle")}
          confirmLabel={t("email.turnOff")}
          onConfirm={async () => {
            await client.call("PUT /host/mail", { smtp: null });
            onSaved();
          }}
          onClose={() => setConfirming(false)}
        >
          {t("email.turnOffHint")}
        </ConfirmDialog>
      )}
    </>
  );
}
