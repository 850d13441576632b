export const keyTexts = {
  keys: {
    title: "Tasten dieses Fensters",
    everywhere: "Überall",
    inLists: "In Listen",
    palette: "Alles finden und öffnen",
    search: "In der Liste oder den Einstellungen suchen",
    undo: "Zurücknehmen, was zuletzt gespeichert wurde, solange der Hinweis da ist",
    help: "Diese Tasten zeigen",
    next: "Die nächste Zeile",
    previous: "Die Zeile davor",
    first: "Die erste und die letzte Zeile",
    open: "Die Zeile öffnen, ansehen und ändern",
    select: "Die Zeile auswählen, um mehrere zugleich zu ändern",
    close: "Schließen, was offen ist",
  },
};
