export const pictureTexts = {
  pictures: {
    untitled: "Bild",
    previous: "Vorheriges Bild",
    next: "Nächstes Bild",
    count: "{{at}} von {{count}}",
    toMessage: "Zur Nachricht",
    download: "Herunterladen",
    original: "Original öffnen",
  },
};
