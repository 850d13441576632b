/** What the chat page says of one's own settings outside of their pages, and of notifications. */
export const chatSettingsTexts = {
  ownSettingsNames: {
    title: "Settings",
    saved: "Saved",
    sections: {
      profile: "Profile",
      account: "Account and privacy",
      preferences: "Preferences",
      notifications: "Notifications",
      access: "Devices and keys",
    },
  },
  subscriptionSettings: {
    people_one: "{{count}} person",
    people_other: "{{count}} people",
    switches: {
      is_muted: "Mute the channel",
      pin_to_top: "Pin it to the top of the list",
    },
    notices: {
      desktop_notifications: "Show new messages on the desktop",
      audible_notifications: "Play a sound for new messages",
      wildcard_mentions_notify: "Notify me of mentions of everybody",
    },
    usual: "As my settings say ({{value}})",
    on: "Yes",
    off: "No",
    color: "Colour",
    leave: "Leave the channel",
    leaveSure: "Leave {{name}}",
    leavePrivate: "This channel is private: somebody in it has to add you again.",
  },
  chatNotifications: {
    inTopic: "{{name}} ({{channel}} › {{topic}})",
    inGroup: "{{name}} ({{people}})",
    hidden: "New direct message",
  },
} as const;
