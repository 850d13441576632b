export const ownTexts = {
  own: {
    title: "Ihre Berechtigungen",
    description: "Ihre Bots, Ihre Einladungen und alles andere, was Sie verwalten.",
    bots: "Ihre Bots",
    botsEmpty: "Sie haben keine Bots.",
    botsHint:
      "Ein Bot ist ein Konto für ein Programm: Er postet Neuigkeiten eines anderen Dienstes oder antwortet auf Fragen.",
    noBots: "Sie können keine Bots erstellen.",
    allBots: "Alle Ihre Bots",
    log: "Zustellungsprotokoll",
    invite: "Einladungen",
    noInvite: "Sie können niemanden einladen.",
    sessions: "Wo Sie angemeldet sind",
    sessionsHint:
      "Die Browser, in denen Sie angemeldet sind. Falls Sie einen nicht kennen, melden Sie ihn ab und ändern Sie Ihr Passwort.",
    settings: "Ihre Einstellungen",
    settingsHint: "Name, Bild, Benachrichtigungen, Passwort und Schlüssel finden Sie in den Einstellungen des Chats.",
    profile: "Profil und Bild",
    notifications: "Benachrichtigungen",
    access: "Anmeldung und Schlüssel",
    may: "Sie können",
    mayNot: "Sie können nicht",
    ask: "Darüber entscheiden Besitzer und Administratoren: {{names}}.",
    askSome: "Darüber entscheiden Besitzer und Administratoren, zum Beispiel {{names}}.",
    role: "Ihre Rolle: {{role}}.",
  },
};
