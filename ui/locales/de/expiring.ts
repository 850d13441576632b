export const expiringTexts = {
  expiring: {
    counting: "Es wird gezählt, was verloren geht …",
    none: "Keine Nachricht ist jetzt so alt.",
    messages_one: "{{count, number}} Nachricht wird binnen einer Stunde gelöscht.",
    messages_other: "{{count, number}} Nachrichten werden binnen einer Stunde gelöscht.",
    more_one: "Mehr als {{count, number}} Nachricht wird gelöscht, von der nächsten Stunde an.",
    more_other: "Mehr als {{count, number}} Nachrichten werden gelöscht, von der nächsten Stunde an.",
    files_one: "Mit ihnen geht {{count, number}} Datei ({{bytes}}).",
    files_other: "Mit ihnen gehen {{count, number}} Dateien ({{bytes}}).",
  },
};
