/** What the chat page says of an address that names no place. */
export const unclearAddressTexts = {
  unclearAddress: {
    said: "This address leads nowhere here:",
    search: "Search for it",
    toInbox: "To the inbox",
  },
} as const;
