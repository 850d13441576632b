/** The chat page for those who read without an account. */
export const spectatorTexts = {
  spectator: {
    signIn: "Sign in",
    lead: "These channels may be read without an account. Whoever has one signs in to write, and to see the rest.",
    write: "Sign in to write here.",
    hidden: "This can't be read without an account, or it is not there any more.",
    noChannels: "No channel may be read without an account at the moment.",
    back: "Read without an account",
  },
} as const;
