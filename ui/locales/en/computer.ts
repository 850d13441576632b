/** “This computer” page, and the page shown while the server can't run. */
export const computerTexts = {
  computer: {
    title: "This computer",
    lead: "Hearth's behavior on the computer that hosts it. You can change it only here, in Hearth's own window.",
    always: "Availability",
    alwaysLead: "People can chat while Hearth is running and this computer is awake.",
    startAtLogin: "Start when I sign in to this computer",
    startAtLoginKeywords: "autostart boot launch",
    startAtLoginHelp: "Starts in the tray, without a window.",
    closeToTray: "Keep hosting when the window is closed",
    closeToTrayKeywords: "background minimize tray quit",
    closeToTrayHelp: "Hearth stays in the tray, where you can open or quit it.",
    noTray: "This desktop has no tray, so closing the window quits Hearth. If people are online, it asks first.",
    keepAwake: "Keep this computer awake",
    keepAwakeKeywords: "sleep suspend standby power",
    keepAwakeHelp:
      "While people are online. The screen can still turn off, and closing the lid still puts the computer to sleep.",
    awake: {
      never: "Never",
      "on power": "While it is plugged in",
      always: "Always, even on battery",
    },
  },
  problem: {
    failing: "Hearth keeps failing",
    failingLead_one: "It has failed once and is trying again.",
    failingLead_other: "It has failed {{count}} times in a row and keeps trying.",
    ended: "Hearth has stopped hosting",
    endedLead_one: "It can't continue. A dialog asks what to do next.",
    endedLead_other: "It failed {{count}} times and can't continue. A dialog asks what to do next.",
    reason: "What happened",
    safe: "Everything that was sent is safe on disk, and apps reconnect automatically.",
    report:
      "If this continues, restart this computer. To get help, send the diagnostics folder from the data folder. It contains no messages.",
    again: "Try again now",
    folder: "Show the data folder",
    quit: "Quit Hearth",
  },
} as const;
