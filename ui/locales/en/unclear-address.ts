/** Chat page: a URL that matches no conversation. */
export const unclearAddressTexts = {
  unclearAddress: {
    said: "This link doesn't lead anywhere:",
    search: "Search for it",
    toInbox: "Go to inbox",
  },
} as const;
