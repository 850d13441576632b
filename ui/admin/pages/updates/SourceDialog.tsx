import { Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { UpdateSource } from "../../../../main/bridge-types.ts";
import { causeInWords } from "../../../locales/i18n.ts";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import type { FollowedUpdates } from "./use-updates.ts";

export interface SourceDialogProps {
  source: UpdateSource;
  run: FollowedUpdates["run"];
  onClose(): void;
}

/** Asks for the feed's URL and the key that verifies its releases. */
export function SourceDialog({ source, run, onClose }: SourceDialogProps) {
  const { t } = useTranslation();
  const submit = async ({ address, key }: { address: string; key: string }) => {
    const { problem } = await run((desktop) => desktop.setUpdateSource({ address, key }));
    if (problem) throw new Error(t(`updates.problems.${problem.code}`, { detail: causeInWords(problem.detail ?? "") }));
  };
  return (
    <FormDialog
      title={t("updates.source")}
      submitLabel={t("updates.save")}
      initialValues={{ address: source.address ?? "", key: source.key ?? "" }}
      onSubmit={submit}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Text>{t("updates.trust")}</Text>
          <TextInput
            type="url"
            label={t("updates.address")}
            description={t("updates.addressHelp")}
            placeholder={t("updates.addressExample")}
            data-autofocus
            {...form.getInputProps("address")}
          />
          <TextInput
            label={t("updates.key")}
            description={t("updates.keyHelp")}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps("key")}
          />
        </>
      )}
    </FormDialog>
  );
}
