/** Admin window: start page of moderators and members. */
export const ownTexts = {
  own: {
    title: "What you can do here",
    description: "Your bots, your invitations, and everything else you manage.",
    bots: "Your bots",
    botsEmpty: "You have no bots.",
    botsHint: "A bot is an account for a program: it posts updates from another service, or replies when asked.",
    noBots: "You can't create bots.",
    allBots: "All your bots",
    log: "Delivery log",
    invite: "Invitations",
    noInvite: "You can't invite people.",
    sessions: "Where you are signed in",
    sessionsHint:
      "The browsers you're signed in to. If you don't recognize one, sign it out and change your password.",
    settings: "Your settings",
    settingsHint: "Your name, picture, notifications, password and keys are in the chat's settings.",
    profile: "Profile and picture",
    notifications: "Notifications",
    access: "Sign-in and keys",
    may: "You can",
    mayNot: "You can't",
    ask: "Owners and administrators decide this: {{names}}.",
    askSome: "Owners and administrators decide this, such as {{names}}.",
    role: "Your role: {{role}}.",
  },
} as const;
