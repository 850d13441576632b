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
    dismiss: "Ausblenden",
  },
  confirm: {
    type: "Gib zur Bestätigung {{name}} ein",
    cancel: "Abbrechen",
  },
};
