/** Kanäle auf der Chatseite. */
export const chatChannelTexts = {
  channelKinds: {
    names: {
      public: "Öffentlich",
      private: "Privat",
      protected: "Privat, Verlauf verborgen",
      web: "Für das Web offen",
    },
    hints: {
      public: "Alle außer Gästen können ihn lesen und ihm beitreten.",
      private: "Nur wer darin ist, liest ihn; wer dazukommt, liest auch, was vorher gesagt wurde.",
      protected: "Nur wer darin ist, liest ihn; wer dazukommt, liest, was ab dann gesagt wird.",
      web: "Alle, die diesen Server erreichen, können ihn ohne Konto lesen.",
    },
  },
  newChannel: {
    title: "Neuer Kanal",
    name: "Name",
    nameHint: "Worum es geht, in ein, zwei Wörtern.",
    nameMissing: "Gib einen Namen ein.",
    taken: "Einen Kanal dieses Namens gibt es schon.",
    description: "Beschreibung",
    descriptionHint: "Wenn du magst: was hierher gehört.",
    kind: "Wer ihn liest",
    people: "Wer außer dir darin ist",
    make: "Kanal erstellen",
  },
  channelDialog: {
    open: "Einstellungen des Kanals",
    openPeople: "Wer darin ist",
    sections: {
      own: "Deine",
      about: "Kanal",
      people: "Personen",
      settings: "Verwalten",
    },
    madeBy: "erstellt von {{name}}",
    widens: "Mehr Personen können dann lesen, was gesagt wurde.",
    widen: "Ändern",
    join: "Beitreten",
    addPeople: "Personen hinzufügen",
    add_one: "{{count}} Person hinzufügen",
    add_other: "{{count}} Personen hinzufügen",
    remove: "{{name}} aus dem Kanal nehmen",
    archive: "Kanal archivieren",
    archiveHint:
      "Dann schreibt hier niemand mehr, und er verschwindet aus allen Listen. Wer verwaltet, kann ihn zurückholen.",
    archiveSure: "{{name}} archivieren",
  },
};
