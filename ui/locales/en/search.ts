/** The search field, and the field that leads anywhere. */
export const searchTexts = {
  search: {
    title: "Search messages",
    placeholder: "Words, or sender:, channel:, has:…",
    goTitle: "Go to",
    goPlaceholder: "A person, channel, topic or page",
    goHint: "Type a part of a name. # looks for channels and topics, @ for people.",
    suggestions: "Suggestions",
    searchFor: "Search for “{{text}}”",
    none: "Nothing has this name.",
    not: "Not: {{text}}",
    change: "Change the search",
    operators: {
      sender: "sent by somebody",
      channel: "in a channel",
      topic: "in a topic",
      dm: "in a direct conversation with",
      "dm-including": "in direct conversations with, among others",
      id: "the message with a number",
      is: "with a mark: unread, starred…",
      has: "with a link, a picture…",
      in: "in all messages, or without muted ones",
      channels: "in all channels of a kind",
    },
    values: {
      is: {
        unread: "that you have not read",
        mentioned: "that mention you",
        starred: "that you starred",
        followed: "in topics that you follow",
        dm: "in direct conversations",
        resolved: "in resolved topics",
        muted: "in muted topics and channels",
        alerted: "with one of your alert words",
      },
      has: {
        link: "with a link",
        image: "with a picture",
        attachment: "with an uploaded file",
        reaction: "with a reaction",
      },
      in: {
        home: "without what you muted",
        all: "with what you muted",
      },
      channels: {
        public: "in all public channels, also those that you are not in",
        "web-public": "in all channels that are open to the web",
      },
    },
  },
} as const;
