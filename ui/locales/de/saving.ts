export const savingTexts = {
  form: {
    cancel: "Abbrechen",
    discard: "Verwerfen",
    discardTitle: "Verwerfen, was du eingegeben hast?",
    discardHint: "Es wurde nicht gespeichert.",
    goOn: "Weitermachen",
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
