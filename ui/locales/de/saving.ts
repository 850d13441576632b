export const savingTexts = {
  form: {
    cancel: "Abbrechen",
  },
  saving: {
    notices: "Hinweise",
    savedNamed: "Gespeichert: {{name}}",
    undo: "Rückgängig",
    undone: "Rückgängig gemacht",
    failed: "Nicht gespeichert: {{reason}}",
    failedNamed: "{{name}} wurde nicht gespeichert: {{reason}}",
    changedMeanwhile: "Jemand hat das auf „{{value}}“ geändert, während du getippt hast.",
    emptiedMeanwhile: "Jemand hat das geleert, während du getippt hast.",
    keepMine: "Meins speichern",
    takeTheirs: "Das andere übernehmen",
    dismiss: "Ausblenden",
  },
  confirm: {
    type: "Gib zur Bestätigung {{name}} ein",
    cancel: "Abbrechen",
  },
};
