export const chatSettingsTexts = {
  ownSettingsNames: {
    title: "Einstellungen",
    saved: "Gespeichert",
    sections: {
      profile: "Profil",
      account: "Konto und Privatsphäre",
      preferences: "Darstellung und Eingabe",
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
      desktop_notifications: "Neue Nachrichten auf dem Desktop anzeigen",
      audible_notifications: "Bei neuen Nachrichten einen Ton abspielen",
      wildcard_mentions_notify: "Über Erwähnungen aller benachrichtigen",
    },
    usual: "Meinen Standard verwenden ({{value}})",
    on: "Ja",
    off: "Nein",
    color: "Farbe",
    leave: "Kanal verlassen",
    leaveSure: "{{name}} verlassen",
    leavePrivate: "Dieser Kanal ist privat. Um zurückzukehren, muss ein Abonnent Sie hinzufügen.",
  },
};
