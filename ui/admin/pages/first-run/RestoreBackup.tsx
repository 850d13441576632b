import { Button, TextInput } from "@mantine/core";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { askSession, type Session } from "../../../api/session.ts";
import { AuthLayout } from "../../../parts/AuthLayout.tsx";
import { Form } from "../../../parts/Form.tsx";
import { bytes, exactTime } from "../../../parts/format.ts";
import { LiveRegion } from "../../../parts/LiveRegion.tsx";
import { useSubmit } from "../../../parts/use-submit.ts";
import classes from "./RestoreBackup.module.css";
import { clearSetupCode, rememberSetupCode } from "./setup-code.ts";

export interface RestoreBackupProps {
  session: Session;
  onSession(session: Session): void;
  onBack(): void;
}

const FIELDS = ["code", "file", "passphrase"] as const;

/** First what the backup holds, then the way back. */
export function RestoreBackup({ session, onSession, onBack }: RestoreBackupProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [code] = useState(rememberSetupCode);
  const [found, setFound] = useState<Answer<"POST /host/setup/restore/preview">>();
  const [step, setStep] = useState<"looking" | "restoring" | "almost">();

  const submission = useSubmit({
    fields: FIELDS,
    check: (values) => ({
      ...(session.code_needed && !values.code.trim() && { code: t("errors.missing.code") }),
      ...(!values.file.trim() && { file: t("restore.fileMissing") }),
    }),
    async send(values) {
      const file = values.file.trim();
      const proof = session.code_needed ? { code: values.code.trim() } : {};
      try {
        if (!found) {
          setStep("looking");
          return setFound(await client.call("POST /host/setup/restore/preview", { file, ...proof }));
        }
        setStep("restoring");
        const { passphrase } = values;
        const keys = passphrase ? { passphrase } : { end_all_keys: found.needs_passphrase };
        await client.call("POST /host/setup/restore", { file, ...proof, ...keys });
        clearSetupCode();
        setStep("almost");
        onSession(await askSession({ client, accepts: ({ setup }) => !setup }));
      } finally {
        setStep(undefined);
      }
    },
  });

  const { errors, busy } = submission;
  return (
    <AuthLayout title={t("restore.title")} lead={t("restore.lead")}>
      <Form submission={submission}>
        {session.code_needed && (
          <TextInput
            name="code"
            label={t("firstRun.code")}
            description={t("firstRun.codeHint")}
            defaultValue={code}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            error={errors.code}
          />
        )}
        <TextInput
          name="file"
          label={t("restore.file")}
          description={t("restore.fileHint")}
          autoComplete="off"
          spellCheck={false}
          error={errors.file}
          autoFocus
          onChange={() => setFound(undefined)}
        />
        {found && (
          <div className={classes.found} role="status">
            <strong>{found.organization}</strong>
            <p>{t("restore.from", { time: exactTime(found.created_at) })}</p>
            <p>
              {[
                t("backups.people", { count: found.people }),
                t("backups.messages", { count: found.messages }),
                t("backups.files", { count: found.files }),
                bytes(found.bytes),
              ].join(" · ")}
            </p>
            {!found.needs_passphrase && <p>{t("restore.noKeys")}</p>}
          </div>
        )}
        {found?.needs_passphrase && (
          <TextInput
            name="passphrase"
            type="password"
            label={t("backups.passphraseField")}
            description={t("restore.passphraseHint")}
            autoComplete="off"
            error={errors.passphrase}
          />
        )}
        <div className={classes.actions}>
          <Button
            variant="subtle"
            size="lg"
            color="gray"
            onClick={onBack}
            disabled={busy}
            leftSection={<ArrowLeft size="1.125rem" aria-hidden="true" />}
          >
            {t("firstRun.back")}
          </Button>
          <Button type="submit" size="lg" className={classes.submit} aria-disabled={busy} data-busy={busy}>
            {step ? t(`restore.${step}`) : t(found ? "restore.submit" : "restore.look")}
          </Button>
        </div>
        <LiveRegion>{step && t(`restore.${step}`)}</LiveRegion>
      </Form>
    </AuthLayout>
  );
}
