import { settingLabel } from "../../locales/audit-words.ts";
import { textAt } from "../../locales/i18n.ts";
import { folded } from "../../parts/folded.ts";

/** What a setting is found by, folded: its label, its help, words of the catalogue, and its name for programs. */
export function settingSearchText(kind: string, name: string): string {
  const keys = kind === "organization setting" ? [`organization.${name}.help`, `settingKeywords.${name}`] : [];
  const words = [settingLabel(kind, name, textAt), ...keys.map(textAt)].map((text) => text ?? "");
  return folded([...words, name.replaceAll("_", " ")].join(" "));
}
