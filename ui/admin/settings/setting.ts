import type { State } from "../../api/state-shape.ts";
import type { GroupSetting } from "../../parts/settings/group-members.ts";
import { type Setting, type SettingSection, settingsIn } from "../../parts/settings/setting-tables.ts";

/** Whether a setting has another value than in a new organization. */
export const isChanged = ({ initial }: Setting, value: unknown): boolean => value !== initial;

/** The names of those that have another value than in a new organization, with blanks between: a primitive, for selectors. */
export const changedIn = (sections: readonly SettingSection[], valueIn: (setting: Setting) => unknown): string =>
  settingsIn(sections)
    .filter((setting) => isChanged(setting, valueIn(setting)))
    .map(({ name }) => name)
    .join(" ");

/** The sections with the settings that are shown, without those that have none. */
export const shownIn = (
  sections: readonly SettingSection[],
  isShown: (setting: Setting, section: string) => boolean,
): SettingSection[] =>
  sections
    .map(({ section, settings }) => ({ section, settings: settings.filter((setting) => isShown(setting, section)) }))
    .filter(({ settings }) => settings.length > 0);

/** The value of a permission of the organization. */
export const permissionIn = (state: State, name: string): GroupSetting | undefined =>
  state[`realm_${name}` as "realm_can_create_groups"];

/** As PATCH /realm takes a value. */
export function onWire({ control }: Setting, value: unknown): unknown {
  if ((control === "period" && value === null) || (control === "days" && value === -1)) return "unlimited";
  return control === "address" && value === null ? "default" : value;
}
