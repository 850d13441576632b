import { Box, Button, Group, TextInput } from "@mantine/core";
import { ArrowLeft } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { askSession, type Session } from "../../../api/session.ts";
import { AuthLayout } from "../../../parts/AuthLayout.tsx";
import { Form } from "../../../parts/Form.tsx";
import { LiveRegion } from "../../../parts/LiveRegion.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useSubmit } from "../../../parts/use-submit.ts";
import { BackupSummary } from "../backups/BackupSummary.tsx";
import { SetupCodeField } from "./SetupCodeField.tsx";
import { StartAtLogin, saveStartAtLogin } from "./StartAtLogin.tsx";
import { clearSetupCode, rememberSetupCode } from "./setup-code.ts";

export interface RestoreBackupProps {
  session: Session;
  desktop: Desktop | undefined;
  onSession(session: Session): void;
  onBack(): void;
}

const FIELDS = ["code", "file", "passphrase", "startAtLogin"] as const;

/** Shows what a backup contains, then restores it. */
export function RestoreBackup({ session, desktop, onSession, onBack }: RestoreBackupProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [code] = useState(rememberSetupCode);
  const [found, setFound] = useState<Answer<"POST /host/setup/restore/preview">>();
  const file = useRef<HTMLInputElement>(null);
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
        await saveStartAtLogin(desktop, values.startAtLogin);
        setStep("almost");
        onSession(await askSession({ client, accepts: ({ setup }) => !setup }));
      } finally {
        setStep(undefined);
      }
    },
  });

  const { errors, busy } = submission;
  const choose = async () => {
    const path = await desktop?.chooseBackup();
    if (!path || !file.current) return;
    file.current.value = path;
    file.current.focus();
    setFound(undefined);
  };
  return (
    <AuthLayout title={t("restore.title")} lead={t("restore.lead")}>
      <Form submission={submission}>
        {session.code_needed && <SetupCodeField code={code} error={errors.code} />}
        <TextInput
          name="file"
          ref={file}
          label={t("restore.file")}
          description={desktop ? undefined : t("restore.fileHint")}
          {...(desktop && {
            rightSectionWidth: "8rem",
            rightSection: (
              <Button variant="subtle" size="compact-md" onClick={() => void choose()}>
                {t("restore.choose")}
              </Button>
            ),
          })}
          autoComplete="off"
          spellCheck={false}
          error={errors.file}
          autoFocus
          onChange={() => setFound(undefined)}
        />
        {found && (
          <Box role="status" ps="md" style={{ borderInlineStart: "3px solid var(--hearth-ember-strong)" }}>
            <BackupSummary backup={found} />
            {!found.needs_passphrase && <Hint>{t("restore.noKeys")}</Hint>}
          </Box>
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
        {desktop && <StartAtLogin />}
        <Group justify="space-between" gap="sm">
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
          <Button type="submit" size="lg" flex="1 1 auto" aria-disabled={busy} data-busy={busy}>
            {step ? t(`restore.${step}`) : t(found ? "restore.submit" : "restore.look")}
          </Button>
        </Group>
        <LiveRegion>{step && t(`restore.${step}`)}</LiveRegion>
      </Form>
    </AuthLayout>
  );
}
