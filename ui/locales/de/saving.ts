export const savingTexts = {
  form: {
    cancel: "Abbrechen",
  },
  saving: {
    notices: "Benachrichtigungen",
    savedNamed: "Gespeichert: {{name}}",
    undo: "Rückgängig",
    undone: "Rückgängig gemacht",
    failed: "Nicht gespeichert: {{reason}}",
    failedNamed: "{{name}} wurde nicht gespeichert: {{reason}}",
    changedMeanwhile: "Jemand hat das auf „{{value}}“ geändert, während Sie getippt haben.",
    emptiedMeanwhile: "Jemand hat das geleert, während Sie getippt haben.",
    keepMine: "Meine Version behalten",
    takeTheirs: "Andere Version übernehmen",
    dismiss: "Ausblenden",
  },
  confirm: {
    type: "Geben Sie zur Bestätigung {{name}} ein",
    cancel: "Abbrechen",
    change: "Ändern",
  },
};
