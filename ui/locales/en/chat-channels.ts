/** Chat page: create a channel, and the channel dialog. */
export const chatChannelTexts = {
  channelKinds: {
    names: {
      public: "Public",
      private: "Private",
      protected: "Private, history hidden",
      web: "Open to the web",
    },
    hints: {
      public: "Everyone except guests can read and join.",
      private: "Only members can read it. New members can see earlier messages.",
      protected: "Only members can read it. New members only see messages sent after they join.",
      web: "Anyone who can reach this server can read it, without an account.",
    },
  },
  newChannel: {
    title: "New channel",
    name: "Name",
    nameHint: "Its subject, in a word or two.",
    nameMissing: "Enter a name.",
    taken: "A channel with this name already exists.",
    description: "Description",
    descriptionHint: "Optional: what it's for.",
    kind: "Who can read it",
    people: "Members besides you",
    make: "Create channel",
  },
  channelDialog: {
    open: "Channel settings",
    openPeople: "Members",
    sections: {
      own: "Personal",
      about: "About",
      people: "People",
      settings: "Settings",
    },
    madeBy: "created by {{name}}",
    widens: "More people will be able to read earlier messages.",
    widen: "Change",
    join: "Join",
    addPeople: "Add people",
    add_one: "Add {{count}} person",
    add_other: "Add {{count}} people",
    remove: "Remove {{name}} from the channel",
    archive: "Archive the channel",
    archiveHint:
      "Nobody will be able to post here, and it will disappear from everyone's list. Administrators can unarchive it.",
    archiveSure: "Archive {{name}}",
  },
} as const;
