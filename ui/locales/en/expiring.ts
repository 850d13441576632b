/** Number of messages that a shorter retention deletes. */
export const expiringTexts = {
  expiring: {
    counting: "Counting the messages to be deleted…",
    none: "No messages are that old.",
    messages_one: "{{count, number}} message will be deleted within an hour.",
    messages_other: "{{count, number}} messages will be deleted within an hour.",
    more_one: "More than {{count, number}} message will be deleted, starting within an hour.",
    more_other: "More than {{count, number}} messages will be deleted, starting within an hour.",
    files_one: "Along with {{count, number}} file ({{bytes}}).",
    files_other: "Along with {{count, number}} files ({{bytes}}).",
  },
} as const;
