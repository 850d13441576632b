import { NativeSelect, Switch } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useChatState } from "../chat-context.ts";
import { CHOICES, GROUPS, type GroupName, type SettingRow } from "./own-settings.ts";
import { SavingNote } from "./SavingNote.tsx";
import classes from "./Settings.module.css";
import { type SettingChanges, useChosen, useSaveSettings } from "./use-saving.ts";

/** Settings that belong together. Each is saved at once. */
export function SettingsGroup({ group, children }: { group: GroupName; children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <section className={classes.group}>
      <h3>{t(`ownSettings.groups.${group}`)}</h3>
      {GROUPS[group].map((row) => (
        <Row key={row.name} row={row} />
      ))}
      {children}
    </section>
  );
}

function Row({ row }: { row: SettingRow }) {
  const { t } = useTranslation();
  const stored = useChatState(({ user_settings }) => user_settings?.[row.name]);
  const [value, choose] = useChosen(stored);
  const [saving, save] = useSaveSettings();
  const change = (chosen: NonNullable<typeof stored>) =>
    choose(chosen, () => save({ [row.name]: chosen } as SettingChanges));
  if (row.kind === "switch")
    return (
      <div className={classes.row}>
        <Switch
          label={t(`ownSettings.switches.${row.name}`)}
          checked={value === true}
          onChange={(event) => change(event.currentTarget.checked)}
        />
        <SavingNote saving={saving} />
      </div>
    );
  const values: readonly (number | string)[] = CHOICES[row.name];
  const texts = new Map<string, string>(Object.entries(t(`ownSettings.choices.${row.name}`, { returnObjects: true })));
  const isOther = value !== undefined && !values.includes(value as never);
  return (
    <div className={classes.row}>
      <NativeSelect
        label={t(`ownSettings.choiceLabels.${row.name}`)}
        value={String(value)}
        onChange={(event) => {
          const chosen = values.find((one) => String(one) === event.currentTarget.value);
          if (chosen !== undefined) change(chosen as NonNullable<typeof stored>);
        }}
        data={[...values, ...(isOther ? [value as string | number] : [])].map((one) => ({
          value: String(one),
          label: texts.get(String(one)) ?? String(one),
        }))}
      />
      <SavingNote saving={saving} />
    </div>
  );
}
