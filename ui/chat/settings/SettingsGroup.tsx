import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Input } from "../../api/client.ts";
import type { ownSettingsTexts } from "../../locales/en/own-settings.ts";
import { textAt } from "../../locales/i18n.ts";
import { type Setting, settingsIn, useSettingTables } from "../../parts/settings/setting-tables.ts";
import { ChoiceSetting, SwitchSetting } from "../../parts/settings/settings.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import classes from "./Settings.module.css";

export type GroupName = keyof typeof ownSettingsTexts.ownSettings.groups;

/** A group of user settings, from the server's table. */
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
  const { chat } = useChat();
  const value = useChatState(({ user_settings }) => user_settings?.[name as "enter_sends"] as Value);
  const text = (key: string) => textAt(`userSettings.${name}.${key}`);
  const common = {
    label: text("own") ?? text("label") ?? name,
    help: text("help"),
    save: (chosen: Value) => chat.client.call("PATCH /settings", { [name]: chosen } as Input<"PATCH /settings">),
  };
  if (control === "switch") return <SwitchSetting {...common} value={value === true} />;
  // Numbers are choices only if they have a name.
  const named =
    control === "choice" ? values : numbersFrom(min, max).filter((one) => text(`choices.${one}`) !== undefined);
  const chosen = value === undefined || typeof value === "boolean" ? "" : value;
  const offered = named.includes(chosen) ? named : [...named, chosen];
  return (
    <ChoiceSetting
      {...common}
      value={chosen}
      choices={offered.map((one) => ({ value: one, label: text(`choices.${one}`) ?? String(one) }))}
    />
  );
}

/** The choices in a long range: periods in seconds. */
const PERIODS = [60, 120, 300, 600, 1800, 3600, 14_400, 86_400];

const numbersFrom = (min: number, max: number): (string | number)[] =>
  max - min > 1000
    ? PERIODS.filter((period) => period >= min && period <= max)
    : Array.from({ length: max - min + 1 }, (_, step) => min + step);
