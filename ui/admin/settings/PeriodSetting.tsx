import { NumberInput, Select } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { periodInWords } from "../../../server/locales/period-in-words.ts";
import { ConfirmDialog } from "../../parts/settings/ConfirmDialog.tsx";
import { ExpiringCount } from "../../parts/settings/ExpiringCount.tsx";
import type { SettingProps } from "../../parts/settings/settings.tsx";
import { useSaved } from "../../parts/settings/use-saved.ts";
import classes from "./PeriodSetting.module.css";

export interface PeriodSettingProps extends SettingProps<number | null> {
  unit: "seconds" | "days";
  /** What null is called. */
  always: string;
  /** It is how long messages are kept: a shorter time deletes, and is asked about first. */
  isRetention?: boolean;
}

const USUAL = {
  seconds: [60, 120, 600, 3600, 86_400, 604_800],
  days: [7, 30, 90, 365, 730],
};
const OWN = "own";
const ALWAYS = "always";

/** How long: one of the usual times, none, or a number of one's own. */
export function PeriodSetting(props: PeriodSettingProps) {
  const { label, help, disabled, unit, always, isRetention = false, ...options } = props;
  const { t } = useTranslation();
  const { shown, error, isSaving, change } = useSaved({ ...options, name: label });
  const [asked, setAsked] = useState<number>();
  const [isOwn, setOwn] = useState(false);
  const [number, setNumber] = useState<number | string>(shown ?? "");
  useEffect(() => setNumber(shown ?? ""), [shown]);

  const usual = USUAL[unit];
  const offered = shown === null || usual.includes(shown) ? usual : [...usual, shown].sort((a, b) => a - b);
  const choose = (count: number) => {
    if (isRetention && count < (shown ?? Number.POSITIVE_INFINITY)) setAsked(count);
    else change(count);
  };
  const submit = () => {
    const count = Number(number);
    if (Number.isSafeInteger(count) && count > 0 && count !== shown) choose(count);
    setOwn(false);
  };

  return (
    <div className={classes.period}>
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
          { value: OWN, label: t("settings.own") },
        ]}
        value={isOwn ? OWN : shown === null ? ALWAYS : String(shown)}
        onChange={(picked) => {
          setOwn(picked === OWN);
          if (picked === ALWAYS && shown !== null) change(null);
          else if (picked !== null && picked !== OWN && Number(picked) !== shown) choose(Number(picked));
        }}
      />
      {isOwn && (
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
      )}
      {asked !== undefined && (
        <ConfirmDialog
          title={t("settings.shorten")}
          confirmLabel={t("channels.retention.confirm", { count: asked })}
          onConfirm={async () => change(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {t("channels.retention.warning", { count: asked })} {t("settings.shortenExcept")}
          </p>
          <ExpiringCount days={asked} />
        </ConfirmDialog>
      )}
    </div>
  );
}
