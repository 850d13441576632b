/** Chat page for readers without an account. */
export const spectatorTexts = {
  spectator: {
    signIn: "Sign in",
    lead: "These channels can be read without an account. If you have one, sign in to post and to see the rest.",
    write: "Sign in to post here.",
    hidden: "This no longer exists, or you need an account to read it.",
    noChannels: "No channels can be read without an account.",
    back: "Read without an account",
  },
} as const;
