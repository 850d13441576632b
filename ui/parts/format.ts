import { locale } from "../locales/i18n.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** `4.2 MB`, `310 GB`, `0 bytes`: three digits at most. */
export function bytes(count: number): string {
  let [value, unit] = [count, 0];
  for (; value >= 999.5 && unit < UNITS.length - 1; unit += 1) value /= 1000;
  const maximumFractionDigits = unit === 0 || value >= 100 ? 0 : 1;
  return measure(value, UNITS[unit] as string, maximumFractionDigits, unit === 0 ? "long" : "short");
}

export const milliseconds = (count: number): string =>
  count >= 1000 ? measure(count / 1000, "second", 1) : measure(count, "millisecond", count < 10 ? 1 : 0);

export const number = (value: number): string => numberFormat({}).format(value);

/** The separators of `number`, for number fields. */
export function numberSeparators(): { thousandSeparator: string; decimalSeparator: string } {
  const parts = numberFormat({}).formatToParts(12_345_678.5);
  const sign = (type: "group" | "decimal") => parts.find((part) => part.type === type)?.value ?? "";
  return { thousandSeparator: sign("group"), decimalSeparator: sign("decimal") };
}

let hours: Pick<Intl.DateTimeFormatOptions, "hourCycle"> = {};

/** Shows times from 0:00 to 23:59 regardless of the locale. */
export function showTwentyFourHours(wanted: boolean): void {
  hours = wanted ? { hourCycle: "h23" } : {};
}

/** Caches formatters by locale: creating one costs more than the rest of a list row. */
function kept<Options, Format>(make: new (locale: string, options: Options) => Format): (options: Options) => Format {
  const formats = new Map<string, Format>();
  return (options) => {
    const key = `${locale()} ${JSON.stringify(options)}`;
    const format = formats.get(key) ?? new make(locale(), options);
    formats.set(key, format);
    return format;
  };
}

const dateFormat = kept<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(Intl.DateTimeFormat);
const relativeFormat = kept<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(Intl.RelativeTimeFormat);
const numberFormat = kept<Intl.NumberFormatOptions, Intl.NumberFormat>(Intl.NumberFormat);

/** `14:05` */
export const time = (at: number): string => dateFormat({ hour: "numeric", minute: "2-digit", ...hours }).format(at);

/** `22 Nov, 14:05:09` */
export const preciseTime = (at: number): string =>
  dateFormat({
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).format(at);

/** The time, with the date if that is not today. */
export function timeOrDay(at: number, now: number): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return sameDay ? time(at) : dateFormat({ dateStyle: "medium", timeStyle: "short", ...hours }).format(at);
}

/** `Today`, `Yesterday`, `Friday 3 May`; with the year if it differs. */
export function day(at: number, now: number): string {
  const startOf = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
  const daysAgo = Math.round((startOf(now) - startOf(at)) / 86_400_000);
  if (daysAgo === 0 || daysAgo === 1) {
    const words = relativeFormat({ numeric: "auto" }).format(-daysAgo, "day");
    return words.charAt(0).toLocaleUpperCase(locale()) + words.slice(1);
  }
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const year = isThisYear ? {} : ({ year: "numeric" } as const);
  return dateFormat({ weekday: "long", day: "numeric", month: "long", ...year }).format(at);
}

/** `Mon 4 May, 09:00` */
export const dayAndTime = (at: number): string =>
  dateFormat({
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "numeric",
    minute: "2-digit",
  }).format(at);

/** `March 2024`, of a UTC month such as `2024-03`. */
export const monthName = (month: string): string =>
  dateFormat({ month: "long", year: "numeric", timeZone: "UTC" }).format(Date.parse(`${month}-01`));

export const exactTime = (at: number): string =>
  dateFormat({ dateStyle: "full", timeStyle: "medium", ...hours }).format(at);

const STEPS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** `2 minutes ago`; `now` within the first minute. */
export function relative(at: number, now: number): string {
  const formatter = relativeFormat({ numeric: "auto" });
  const ago = Math.max(0, now - at);
  if (ago > 30 * 86_400_000) return dateFormat({ dateStyle: "medium" }).format(at);
  for (const [unit, size] of STEPS) if (ago >= size) return formatter.format(-Math.floor(ago / size), unit);
  return formatter.format(0, "second");
}

/**
 * `in 3 days`, rounded down, except if less than 1/24 of the unit is missing: an invitation for ten days still says ten
 * days a moment later. `in 1 minute` at the end.
 */
export function relativeAhead(at: number, now: number): string {
  const formatter = relativeFormat({ numeric: "always" });
  const ahead = Math.max(60_000, at - now);
  for (const [unit, size] of STEPS) {
    const count = Math.floor(ahead / size + 1 / 24);
    if (count >= 1) return formatter.format(count, unit);
  }
  return formatter.format(1, "minute");
}

/** `3 days`, `2 hours`, `40 seconds`: the largest unit, rounded up. */
export function duration(ms: number): string {
  for (const [unit, size] of STEPS) if (ms >= size) return measure(Math.ceil(ms / size), unit, 0, "long");
  return measure(Math.max(1, Math.ceil(ms / 1000)), "second", 0, "long");
}

function measure(value: number, unit: string, maximumFractionDigits: number, unitDisplay: "short" | "long" = "short") {
  return numberFormat({ style: "unit", unit, unitDisplay, maximumFractionDigits }).format(value);
}

/** A language's own name. */
export function languageName(code: string): string {
  const name = new Intl.DisplayNames([code, "en"], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}
