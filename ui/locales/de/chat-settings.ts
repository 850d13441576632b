export const chatSettingsTexts = {
  ownSettingsNames: {
    title: "Einstellungen",
    saved: "Gespeichert",
    sections: {
      profile: "Profil",
      account: "Konto und Privatsphäre",
      preferences: "Vorlieben",
      notifications: "Benachrichtigungen",
      access: "Geräte und Schlüssel",
    },
  },
  subscriptionSettings: {
    people_one: "{{count}} Person",
    people_other: "{{count}} Personen",
    switches: {
      is_muted: "Kanal stummschalten",
      pin_to_top: "Oben in der Liste anheften",
    },
    notices: {
      desktop_notifications: "Neue Nachrichten auf dem Bildschirm zeigen",
      audible_notifications: "Bei neuen Nachrichten einen Ton abspielen",
      wildcard_mentions_notify: "Über Erwähnungen aller benachrichtigen",
    },
    usual: "Wie in den Einstellungen ({{value}})",
    on: "Ja",
    off: "Nein",
    color: "Farbe",
    leave: "Kanal verlassen",
    leaveSure: "{{name}} verlassen",
    leavePrivate: "Dieser Kanal ist privat: jemand, der darin ist, muss dich wieder hinzufügen.",
  },
  chatNotifications: {
    inTopic: "{{name}} ({{channel}} › {{topic}})",
    inGroup: "{{name}} ({{people}})",
    hidden: "Neue Direktnachricht",
  },
};
