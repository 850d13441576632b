/** Notifications, in the pages and on devices. */
export const notificationTexts = {
  chatNotifications: {
    inTopic: "{{name}} ({{channel}} › {{topic}})",
    inGroup: "{{name}} ({{people}})",
    hidden: "New direct message",
    hiddenMention: "You were mentioned",
    hiddenMessage: "New message",
    test: "Test notification",
    testText: "Notifications from {{organization}} arrive on this device.",
  },
} as const;
