export const spectatorTexts = {
  spectator: {
    signIn: "Anmelden",
    lead: "Diese Kanäle kann jeder ohne Konto lesen. Wer eines hat, meldet sich an, um zu schreiben und den Rest zu sehen.",
    write: "Melde dich an, um hier zu schreiben.",
    hidden: "Das lässt sich nicht ohne Konto lesen, oder es ist nicht mehr da.",
    noChannels: "Zurzeit lässt sich kein Kanal ohne Konto lesen.",
    back: "Ohne Konto lesen",
  },
};
