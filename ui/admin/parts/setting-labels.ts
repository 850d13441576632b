import { settingLabel } from "../../../server/locales/audit-words.ts";
import { textAt } from "../../locales/i18n.ts";
import { folded } from "../../parts/folded.ts";

/** What a setting is found by, folded: its label, its help, words of the catalogue, and its name for programs. */
export function settingSearchText(kind: "organization setting" | "default setting", name: string): string {
  const entry = kind === "organization setting" ? `organization.${name}` : `userSettings.${name}`;
  const words = [settingLabel(kind, name, textAt), textAt(`${entry}.help`), textAt(`${entry}.keywords`)];
  return folded([...words.map((text) => text ?? ""), name.replaceAll("_", " ")].join(" "));
}
