/** The window at the computer that hosts: what Hearth does there, and what keeps its server from running. */
export const computerTexts = {
  computer: {
    title: "This computer",
    lead: "What Hearth does on the computer that hosts it. Changed here only, in Hearth's own window.",
    always: "There when needed",
    alwaysLead: "People can chat while Hearth runs and this computer is awake.",
    startAtLogin: "Start when I sign in to this computer",
    startAtLoginHelp: "It starts in the tray, without a window.",
    closeToTray: "Keep hosting when the window is closed",
    closeToTrayHelp: "Hearth stays in the tray, where it is opened again or quit.",
    noTray:
      "This desktop shows no tray icons, so closing the window quits Hearth. If people are online, it asks before.",
    keepAwake: "Keep this computer awake",
    keepAwakeHelp: "While people are online. The screen may still turn off, and closing the lid sends it to sleep.",
    awake: {
      never: "Never",
      "on power": "While it is plugged in",
      always: "Always, also on battery",
    },
  },
  problem: {
    failing: "Hearth keeps failing",
    failingLead_one: "It has failed once, and tries again.",
    failingLead_other: "It has failed {{count}} times in a row, and keeps trying.",
    ended: "Hearth has stopped hosting",
    endedLead_one: "It cannot go on by itself. A message asks what to do next.",
    endedLead_other: "It failed {{count}} times and cannot go on by itself. A message asks what to do next.",
    reason: "What happened",
    safe: "Everything that was sent is safe on disk, and apps connect again by themselves.",
    report:
      "If it goes on, restart this computer. Whoever helps you needs the folder diagnostics in the data folder, which has no messages in it.",
    again: "Try again now",
    folder: "Show the data folder",
    quit: "Quit Hearth",
  },
} as const;
