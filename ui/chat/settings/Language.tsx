import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { isLanguage, LANGUAGES, showLanguage, storeLanguage } from "../../locales/i18n.ts";
import { SavingNote } from "./SavingNote.tsx";
import classes from "./Settings.module.css";
import { type SettingChanges, useSaveSettings } from "./use-saving.ts";

/** The language of the pages: here at once, and wherever one signs in without having chosen another. */
export function Language() {
  const { t, i18n } = useTranslation();
  const [saving, save] = useSaveSettings();
  const choose = (language: string) => {
    if (!isLanguage(language)) return;
    storeLanguage(language);
    showLanguage(language).then(
      () => save({ default_language: language } as SettingChanges),
      () => {}, // its texts could not be loaded
    );
  };
  return (
    <div className={classes.row}>
      <NativeSelect
        label={t("ownSettings.language")}
        value={i18n.language}
        onChange={(event) => choose(event.currentTarget.value)}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      />
      <SavingNote saving={saving} />
    </div>
  );
}
