import { TagsInput } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Refusal } from "../../api/client.ts";
import { languageName } from "../../parts/format.ts";
import type { Setting } from "../../parts/settings/setting-tables.ts";
import {
  ChoiceSetting,
  LimitSetting,
  NumberSetting,
  type SettingProps,
  SwitchSetting,
  TextSetting,
} from "../../parts/settings/settings.tsx";
import { useSaved } from "../../parts/settings/use-saved.ts";
import { useOrganization } from "../admin-context.ts";
import { PeriodSetting } from "./PeriodSetting.tsx";
import classes from "./SettingControl.module.css";

export interface SettingControlProps extends Omit<SettingProps<unknown>, "label"> {
  save(value: unknown): Promise<unknown>;
  setting: Setting;
  /** Returns a text of the setting by its key, such as `label`. */
  text(key: string): string | undefined;
}

const DAY_MINUTES = 1_440;

/** The control that the server's table names for a setting. */
export function SettingControl({ setting, text, value, save, help, ...rest }: SettingControlProps) {
  const { t } = useTranslation();
  const { name, control, values = [], min, max, max_length: maxLength } = setting;
  const common = { ...rest, save, label: text("label") ?? name, help: help ?? text("help") };
  const range = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  const limit = maxLength === undefined ? {} : { maxLength };
  switch (control) {
    case "switch":
      return <SwitchSetting {...common} value={value === true} />;
    case "text":
    case "lines":
      return <TextSetting {...common} {...limit} value={String(value ?? "")} multiline={control === "lines"} />;
    case "address":
      return (
        <TextSetting
          {...common}
          {...limit}
          value={value === null ? "" : String(value)}
          save={(address) => save(address === "" ? null : address)}
          placeholder={t("settings.addressExample")}
        />
      );
    case "number":
      return <NumberSetting {...common} {...range} value={Number(value)} />;
    case "limit":
      return (
        <LimitSetting {...common} {...range} value={value as number | null} placeholder={text("placeholder") ?? ""} />
      );
    case "minutes":
      return (
        <NumberSetting
          {...common}
          min={(min ?? 0) / DAY_MINUTES}
          value={Number(value) / DAY_MINUTES}
          save={(days) => save(Math.round(days * DAY_MINUTES))}
        />
      );
    case "choice":
      return (
        <ChoiceSetting
          {...common}
          value={value as string | number}
          choices={values.map((choice) => ({ value: choice, label: text(`choices.${choice}`) ?? String(choice) }))}
        />
      );
    case "language":
      return (
        <ChoiceSetting
          {...common}
          value={String(value)}
          choices={values.map((code) => ({ value: String(code), label: languageName(String(code)) }))}
        />
      );
    case "period":
      return <PeriodSetting {...common} value={value as number | null} unit="seconds" always={t("settings.always")} />;
    case "days":
      return (
        <PeriodSetting
          {...common}
          value={value === -1 ? null : Number(value)}
          save={(days) => save(days ?? -1)}
          unit="days"
          isRetention
          always={t("settings.never")}
        />
      );
    case "channel":
      return <ChannelSetting {...common} value={Number(value)} />;
    case "names":
      return (
        <NamesSetting
          {...common}
          value={value as readonly string[]}
          placeholder={text("placeholder")}
          invalid={text("invalid")}
        />
      );
    // Their pages have special rows for these.
    case "group":
    case "rate limits":
      return null;
  }
}

function ChannelSetting(props: SettingProps<number>) {
  const { t } = useTranslation();
  const streams = useOrganization(({ streams }) => streams);
  const choices = useMemo(() => {
    const named = (streams ?? [])
      .filter((channel) => !channel.is_archived)
      .map(({ stream_id, name }) => ({ value: stream_id, label: `#${name}` }))
      .sort((a, b) => a.label.localeCompare(b.label));
    return [{ value: -1, label: t("settings.noChannel") }, ...named];
  }, [streams, t]);
  return <ChoiceSetting {...props} choices={choices} />;
}

interface NamesSettingProps extends SettingProps<readonly string[]> {
  placeholder: string | undefined;
  /** The error for an item that the server rejects, with `{{name}}` for the item. */
  invalid: string | undefined;
}

function NamesSetting({ label, help, placeholder, invalid, disabled = false, value, save }: NamesSettingProps) {
  const { t } = useTranslation();
  const saveNames = (next: readonly string[]) =>
    save(next, value).catch((refused: unknown) => {
      const added = next.find((name) => !value.includes(name));
      // The server's error names the item by its index.
      const isItem = refused instanceof Refusal && refused.status === 400 && added !== undefined;
      if (!isItem) throw refused;
      throw new Error(invalid?.replace("{{name}}", () => added) ?? t("network.invalidName", { name: added }));
    });
  const { shown, error, isSaving, change } = useSaved({ value, save: saveNames, name: label });
  return (
    <TagsInput
      classNames={{ input: classes.tags, inputField: classes.tagField }}
      label={label}
      description={help}
      error={error}
      disabled={disabled}
      aria-busy={isSaving}
      placeholder={disabled ? "" : (placeholder ?? t("network.addName"))}
      value={[...shown]}
      onChange={change}
    />
  );
}
