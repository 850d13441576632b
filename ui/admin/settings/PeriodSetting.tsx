import { NumberInput, Select, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { periodInWords } from "../../../server/locales/period-in-words.ts";
import { ConfirmDialog } from "../../parts/settings/ConfirmDialog.tsx";
import { ExpiringCount } from "../../parts/settings/ExpiringCount.tsx";
import type { SettingProps } from "../../parts/settings/settings.tsx";
import { useSaved } from "../../parts/settings/use-saved.ts";

export interface PeriodSettingProps extends SettingProps<number | null> {
  unit: "seconds" | "days";
  /** The label of null. */
  always: string;
  /** The period is how long messages are kept. A shorter one deletes messages, so it needs a confirmation. */
  isRetention?: boolean;
}

const PRESETS = {
  seconds: [60, 120, 600, 3600, 86_400, 604_800],
  days: [7, 30, 90, 365, 730],
};
const CUSTOM = "custom";
const ALWAYS = "always";

/** A period: a preset, no limit, or a custom number. */
export function PeriodSetting(props: PeriodSettingProps) {
  const { label, help, disabled, unit, always, isRetention = false, ...options } = props;
  const { t } = useTranslation();
  const { shown, error, isSaving, change } = useSaved({ ...options, name: label });
  const [confirming, setConfirming] = useState<number>();
  const [isCustom, setCustom] = useState(false);

  const presets = PRESETS[unit];
  const offered = shown === null || presets.includes(shown) ? presets : [...presets, shown].sort((a, b) => a - b);
  const choose = (count: number) => {
    if (isRetention && count < (shown ?? Number.POSITIVE_INFINITY)) setConfirming(count);
    else change(count);
  };

  return (
    <Stack gap="xs">
      <Select
        label={label}
        description={help}
        error={error}
        disabled={disabled ?? false}
        aria-busy={isSaving}
        allowDeselect={false}
        data={[
          ...offered.map((count) => ({ value: String(count), label: periodInWords(count, unit, t) })),
          { value: ALWAYS, label: always },
          { value: CUSTOM, label: t("settings.own") },
        ]}
        value={isCustom ? CUSTOM : shown === null ? ALWAYS : String(shown)}
        onChange={(picked) => {
          setCustom(picked === CUSTOM);
          if (picked === ALWAYS && shown !== null) change(null);
          else if (picked !== null && picked !== CUSTOM && Number(picked) !== shown) choose(Number(picked));
        }}
      />
      {isCustom && (
        <CustomPeriod
          key={shown}
          label={label}
          unit={unit}
          initial={shown}
          onSubmit={(count) => {
            if (count !== undefined && count !== shown) choose(count);
            setCustom(false);
          }}
        />
      )}
      {confirming !== undefined && (
        <ConfirmDialog
          title={t("settings.shorten")}
          confirmLabel={t("channels.retention.confirm", { count: confirming })}
          onConfirm={async () => change(confirming)}
          onClose={() => setConfirming(undefined)}
        >
          <p>
            {t("channels.retention.warning", { count: confirming })} {t("settings.shortenExcept")}
          </p>
          <ExpiringCount days={confirming} />
        </ConfirmDialog>
      )}
    </Stack>
  );
}

interface CustomPeriodProps {
  label: string;
  unit: "seconds" | "days";
  initial: number | null;
  /** Undefined if the text is not a period. */
  onSubmit(count: number | undefined): void;
}

function CustomPeriod({ label, unit, initial, onSubmit }: CustomPeriodProps) {
  const { t } = useTranslation();
  const [number, setNumber] = useState<number | string>(initial ?? "");
  const submit = () => {
    const count = Number(number);
    onSubmit(Number.isSafeInteger(count) && count > 0 ? count : undefined);
  };
  return (
    <NumberInput
      aria-label={`${label}: ${t(`settings.${unit}`)}`}
      suffix={` ${t(`settings.${unit}`)}`}
      min={1}
      value={number}
      onChange={setNumber}
      onBlur={submit}
      onKeyDown={(event) => event.key === "Enter" && submit()}
      autoFocus
    />
  );
}
