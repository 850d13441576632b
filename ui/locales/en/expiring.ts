/** How many messages a shorter retention deletes. */
export const expiringTexts = {
  expiring: {
    counting: "Counting what will go…",
    none: "No message is that old now.",
    messages_one: "{{count, number}} message goes within an hour.",
    messages_other: "{{count, number}} messages go within an hour.",
    more_one: "More than {{count, number}} message goes, beginning within an hour.",
    more_other: "More than {{count, number}} messages go, beginning within an hour.",
    files_one: "With them goes {{count, number}} file ({{bytes}}).",
    files_other: "With them go {{count, number}} files ({{bytes}}).",
  },
} as const;
