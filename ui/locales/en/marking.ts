/** Chat page: marking many messages as read, and moving messages. */
export const markingTexts = {
  marking: {
    read: {
      done_one: "{{count, number}} message marked as read",
      done_other: "{{count, number}} messages marked as read",
      doneWithMuted_one: "{{count, number}} message marked as read, in a muted topic",
      doneWithMuted_other: "{{count, number}} messages marked as read, including {{muted, number}} in muted topics",
      progress_one: "Marking as read…",
      progress_other: "Marking as read: {{done, number}} of {{count, number}}…",
      stopped_one: "The message was not marked as read: {{reason}}",
      stopped_other: "Stopped after {{done, number}} of {{count, number}} messages: {{reason}}",
    },
    unread: {
      progress_one: "Marking as unread…",
      progress_other: "Marking as unread: {{done, number}} of {{count, number}}…",
      stopped_one: "The message was not marked as unread: {{reason}}",
      stopped_other: "Stopped after {{done, number}} of {{count, number}} messages: {{reason}}",
    },
    resolved: "Marked as resolved for everyone",
    unresolved: "Marked as unresolved for everyone",
    moved: "Moved for everyone",
    noAnswer: "Hearth isn't responding.",
    goOn: "Continue",
  },
} as const;
