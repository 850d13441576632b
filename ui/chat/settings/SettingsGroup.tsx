import { NativeSelect, Switch } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ownSettingsTexts } from "../../locales/en/own-settings.ts";
import { textAt } from "../../locales/i18n.ts";
import { type Setting, settingsIn, useSettingTables } from "../../parts/settings/setting-tables.ts";
import { useChatState } from "../chat-context.ts";
import { SavingNote } from "./SavingNote.tsx";
import classes from "./Settings.module.css";
import { type SettingChanges, useChosen, useSaveSettings } from "./use-saving.ts";

export type GroupName = keyof typeof ownSettingsTexts.ownSettings.groups;

/** Settings that belong together, as the server's table says. Each is saved at once. */
export function SettingsGroup({ group, children }: { group: GroupName; children?: ReactNode }) {
  const { t } = useTranslation();
  const sections = useSettingTables()?.own.filter(({ section }) => section === group);
  return (
    <section className={classes.group}>
      <h3>{t(`ownSettings.groups.${group}`)}</h3>
      {settingsIn(sections).map((setting) => (
        <Row key={setting.name} setting={setting} />
      ))}
      {children}
    </section>
  );
}

type Value = string | number | boolean | undefined;

function Row({ setting: { name, control, values = [], min = 0, max = min } }: { setting: Setting }) {
  useTranslation();
  const stored = useChatState(({ user_settings }) => user_settings?.[name as "enter_sends"] as Value);
  const [value, choose] = useChosen(stored);
  const [saving, save] = useSaveSettings();
  const change = (chosen: Value) => choose(chosen, () => save({ [name]: chosen } as SettingChanges));
  const label = textAt(`userSettings.${name}.own`) ?? textAt(`userSettings.${name}.label`) ?? name;
  if (control === "switch")
    return (
      <div className={classes.row}>
        <Switch label={label} checked={value === true} onChange={(event) => change(event.currentTarget.checked)} />
        <SavingNote saving={saving} />
      </div>
    );
  const textOf = (one: string | number) =>
    textAt(`userSettings.${name}.ownChoices.${one}`) ?? textAt(`userSettings.${name}.choices.${one}`);
  // A number is chosen among those that have a name.
  const offered = control === "choice" ? values : numbersFrom(min, max).filter((one) => textOf(one) !== undefined);
  const isOther = value !== undefined && typeof value !== "boolean" && !offered.includes(value);
  return (
    <div className={classes.row}>
      <NativeSelect
        label={label}
        value={String(value)}
        onChange={(event) => {
          const chosen = offered.find((one) => String(one) === event.currentTarget.value);
          if (chosen !== undefined) change(chosen);
        }}
        data={[...offered, ...(isOther ? [value] : [])].map((one) => ({
          value: String(one),
          label: textOf(one) ?? String(one),
        }))}
      />
      <SavingNote saving={saving} />
    </div>
  );
}

const numbersFrom = (min: number, max: number): (string | number)[] =>
  Array.from({ length: max - min + 1 }, (_, step) => min + step);
