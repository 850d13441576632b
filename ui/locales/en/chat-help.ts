/** The help of the chat page. */
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
      struck: "struck",
      link: "a link",
      said: "words",
      spoiler: "What is hidden",
      heading: "A heading",
      meTyped: "/me waves",
      meShown: "waves",
      completion: "After @, # and : names are completed while you type. A file is pasted, or dropped here.",
    },
    operators: {
      lead: "Words and operators can stand together. Choose one to begin a search.",
      more: 'A minus before an operator turns it round: -sender:me. "Words in quotes" stand in this order, and wor* finds what begins so.',
    },
    about: {
      what: "This is the chat of {{organization}}, on Hearth: a team chat that lives on one computer, with all that is said in it.",
      version: "Version {{version}}",
      protocol: "Programs for the public Zulip API connect to this address, too.",
    },
  },
} as const;
