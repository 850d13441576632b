import i18next from "i18next";

/** What the page of a setting calls it; `kind` as in the audit's targets. Undefined for one without a control there. */
export function settingLabel(kind: string, name: string): string | undefined {
  const key = keysOf(kind, name).find((one) => i18next.exists(one));
  return key && i18next.t(key as "organization.name.label");
}

function keysOf(kind: string, name: string): string[] {
  if (kind === "default setting") return [`newMembers.settings.${name}.label`];
  if (kind === "organization picture") return [`organization.pictures.${name === "night_logo" ? "nightLogo" : name}`];
  return [`organization.${name}.label`, `organizationPermissions.who.${name}`];
}

/** What a setting is found by, in small letters: its label, its help, words of the catalogue, and its name for programs. */
export function settingSearchText(kind: string, name: string): string {
  const texts = [`organization.${name}.help`, `settingKeywords.${name}`].filter(
    (key) => kind === "organization setting" && i18next.exists(key),
  );
  const words = texts.map((key) => i18next.t(key as "organization.name.help"));
  return [settingLabel(kind, name) ?? "", ...words, name.replaceAll("_", " ")].join(" ").toLowerCase();
}
