/** What the chat page says when much is marked as read at once. */
export const markingTexts = {
  marking: {
    read: {
      done_one: "{{count, number}} message marked as read",
      done_other: "{{count, number}} messages marked as read",
      doneWithMuted_one: "{{count, number}} message marked as read, in a muted topic",
      doneWithMuted_other: "{{count, number}} messages marked as read, {{muted, number}} of them in muted topics",
      progress_one: "Marking as read…",
      progress_other: "Marking as read: {{done, number}} of {{count, number}}…",
      stopped_one: "The message was not marked as read: {{reason}}",
      stopped_other: "{{done, number}} of {{count, number}} messages are marked as read, then it stopped: {{reason}}",
    },
    unread: {
      progress_one: "Marking as unread…",
      progress_other: "Marking as unread: {{done, number}} of {{count, number}}…",
      stopped_one: "The message was not marked as unread: {{reason}}",
      stopped_other: "{{done, number}} of {{count, number}} messages are unread again, then it stopped: {{reason}}",
    },
    noAnswer: "Hearth doesn't answer.",
    goOn: "Go on",
  },
} as const;
