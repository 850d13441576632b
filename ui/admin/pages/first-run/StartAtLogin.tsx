import { Checkbox } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";

/** `value`: the checkbox's, "" if unchecked. After a failure, the page "This computer" shows the setting as it is. */
export async function saveStartAtLogin(desktop: Desktop | undefined, value: string): Promise<void> {
  await desktop?.setBehavior({ startAtLogin: value !== "" }).catch(() => {});
}

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
