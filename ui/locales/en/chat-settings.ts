/** Chat page: section titles of personal settings, channel settings, and notifications. */
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
      pin_to_top: "Pin to the top of the list",
    },
    notices: {
      desktop_notifications: "Show new messages on the desktop",
      audible_notifications: "Play a sound for new messages",
      wildcard_mentions_notify: "Notify me about @all mentions",
    },
    usual: "Use my default ({{value}})",
    on: "Yes",
    off: "No",
    color: "Colour",
    leave: "Leave the channel",
    leaveSure: "Leave {{name}}",
    leavePrivate: "This channel is private. To come back, a subscriber has to add you.",
  },
} as const;
