/** How settings are saved, forms are left, and what cannot be undone is asked about. */
export const savingTexts = {
  form: {
    cancel: "Cancel",
  },
  saving: {
    notices: "Notices",
    savedNamed: "Saved: {{name}}",
    undo: "Undo",
    undone: "Undone",
    failed: "Not saved: {{reason}}",
    failedNamed: "{{name}} was not saved: {{reason}}",
    changedMeanwhile: "Somebody changed this to “{{value}}” while you were typing.",
    emptiedMeanwhile: "Somebody emptied this while you were typing.",
    keepMine: "Save mine",
    takeTheirs: "Take theirs",
    dismiss: "Dismiss",
  },
  confirm: {
    type: "To confirm, type {{name}}",
    cancel: "Cancel",
  },
} as const;
