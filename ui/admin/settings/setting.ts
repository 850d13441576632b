import type { State } from "../../api/state-shape.ts";
import type { GroupSetting } from "../../parts/settings/group-members.ts";
import { type Setting, type SettingSection, settingsIn } from "../../parts/settings/setting-tables.ts";

/** Whether the value differs from the one in a new organization. */
export const isChanged = ({ initial }: Setting, value: unknown): boolean => value !== initial;

/** The names of all changed settings, separated by spaces: a selector has to return a primitive. */
export const changedIn = (sections: readonly SettingSection[], valueIn: (setting: Setting) => unknown): string =>
  settingsIn(sections)
    .filter((setting) => isChanged(setting, valueIn(setting)))
    .map(({ name }) => name)
    .join(" ");

/** The sections with their shown settings, without empty sections. */
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

/** The value as PATCH /realm takes it. */
export function onWire({ control }: Setting, value: unknown): unknown {
  if ((control === "period" && value === null) || (control === "days" && value === -1)) return "unlimited";
  return control === "address" && value === null ? "default" : value;
}
