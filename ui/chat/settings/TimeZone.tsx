import { Button, NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useChatState } from "../chat-context.ts";
import { SavingNote } from "./SavingNote.tsx";
import classes from "./Settings.module.css";
import { useSaveSettings } from "./use-saving.ts";

const own = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Where one is, so that others see what time it is there. */
export function TimeZone() {
  const { t } = useTranslation();
  const zone = useChatState(({ user_settings }) => user_settings?.timezone ?? "");
  const [saving, save] = useSaveSettings();
  const zones = [...new Set([zone, own(), ...Intl.supportedValuesOf("timeZone")])].filter((name) => name !== "").sort();
  return (
    <div className={classes.row}>
      <NativeSelect
        label={t("ownSettings.timeZone.label")}
        description={t("ownSettings.timeZone.hint")}
        value={zone}
        onChange={(event) => void save({ timezone: event.currentTarget.value })}
        data={[
          { value: "", label: t("ownSettings.timeZone.none") },
          ...zones.map((name) => ({ value: name, label: name.replaceAll("_", " ") })),
        ]}
      />
      {zone !== own() && (
        <Button size="xs" variant="default" onClick={() => void save({ timezone: own() })}>
          {t("ownSettings.timeZone.own", { zone: own().replaceAll("_", " ") })}
        </Button>
      )}
      <SavingNote saving={saving} />
    </div>
  );
}
