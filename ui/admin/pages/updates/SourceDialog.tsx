import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { UpdateSource } from "../../../../main/bridge-types.ts";
import { causeInWords } from "../../../locales/i18n.ts";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import classes from "./UpdatesPage.module.css";
import type { FollowedUpdates } from "./use-updates.ts";

export interface SourceDialogProps {
  source: UpdateSource;
  run: FollowedUpdates["run"];
  onClose(): void;
}

/** Asks for the address of the feed, and the key by which what it says is checked. */
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
          <p className={classes.text}>{t("updates.trust")}</p>
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
