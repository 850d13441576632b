import { useTranslation } from "react-i18next";
import classes from "./Settings.module.css";
import type { Saving } from "./use-saving.ts";

/** "Saved", or why not. */
export function SavingNote({ saving }: { saving: Saving }) {
  const { t } = useTranslation();
  const error = typeof saving === "object" ? saving.error : undefined;
  return (
    <>
      <span role="status" className={classes.saved}>
        {saving === "saved" && t("ownSettingsNames.saved")}
      </span>
      {error !== undefined && (
        <span role="alert" className={classes.error}>
          {error}
        </span>
      )}
    </>
  );
}
