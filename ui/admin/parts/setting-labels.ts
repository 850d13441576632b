import { settingLabel } from "../../locales/audit-words.ts";
import { textAt } from "../../locales/i18n.ts";

/** What a setting is found by, in small letters: its label, its help, words of the catalogue, and its name for programs. */
export function settingSearchText(kind: string, name: string): string {
  const keys = kind === "organization setting" ? [`organization.${name}.help`, `settingKeywords.${name}`] : [];
  const words = [settingLabel(kind, name, textAt), ...keys.map(textAt)].map((text) => text ?? "");
  return [...words, name.replaceAll("_", " ")].join(" ").toLowerCase();
}
