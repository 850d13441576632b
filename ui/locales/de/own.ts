export const ownTexts = {
  own: {
    title: "Was du hier kannst",
    description: "Deine Bots, deine Einladungen, und worum du dich sonst kümmerst.",
    bots: "Deine Bots",
    botsEmpty: "Du hast keine Bots.",
    botsHint:
      "Ein Bot ist das Konto eines Programms: Er schreibt, was ein anderer Dienst meldet, oder antwortet, wenn er gefragt wird.",
    noBots: "Du darfst keine Bots erstellen.",
    allBots: "Alle deine Bots",
    log: "Was zugestellt wurde",
    invite: "Einladungen",
    noInvite: "Du darfst niemanden einladen.",
    sessions: "Wo du angemeldet bist",
    sessionsHint:
      "Die Browser, in denen du angemeldet bist. Kennst du einen nicht, melde ihn ab und ändere dein Passwort.",
    settings: "Deine Einstellungen",
    settingsHint: "Dein Name und Bild, Benachrichtigungen, Passwort und Schlüssel: das steht im Chat.",
    profile: "Profil und Bild",
    notifications: "Benachrichtigungen",
    access: "Anmeldung und Schlüssel",
    may: "Du darfst",
    mayNot: "Du darfst nicht",
    ask: "Darüber entscheiden Besitzer und Administratoren: {{names}}.",
    askSome: "Darüber entscheiden Besitzer und Administratoren, etwa {{names}}.",
    role: "Du bist hier als: {{role}}.",
  },
};
