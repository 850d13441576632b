export const keyTexts = {
  keys: {
    title: "Tastenkürzel",
    everywhere: "Überall",
    inLists: "In Listen",
    palette: "Alles finden und öffnen",
    search: "In der Liste oder den Einstellungen suchen",
    undo: "Letzte gespeicherte Änderung rückgängig machen, solange ihre Benachrichtigung angezeigt wird",
    help: "Tastenkürzel anzeigen",
    next: "Nächste Zeile",
    previous: "Vorherige Zeile",
    first: "Erste und letzte Zeile",
    open: "Zeile öffnen",
    select: "Zeile auswählen, um mehrere zugleich zu ändern",
    close: "Geöffnetes schließen",
  },
};
