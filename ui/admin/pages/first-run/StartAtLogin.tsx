import { Checkbox } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** On by default: after a restart of the computer, people expect their chat. */
export function StartAtLogin() {
  const { t } = useTranslation();
  return (
    <Checkbox
      name="startAtLogin"
      label={t("firstRun.startAtLogin")}
      description={t("firstRun.startAtLoginHint")}
      defaultChecked
    />
  );
}
