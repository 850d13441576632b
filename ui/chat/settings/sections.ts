/** The pages of one's own settings, in order. */
export const SECTIONS = ["profile", "account", "preferences", "notifications", "access"] as const;
export type Section = (typeof SECTIONS)[number];

/** As the public web client names them. */
const OTHER_NAMES: Readonly<Record<string, Section>> = {
  "account-and-privacy": "account",
  "your-account": "account",
  "display-settings": "preferences",
  "api-key": "access",
};

export const addressOfSettings = (section: Section): string => `#settings/${section}`;

/** The page of settings that an address names, the first one for an unknown name; undefined for other addresses. */
export function settingsAt(hash: string): Section | undefined {
  const [first, name = ""] = hash.replace(/^#/, "").split("/");
  if (first !== "settings") return undefined;
  return SECTIONS.find((section) => section === name) ?? OTHER_NAMES[name] ?? SECTIONS[0];
}
