import { Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";

/** docs/protocol.md#backups */
const MIN_LENGTH = 12;

export interface PassphraseDialogProps {
  onSubmit(passphrase: string): Promise<void>;
  onClose(): void;
}

/** Asks for the passphrase twice because nobody can recover it. */
export function PassphraseDialog({ onSubmit, onClose }: PassphraseDialogProps) {
  const { t } = useTranslation();
  return (
    <FormDialog
      title={t("backups.passphraseTitle")}
      submitLabel={t("backups.passphraseSave")}
      initialValues={{ passphrase: "", again: "" }}
      validate={{
        passphrase: (text) =>
          [...text].length < MIN_LENGTH ? t("backups.passphraseShort", { count: MIN_LENGTH }) : null,
        again: (text, { passphrase }) => (text === passphrase ? null : t("backups.passphraseDiffers")),
      }}
      onSubmit={({ passphrase }) => onSubmit(passphrase)}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Text>{t("backups.passphraseMeaning")}</Text>
          <TextInput
            type="password"
            label={t("backups.passphraseField")}
            autoComplete="new-password"
            data-autofocus
            {...form.getInputProps("passphrase")}
          />
          <TextInput
            type="password"
            label={t("backups.passphraseAgain")}
            autoComplete="new-password"
            {...form.getInputProps("again")}
          />
        </>
      )}
    </FormDialog>
  );
}
