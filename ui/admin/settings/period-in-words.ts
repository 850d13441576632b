import type { TFunction } from "i18next";

/** `For 3 days`, in the largest unit without a fraction. */
export function periodInWords(count: number, unit: "seconds" | "days", t: TFunction): string {
  if (unit === "days") return t("settings.forDays", { count });
  if (count % 86_400 === 0) return t("settings.forDays", { count: count / 86_400 });
  if (count % 3600 === 0) return t("settings.hours", { count: count / 3600 });
  if (count % 60 === 0) return t("settings.minutes", { count: count / 60 });
  return t("settings.forSeconds", { count });
}
