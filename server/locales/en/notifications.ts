/** Notifications, in the pages and on devices. */
export const notificationTexts = {
  chatNotifications: {
    inTopic: "{{name}} ({{channel}} › {{topic}})",
    inGroup: "{{name}} ({{people}})",
    hidden: "New direct message",
    test: "Test notification",
    testText: "Notifications from {{organization}} arrive on this device.",
  },
} as const;

/** Notifications on devices only. */
export const deviceTexts = {
  hiddenMention: "You were mentioned",
  hiddenMessage: "New message",
} as const;
