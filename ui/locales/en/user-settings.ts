/**
 * User settings. `label` is about people who join later, `own` about the reader, on the page of own settings; one text
 * that fits both is a `label`. The same holds for `choices` and `ownChoices`.
 */
export const userSettingTexts = {
  userSettings: {
    color_scheme: { label: "Colours", own: "Theme", choices: { "1": "System", "2": "Dark", "3": "Light" } },
    web_font_size_px: {
      label: "Size of text, in pixels",
      own: "Size of text",
      ownChoices: { "14": "Small", "16": "Usual", "18": "Large", "20": "Larger" },
    },
    web_line_height_percent: { label: "Height of lines, in percent" },
    fluid_layout_width: { label: "Use the whole width of the screen" },
    high_contrast_mode: { label: "High contrast" },
    twenty_four_hour_time: { label: "Times from 0 to 24", own: "Show times from 0:00 to 23:59" },
    emojiset: { label: "Emoji", choices: { google: "Google", twitter: "Twitter", text: "As text" } },
    display_emoji_reaction_users: { label: "Show who reacted, where few did" },
    web_animate_image_previews: {
      label: "Moving pictures",
      choices: { always: "Always move", on_hover: "Move under the pointer", never: "Never move" },
    },
    user_list_style: {
      label: "List of people",
      choices: { "1": "Host names", "2": "Names and statuses", "3": "Pictures, names and statuses" },
    },
    left_side_userlist: { label: "People at the left in narrow windows" },
    hide_ai_features: { label: "Hide what artificial intelligence does" },
    web_home_view: {
      label: "What opens first",
      choices: { inbox: "Inbox", recent_topics: "Recent conversations", all_messages: "All messages" },
    },
    web_escape_navigates_to_home_view: { label: "Escape leads there" },
    web_channel_default_view: {
      label: "A channel opens with",
      choices: {
        "1": "Its topic with the newest message",
        "2": "All its messages",
        "3": "The topics with unread messages",
        "4": "The list of its topics",
      },
    },
    web_mark_read_on_scroll_policy: {
      label: "Messages count as read when they are scrolled past",
      own: "Messages that were on the screen",
      choices: { "1": "Always", "2": "Only in conversations", "3": "Never" },
      ownChoices: {
        "1": "Count as read",
        "2": "Count as read in a topic or direct conversation",
        "3": "Stay unread until you mark them",
      },
    },
    demote_inactive_streams: {
      label: "Quiet channels stand last",
      choices: { "1": "Where there are many channels", "2": "Always", "3": "Never" },
    },
    web_left_sidebar_show_channel_folders: { label: "Show channels by folder" },
    web_stream_unreads_count_display_policy: {
      label: "Count unread messages of",
      choices: { "1": "All channels", "2": "Unmuted channels", "3": "No channel" },
    },
    web_left_sidebar_unreads_count_summary: { label: "Show a total of unread messages" },
    starred_message_counts: { label: "Count starred messages" },
    resolved_topic_notice_auto_read_policy: {
      label: "Notices that a topic is resolved count as read",
      own: "Notices that a topic was resolved",
      choices: { always: "Always", except_followed: "Except in followed topics", never: "Never" },
      ownChoices: {
        always: "Count as read",
        except_followed: "Count as read unless you follow the topic",
        never: "Are unread",
      },
    },
    enter_sends: {
      label: "Enter sends the message",
      own: "Enter sends a message, Shift and Enter begins a line",
      help: "Otherwise Enter makes a line, and Ctrl+Enter sends.",
    },
    translate_emoticons: { label: "Turn :) into emoji", own: "Turn :) and the like into emoji" },
    enable_drafts_synchronization: { label: "The same drafts on all devices" },
    web_navigate_to_sent_message: { label: "Go to the conversation one has written in" },
    web_suggest_update_timezone: { label: "Offer to change the time zone when travelling" },
    automatically_follow_topics_policy: {
      label: "Follow topics by themselves",
      own: "Follow topics automatically",
      choices: { "1": "Where one takes part", "2": "Where one writes", "3": "Which one starts", "4": "Never" },
      ownChoices: { "1": "Where you take part", "2": "Where you send a message", "3": "That you begin", "4": "Never" },
    },
    automatically_unmute_topics_in_muted_streams_policy: {
      label: "Unmute topics in muted channels",
      own: "Unmute topics of muted channels automatically",
      choices: { "1": "Where one takes part", "2": "Where one writes", "3": "Which one starts", "4": "Never" },
      ownChoices: { "1": "Where you take part", "2": "Where you send a message", "3": "That you begin", "4": "Never" },
    },
    automatically_follow_topics_where_mentioned: {
      label: "Follow topics in which one is mentioned",
      own: "Follow topics where you are mentioned",
    },
    enable_stream_desktop_notifications: { label: "A notice on the desktop", own: "All messages of your channels" },
    enable_stream_audible_notifications: { label: "A sound", own: "All messages of your channels" },
    wildcard_mentions_notify: {
      label: "A mention of everybody counts as a mention",
      own: "Mentions of everybody (@all)",
    },
    enable_followed_topic_desktop_notifications: { label: "A notice on the desktop", own: "Topics that you follow" },
    enable_followed_topic_audible_notifications: { label: "A sound", own: "Topics that you follow" },
    enable_followed_topic_wildcard_mentions_notify: {
      label: "A mention of everybody counts as a mention",
      own: "Mentions of everybody in topics that you follow",
    },
    enable_desktop_notifications: { label: "A notice on the desktop", own: "Direct messages and mentions" },
    enable_sounds: { label: "A sound", own: "Direct messages and mentions" },
    notification_sound: { label: "Which sound" },
    desktop_icon_count_display: {
      label: "Number at the app's icon",
      own: "What is counted",
      choices: {
        "1": "All unread messages",
        "2": "Direct messages, mentions and followed topics",
        "3": "Direct messages and mentions",
        "4": "None",
      },
      ownChoices: {
        "1": "All unread messages",
        "2": "Direct messages, mentions and followed topics",
        "3": "Direct messages and mentions",
        "4": "Nothing",
      },
    },
    pm_content_in_desktop_notifications: {
      label: "Show what a direct message says",
      own: "Show the text of direct messages",
    },
    email_address_visibility: {
      label: "Who sees one's email address",
      own: "Who sees your email address",
      choices: {
        "1": "Everybody",
        "2": "Everybody but guests",
        "3": "Administrators and owners",
        "4": "Nobody",
        "5": "Moderators and above",
      },
      ownChoices: {
        "1": "Everybody",
        "2": "Members, not guests",
        "3": "Administrators",
        "4": "Nobody",
        "5": "Moderators and administrators",
      },
    },
    presence_enabled: { label: "Others see whether one is there", own: "Show others when you are here" },
    send_read_receipts: {
      label: "Others see whether one has read a message",
      own: "Show others which messages you have read",
    },
    send_private_typing_notifications: {
      label: "Others see that one writes a direct message",
      own: "Show others when you type a direct message",
    },
    send_stream_typing_notifications: {
      label: "Others see that one writes in a channel",
      own: "Show others when you type in a channel",
    },
    receives_typing_notifications: { label: "Show that others are writing", own: "Show when others type" },
    enable_stream_push_notifications: { label: "A message in a channel brings a notice on the phone" },
    enable_stream_email_notifications: { label: "A message in a channel brings an email" },
    enable_followed_topic_push_notifications: { label: "A message in a followed topic brings a notice on the phone" },
    enable_followed_topic_email_notifications: { label: "A message in a followed topic brings an email" },
    enable_offline_push_notifications: { label: "A direct message or a mention brings a notice on the phone" },
    enable_offline_email_notifications: { label: "A direct message or a mention brings an email" },
    enable_online_push_notifications: { label: "On the phone also while at the desktop" },
    email_notifications_batching_period_seconds: { label: "Seconds until an email goes out" },
    message_content_in_email_notifications: { label: "Emails contain the messages" },
    realm_name_in_email_notifications_policy: {
      label: "Emails name the organization",
      choices: { "1": "Where one is in several", "2": "Always", "3": "Never" },
    },
    enable_digest_emails: { label: "An email about what one has missed" },
    allow_private_data_export: { label: "Let administrators export your direct messages and private channels" },
  },
} as const;
