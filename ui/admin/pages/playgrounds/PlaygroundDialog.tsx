import { TextInput } from "@mantine/core";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { PlaygroundPreview } from "./PlaygroundPreview.tsx";
import { type Playground, type PlaygroundValues, replacePlayground } from "./replace-playground.ts";

const NEW: PlaygroundValues = { name: "", pygments_language: "", url_template: "" };

export interface PlaygroundDialogProps {
  /** Undefined for a new playground. */
  playground?: Playground;
  onClose(): void;
}

export function PlaygroundDialog({ playground, onClose }: PlaygroundDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  /** The playground on the server. Each change replaces it, under a new id. */
  const stored = useRef(playground);
  const { name, pygments_language, url_template } = playground ?? NEW;
  const label = t(playground ? "playgrounds.change" : "playgrounds.add");
  return (
    <FormDialog
      title={label}
      submitLabel={playground ? t("playgrounds.save") : label}
      initialValues={{ name, pygments_language, url_template }}
      validate={{
        name: (value) => (value.trim() === "" ? t("playgrounds.missingName") : null),
        pygments_language: (value) => (value.trim() === "" ? t("playgrounds.missingLanguage") : null),
        url_template: (value) => (value.trim() === "" ? t("playgrounds.missingTemplate") : null),
      }}
      onSubmit={async (values) => {
        await replacePlayground(client, stored, values);
        if (playground)
          noticeDone(t("playgrounds.changed", { name: values.name.trim() }), () =>
            replacePlayground(client, stored, playground),
          );
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label={t("playgrounds.name")}
            placeholder={t("playgrounds.nameExample")}
            data-autofocus
            {...form.getInputProps("name")}
          />
          <TextInput
            label={t("playgrounds.language")}
            description={t("playgrounds.languageHelp")}
            placeholder={t("playgrounds.languageExample")}
            {...form.getInputProps("pygments_language")}
          />
          <TextInput
            label={t("playgrounds.template")}
            description={t("playgrounds.templateHelp", { variable: "{code}" })}
            placeholder={t("playgrounds.templateExample")}
            {...form.getInputProps("url_template")}
          />
          <PlaygroundPreview name={form.getValues().name} template={form.getValues().url_template} />
        </>
      )}
    </FormDialog>
  );
}
