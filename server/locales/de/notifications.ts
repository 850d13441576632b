export const notificationTexts = {
  chatNotifications: {
    inTopic: "{{name}} ({{channel}} › {{topic}})",
    inGroup: "{{name}} ({{people}})",
    hidden: "Neue Direktnachricht",
    test: "Testbenachrichtigung",
    testText: "Benachrichtigungen von {{organization}} kommen auf diesem Gerät an.",
  },
};

/** Notifications on devices only. */
export const deviceTexts = {
  hiddenMention: "Sie wurden erwähnt",
  hiddenMessage: "Neue Nachricht",
};
