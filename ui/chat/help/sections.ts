export const HELP_SECTIONS = ["keys", "formatting", "operators", "about"] as const;
export type HelpSection = (typeof HELP_SECTIONS)[number];
