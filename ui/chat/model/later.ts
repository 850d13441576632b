/** Suggested times. Each has a text in `writing.later`. */
export type LaterName = "inAnHour" | "thisEvening" | "tomorrow" | "nextWeek";

export interface Later {
  readonly name: LaterName;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const EVENING_HOUR = 18;
const MORNING_HOUR = 9;
const HOUR_MS = 3_600_000;
const MONDAY = 1;

/** Suggested times in the user's time zone, earliest first. */
export function laterTimes(now: number): Later[] {
  const at = (days: number, hour: number): number => {
    const date = new Date(now);
    date.setDate(date.getDate() + days);
    return date.setHours(hour, 0, 0, 0);
  };
  const weekday = new Date(now).getDay();
  const toMonday = (MONDAY + 7 - weekday) % 7 || 7;
  const evening: Later[] =
    at(0, EVENING_HOUR) - now > HOUR_MS ? [{ name: "thisEvening", at: at(0, EVENING_HOUR) }] : [];
  // On a Sunday, tomorrow is next week.
  const nextWeek: Later[] = toMonday === 1 ? [] : [{ name: "nextWeek", at: at(toMonday, MORNING_HOUR) }];
  return [
    { name: "inAnHour", at: now + HOUR_MS },
    ...evening,
    { name: "tomorrow", at: at(1, MORNING_HOUR) },
    ...nextWeek,
  ];
}

/** The value of an `<input type="datetime-local">`. */
export function inputValueOf(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
