import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import {
  ChoiceSetting,
  NumberSetting,
  type SettingProps,
  SwitchSetting,
  TextSetting,
} from "../../parts/settings/settings.tsx";
import { useOrganization } from "../admin-context.ts";
import { LANGUAGE_CODES, languageName } from "./languages.ts";
import { PeriodSetting } from "./PeriodSetting.tsx";
import type { Setting } from "./setting.ts";

export interface SettingControlProps extends Omit<SettingProps<unknown>, "save"> {
  save(value: unknown): Promise<unknown>;
  setting: Setting;
  /** What a value of a choice is called. */
  choiceLabel(value: string | number): string;
}

/** The control for a setting of any kind. */
export function SettingControl({ setting: { kind }, choiceLabel, value, save, ...texts }: SettingControlProps) {
  const { t } = useTranslation();
  switch (kind.type) {
    case "switch":
      return <SwitchSetting {...texts} value={value === true} save={save} />;
    case "text":
      return (
        <TextSetting
          {...texts}
          value={String(value ?? "")}
          save={save}
          maxLength={kind.maxLength}
          multiline={kind.multiline === true}
        />
      );
    case "address":
      return (
        <TextSetting
          {...texts}
          value={value === null ? "" : String(value)}
          save={(address) => save(address === "" ? null : address)}
          placeholder={t("settings.addressExample")}
          maxLength={200}
        />
      );
    case "number":
      return (
        <NumberSetting
          {...texts}
          value={Number(value)}
          save={save}
          min={kind.min}
          {...(kind.max !== undefined && { max: kind.max })}
        />
      );
    case "choice":
      return (
        <ChoiceSetting
          {...texts}
          value={value as string | number}
          save={save}
          choices={kind.values.map((one) => ({ value: one, label: choiceLabel(one) }))}
        />
      );
    case "language":
      return (
        <ChoiceSetting
          {...texts}
          value={String(value)}
          save={save}
          choices={LANGUAGE_CODES.map((code) => ({ value: code as string, label: languageName(code) }))}
        />
      );
    case "period":
      return (
        <PeriodSetting
          {...texts}
          value={value as number | null}
          save={save}
          unit="seconds"
          always={t("settings.always")}
        />
      );
    case "days":
      return (
        <PeriodSetting
          {...texts}
          value={value === -1 ? null : Number(value)}
          save={(days) => save(days ?? -1)}
          unit="days"
          isRetention
          always={t("settings.never")}
        />
      );
    case "channel":
      return <ChannelSetting {...texts} value={Number(value)} save={save} />;
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
