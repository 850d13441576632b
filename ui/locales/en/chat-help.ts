/** Chat page: help. */
export const chatHelpTexts = {
  help: {
    title: "Help",
    titles: {
      keys: "Keyboard shortcuts",
      formatting: "Formatting messages",
      operators: "Searching",
      about: "About Hearth",
    },
    sections: {
      keys: "Keys",
      formatting: "Formatting",
      operators: "Search",
      about: "About",
    },
    formatting: {
      typed: "You type",
      shown: "It shows",
      bold: "bold",
      italic: "italic",
      struck: "strikethrough",
      link: "a link",
      said: "words",
      spoiler: "Hidden text",
      heading: "A heading",
      meTyped: "/me waves",
      meShown: "waves",
      completion: "After @, # or :, names are suggested while you type. You can paste or drop files here.",
    },
    operators: {
      lead: "Combine words and operators. Choose one to start a search.",
      more: 'A minus before an operator turns it round: -sender:me. "Words in quotes" stand in this order, and wor* finds what begins so.',
    },
    about: {
      what: "This is the chat of {{organization}}. It runs on Hearth, team chat that lives on one computer along with all its messages.",
      version: "Version {{version}}",
      protocol: "Programs that use the public Zulip API can connect to this address too.",
    },
  },
} as const;
