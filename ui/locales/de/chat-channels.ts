/** Kanäle auf der Chatseite. */
export const chatChannelTexts = {
  channelKinds: {
    names: {
      public: "Öffentlich",
      private: "Privat",
      protected: "Privat, Verlauf verborgen",
      web: "Im Web öffentlich",
    },
    hints: {
      public: "Alle außer Gästen können ihn lesen und beitreten.",
      private: "Nur Mitglieder können ihn lesen. Neue Mitglieder sehen auch frühere Nachrichten.",
      protected: "Nur Mitglieder können ihn lesen. Neue Mitglieder sehen nur Nachrichten nach ihrem Beitritt.",
      web: "Jeder, der diesen Server erreicht, kann ihn ohne Konto lesen.",
    },
  },
  newChannel: {
    title: "Neuer Kanal",
    name: "Name",
    nameHint: "Worum es geht, in ein, zwei Wörtern.",
    nameMissing: "Geben Sie einen Namen ein.",
    taken: "Ein Kanal mit diesem Namen existiert bereits.",
    description: "Beschreibung",
    descriptionHint: "Optional: wofür er da ist.",
    kind: "Wer ihn lesen kann",
    people: "Mitglieder außer Ihnen",
    make: "Kanal erstellen",
  },
  channelDialog: {
    open: "Kanaleinstellungen",
    openPeople: "Mitglieder",
    sections: {
      own: "Eigene",
      about: "Info",
      people: "Personen",
      settings: "Optionen",
    },
    madeBy: "erstellt von {{name}}",
    widens: "Mehr Personen werden frühere Nachrichten lesen können.",
    widen: "Ändern",
    join: "Beitreten",
    addPeople: "Personen hinzufügen",
    add_one: "{{count}} Person hinzufügen",
    add_other: "{{count}} Personen hinzufügen",
    remove: "{{name}} aus dem Kanal entfernen",
    archive: "Kanal archivieren",
    archiveHint:
      "Dann kann hier niemand mehr schreiben, und der Kanal verschwindet aus allen Listen. Administratoren können die Archivierung aufheben.",
    archiveSure: "{{name}} archivieren",
  },
};
