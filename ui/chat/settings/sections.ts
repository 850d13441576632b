/** The pages of the personal settings, in order. */
export const SECTIONS = ["profile", "account", "preferences", "notifications", "access"] as const;
export type Section = (typeof SECTIONS)[number];

/** Names in the public web client. */
const OTHER_NAMES: Readonly<Record<string, Section>> = {
  "account-and-privacy": "account",
  "your-account": "account",
  "display-settings": "preferences",
  "api-key": "access",
};

export const addressOfSettings = (section: Section): string => `#settings/${section}`;

/** The settings page of a hash. Undefined if it is not a settings hash; unknown pages lead to the first one. */
export function settingsAt(hash: string): Section | undefined {
  const [first, name = ""] = hash.replace(/^#/, "").split("/");
  if (first !== "settings") return undefined;
  return SECTIONS.find((section) => section === name) ?? OTHER_NAMES[name] ?? SECTIONS[0];
}
