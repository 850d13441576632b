/** Saving settings, leaving forms, and confirmations. */
export const savingTexts = {
  form: {
    cancel: "Cancel",
  },
  saving: {
    notices: "Notifications",
    savedNamed: "Saved: {{name}}",
    undo: "Undo",
    undone: "Undone",
    failed: "Not saved: {{reason}}",
    failedNamed: "{{name}} was not saved: {{reason}}",
    changedMeanwhile: "Someone changed this to “{{value}}” while you were typing.",
    emptiedMeanwhile: "Someone cleared this while you were typing.",
    keepMine: "Keep mine",
    takeTheirs: "Use theirs",
    dismiss: "Dismiss",
  },
  confirm: {
    type: "To confirm, type {{name}}",
    cancel: "Cancel",
    change: "Change",
  },
} as const;
