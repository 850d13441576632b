export const expiringTexts = {
  expiring: {
    counting: "Zu löschende Nachrichten werden gezählt…",
    none: "Keine Nachrichten sind so alt.",
    messages_one: "{{count, number}} Nachricht wird innerhalb einer Stunde gelöscht.",
    messages_other: "{{count, number}} Nachrichten werden innerhalb einer Stunde gelöscht.",
    more_one: "Mehr als {{count, number}} Nachricht wird gelöscht, beginnend innerhalb einer Stunde.",
    more_other: "Mehr als {{count, number}} Nachrichten werden gelöscht, beginnend innerhalb einer Stunde.",
    files_one: "Zusammen mit {{count, number}} Datei ({{bytes}}).",
    files_other: "Zusammen mit {{count, number}} Dateien ({{bytes}}).",
  },
};
