export const unclearAddressTexts = {
  unclearAddress: {
    said: "Diese Adresse führt hier nirgendwohin:",
    search: "Danach suchen",
    toInbox: "Zum Posteingang",
  },
};
