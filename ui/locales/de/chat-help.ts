/** Die Hilfe der Chatseite. */
export const chatHelpTexts = {
  help: {
    title: "Hilfe",
    titles: {
      keys: "Tastenkürzel",
      formatting: "Nachrichten formatieren",
      operators: "Suchen",
      about: "Über Hearth",
    },
    sections: {
      keys: "Tasten",
      formatting: "Formatierung",
      operators: "Suche",
      about: "Über",
    },
    formatting: {
      typed: "Eingabe",
      shown: "Anzeige",
      bold: "fett",
      italic: "kursiv",
      struck: "durchgestrichen",
      link: "ein Link",
      said: "Wörter",
      spoiler: "Verborgener Text",
      heading: "Eine Überschrift",
      meTyped: "/me winkt",
      meShown: "winkt",
      completion:
        "Nach @, # und : werden beim Tippen Namen vorgeschlagen. Sie können Dateien hier einfügen oder ablegen.",
    },
    operators: {
      lead: "Kombinieren Sie Wörter und Operatoren. Wählen Sie einen aus, um eine Suche zu beginnen.",
      more: 'Ein Minus vor einem Operator schließt Treffer aus: -sender:me. "Wörter in Anführungszeichen" müssen in dieser Reihenfolge vorkommen, und wor* findet Wörter mit diesem Anfang.',
    },
    about: {
      what: "Das ist der Chat von {{organization}}. Er läuft mit Hearth, einem Team-Chat, der samt allen Nachrichten auf einem Computer läuft.",
      version: "Version {{version}}",
      protocol: "Programme für die öffentliche Zulip-API können sich auch mit dieser Adresse verbinden.",
    },
  },
};
