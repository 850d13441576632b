export const spectatorTexts = {
  spectator: {
    signIn: "Anmelden",
    lead: "Diese Kanäle können ohne Konto gelesen werden. Wenn Sie eines haben, melden Sie sich an, um zu schreiben und den Rest zu sehen.",
    write: "Melden Sie sich an, um hier zu schreiben.",
    hidden: "Das existiert nicht mehr, oder Sie brauchen ein Konto, um es zu lesen.",
    noChannels: "Keine Kanäle können ohne Konto gelesen werden.",
    back: "Ohne Konto lesen",
  },
};
