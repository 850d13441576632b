export const unclearAddressTexts = {
  unclearAddress: {
    said: "Dieser Link führt nirgendwohin:",
    search: "Danach suchen",
    toInbox: "Zum Posteingang",
  },
};
