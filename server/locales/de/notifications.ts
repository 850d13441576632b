export const notificationTexts = {
  chatNotifications: {
    inTopic: "{{name}} ({{channel}} › {{topic}})",
    inGroup: "{{name}} ({{people}})",
    hidden: "Neue Direktnachricht",
    hiddenMention: "Sie wurden erwähnt",
    hiddenMessage: "Neue Nachricht",
    test: "Testbenachrichtigung",
    testText: "Benachrichtigungen von {{organization}} kommen auf diesem Gerät an.",
  },
};
