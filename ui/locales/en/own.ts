/** The admin window: what moderators and members find in it. */
export const ownTexts = {
  own: {
    title: "What you can do here",
    description: "Your bots, your invitations, and what else is yours to look after.",
    bots: "Your bots",
    botsEmpty: "You have no bots.",
    botsHint: "A bot is the account of a program: it posts what another service says, or answers when it is asked.",
    noBots: "You may not make bots.",
    allBots: "All your bots",
    log: "What was delivered",
    invite: "Invitations",
    noInvite: "You may not invite people.",
    sessions: "Where you are signed in",
    sessionsHint:
      "The browsers in which you are signed in. One that you do not know: sign it out and change your password.",
    settings: "Your settings",
    settingsHint: "Your name and picture, notifications, and your password and keys: they are in the chat.",
    profile: "Profile and picture",
    notifications: "Notifications",
    access: "Sign-in and keys",
    may: "You may",
    mayNot: "You may not",
    ask: "Owners and administrators decide this: {{names}}.",
    askSome: "Owners and administrators decide this, such as {{names}}.",
    role: "You are here as: {{role}}.",
  },
} as const;
