/** Die Hilfe der Chatseite. */
export const chatHelpTexts = {
  help: {
    title: "Hilfe",
    titles: {
      keys: "Tastenkürzel",
      formatting: "Nachrichten gestalten",
      operators: "Suchen",
      about: "Über Hearth",
    },
    sections: {
      keys: "Tasten",
      formatting: "Gestalten",
      operators: "Suche",
      about: "Über",
    },
    formatting: {
      typed: "Du schreibst",
      shown: "Es erscheint",
      bold: "fett",
      italic: "kursiv",
      struck: "gestrichen",
      link: "ein Link",
      said: "Wörter",
      spoiler: "Was verborgen ist",
      heading: "Eine Überschrift",
      meTyped: "/me winkt",
      meShown: "winkt",
      completion:
        "Nach @, # und : werden Namen ergänzt, während du schreibst. Eine Datei wird eingefügt oder hierher gezogen.",
    },
    operators: {
      lead: "Wörter und Operatoren stehen zusammen. Wähle einen aus, um damit zu suchen.",
      more: 'Ein Minus vor einem Operator kehrt ihn um: -sender:me. "Wörter in Anführungszeichen" stehen in dieser Folge, und wor* findet, was so beginnt.',
    },
    about: {
      what: "Das ist der Chat von {{organization}} auf Hearth: ein Chat für ein Team, der auf einem Computer lebt, mit allem, was darin gesagt wird.",
      version: "Version {{version}}",
      protocol: "Programme für die öffentliche Zulip-Schnittstelle verbinden sich auch mit dieser Adresse.",
    },
  },
};
