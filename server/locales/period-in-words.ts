type PeriodKey = `settings.${"forDays" | "hours" | "minutes" | "forSeconds"}`;

/** Text such as `For 3 days`, in the largest unit without a fraction. */
export function periodInWords(
  count: number,
  unit: "seconds" | "days",
  say: (key: PeriodKey, values: { count: number }) => string,
): string {
  if (unit === "days") return say("settings.forDays", { count });
  if (count % 86_400 === 0) return say("settings.forDays", { count: count / 86_400 });
  if (count % 3600 === 0) return say("settings.hours", { count: count / 3600 });
  if (count % 60 === 0) return say("settings.minutes", { count: count / 60 });
  return say("settings.forSeconds", { count });
}
