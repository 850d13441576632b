import { Button, Group, Switch, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Input } from "../../api/client.ts";
import { locale } from "../../locales/i18n.ts";
import { timeOrDay } from "../../parts/format.ts";
import { useSaved } from "../../parts/settings/use-saved.ts";
import { useNow } from "../../parts/use-now.ts";
import { useChat, useChatState } from "../chat-context.ts";
import classes from "./Settings.module.css";

const HOUR_MS = 3_600_000;

type Settings = Input<"PATCH /settings">;

function useSetting<Name extends "quiet_hours_start" | "quiet_hours_end" | "quiet_days" | "quiet_until">(
  name: Name,
  label: string,
) {
  const { chat } = useChat();
  const value = useChatState(({ user_settings }) => user_settings?.[name] ?? 0);
  return useSaved({
    value,
    name: label,
    save: (next) => chat.client.call("PATCH /settings", { [name]: next } as Settings),
  });
}

/** "Do not disturb" for a while, and a weekly schedule. Both apply to all of the person's devices. */
export function QuietHours() {
  const { t } = useTranslation();
  return (
    <section className={classes.group}>
      <h3>{t("ownSettings.quiet.title")}</h3>
      <p className={classes.hint}>{t("ownSettings.quiet.hint")}</p>
      <Pause />
      <Schedule />
    </section>
  );
}

function Pause() {
  const { t } = useTranslation();
  const { shown, change } = useSetting("quiet_until", t("ownSettings.quiet.title"));
  const until = shown * 1000;
  const now = useNow();
  const tomorrow = new Date(now);
  tomorrow.setDate(tomorrow.getDate() + 1);
  tomorrow.setHours(8, 0, 0, 0);
  const ends = [
    ["hour", now + HOUR_MS],
    ["day", now + 8 * HOUR_MS],
    ["tomorrow", tomorrow.getTime()],
  ] as const;
  if (until > now)
    return (
      <div className={classes.actions}>
        <p className={classes.hint} role="status">
          {t("ownSettings.quiet.until", { time: timeOrDay(until, now) })}
        </p>
        <Button size="sm" variant="default" onClick={() => change(0)}>
          {t("ownSettings.quiet.end")}
        </Button>
      </div>
    );
  return (
    <div className={classes.actions}>
      {ends.map(([name, at]) => (
        <Button key={name} size="sm" variant="default" onClick={() => change(Math.floor(at / 1000))}>
          {t(`ownSettings.quiet.${name}`)}
        </Button>
      ))}
    </div>
  );
}

function Schedule() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const label = t("ownSettings.quiet.schedule");
  const { shown, change } = useSaved({
    value: useChatState(({ user_settings }) => user_settings?.quiet_hours_enabled ?? false),
    name: label,
    save: (next) => chat.client.call("PATCH /settings", { quiet_hours_enabled: next }),
  });
  const zone = useChatState(({ user_settings }) => user_settings?.timezone ?? "");
  return (
    <>
      <Switch label={label} checked={shown} onChange={(event) => change(event.currentTarget.checked)} />
      {shown && (
        <>
          <Group gap="sm">
            <Time name="quiet_hours_start" label={t("ownSettings.quiet.from")} />
            <Time name="quiet_hours_end" label={t("ownSettings.quiet.to")} />
          </Group>
          <Days />
          {zone && <p className={classes.hint}>{t("ownSettings.quiet.zone", { zone })}</p>}
        </>
      )}
    </>
  );
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

function Time({ name, label }: { name: "quiet_hours_start" | "quiet_hours_end"; label: string }) {
  const { shown, error, change } = useSetting(name, label);
  return (
    <TextInput
      type="time"
      label={label}
      error={error}
      key={shown}
      defaultValue={clock(shown)}
      onBlur={({ currentTarget: { value } }) => {
        const [hours = 0, minutes = 0] = value.split(":").map(Number);
        const chosen = hours * 60 + minutes;
        if (value !== "" && chosen !== shown) change(chosen);
      }}
    />
  );
}

/** Monday is the first. */
const DAYS = [0, 1, 2, 3, 4, 5, 6];
const dayName = (day: number): string =>
  new Intl.DateTimeFormat(locale(), { weekday: "short", timeZone: "UTC" }).format(Date.UTC(2024, 0, 1 + day));

function Days() {
  const { t } = useTranslation();
  const label = t("ownSettings.quiet.days");
  const { shown, change } = useSetting("quiet_days", label);
  const isOn = (day: number) => (shown & (1 << day)) !== 0;
  return (
    <fieldset className={classes.days}>
      <legend>{label}</legend>
      <Group gap="xs">
        {DAYS.map((day) => (
          <Button
            key={day}
            size="compact-sm"
            variant={isOn(day) ? "filled" : "default"}
            aria-pressed={isOn(day)}
            onClick={() => change(shown ^ (1 << day))}
          >
            {dayName(day)}
          </Button>
        ))}
      </Group>
    </fieldset>
  );
}
