/**
 * User settings. `label` is about people who join later, and `own` about the reader, on the personal settings page. A text
 * that fits both is a `label`. The same applies to `choices` and `ownChoices`.
 */
export const userSettingTexts = {
  userSettings: {
    color_scheme: { label: "Theme", choices: { "1": "System", "2": "Dark", "3": "Light" } },
    web_font_size_px: {
      label: "Text size (pixels)",
      own: "Text size",
      ownChoices: { "14": "Small", "16": "Default", "18": "Large", "20": "Extra large" },
    },
    web_line_height_percent: { label: "Line height (percent)" },
    fluid_layout_width: { label: "Use the full width of the screen" },
    high_contrast_mode: { label: "High contrast" },
    twenty_four_hour_time: { label: "Use 24-hour time" },
    emojiset: { label: "Emoji", choices: { google: "Google", twitter: "Twitter", text: "As text" } },
    display_emoji_reaction_users: { label: "Show who reacted when there are few reactions" },
    web_animate_image_previews: {
      label: "Animated images",
      choices: { always: "Always play", on_hover: "Play on hover", never: "Never play" },
    },
    user_list_style: {
      label: "List of people",
      choices: { "1": "Host names", "2": "Names and statuses", "3": "Pictures, names and statuses" },
    },
    left_side_userlist: { label: "Show people on the left in narrow windows" },
    hide_ai_features: { label: "Hide AI features" },
    web_home_view: {
      label: "Home view",
      choices: { inbox: "Inbox", recent_topics: "Recent conversations", all_messages: "All messages" },
    },
    web_escape_navigates_to_home_view: { label: "Escape goes to the home view" },
    web_channel_default_view: {
      label: "When opening a channel, show",
      choices: {
        "1": "The topic with the newest message",
        "2": "All its messages",
        "3": "The topics with unread messages",
        "4": "The list of its topics",
      },
    },
    web_mark_read_on_scroll_policy: {
      label: "Mark messages as read on scroll",
      own: "Messages that have been on screen",
      choices: { "1": "Always", "2": "Only in conversations", "3": "Never" },
      ownChoices: {
        "1": "Mark as read",
        "2": "Mark as read in topics and direct messages only",
        "3": "Keep unread until you mark them",
      },
    },
    demote_inactive_streams: {
      label: "Move inactive channels to the bottom",
      choices: { "1": "When there are many channels", "2": "Always", "3": "Never" },
    },
    web_left_sidebar_show_channel_folders: { label: "Show channels by folder" },
    web_stream_unreads_count_display_policy: {
      label: "Show unread counts for",
      choices: { "1": "All channels", "2": "Unmuted channels", "3": "No channels" },
    },
    web_left_sidebar_unreads_count_summary: { label: "Show a total unread count" },
    starred_message_counts: { label: "Show the number of starred messages" },
    resolved_topic_notice_auto_read_policy: {
      label: "Mark “topic resolved” notices as read",
      own: "“Topic resolved” notices",
      choices: { always: "Always", except_followed: "Except in followed topics", never: "Never" },
      ownChoices: {
        always: "Mark as read",
        except_followed: "Mark as read unless you follow the topic",
        never: "Keep unread",
      },
    },
    enter_sends: {
      label: "Press Enter to send",
      own: "Press Enter to send and Shift+Enter for a new line",
      help: "When off, Enter adds a line and Ctrl+Enter sends.",
    },
    translate_emoticons: { label: "Convert emoticons such as :) to emoji" },
    enable_drafts_synchronization: { label: "Sync drafts across devices" },
    web_navigate_to_sent_message: { label: "Go to the conversation after sending" },
    web_suggest_update_timezone: { label: "Offer to update the time zone when travelling" },
    automatically_follow_topics_policy: {
      label: "Follow topics automatically",
      choices: { "1": "That they participate in", "2": "That they post in", "3": "That they start", "4": "Never" },
      ownChoices: { "1": "That you participate in", "2": "That you post in", "3": "That you start", "4": "Never" },
    },
    automatically_unmute_topics_in_muted_streams_policy: {
      label: "Unmute topics in muted channels automatically",
      choices: { "1": "That they participate in", "2": "That they post in", "3": "That they start", "4": "Never" },
      ownChoices: { "1": "That you participate in", "2": "That you post in", "3": "That you start", "4": "Never" },
    },
    automatically_follow_topics_where_mentioned: {
      label: "Follow topics where they are mentioned",
      own: "Follow topics where you are mentioned",
    },
    enable_stream_desktop_notifications: { label: "Desktop notification", own: "All messages in your channels" },
    enable_stream_audible_notifications: { label: "Sound", own: "All messages in your channels" },
    wildcard_mentions_notify: {
      label: "Treat @all as a mention",
      own: "@all mentions",
    },
    enable_followed_topic_desktop_notifications: { label: "Desktop notification", own: "Topics that you follow" },
    enable_followed_topic_audible_notifications: { label: "Sound", own: "Topics that you follow" },
    enable_followed_topic_wildcard_mentions_notify: {
      label: "Treat @all as a mention",
      own: "@all mentions in followed topics",
    },
    enable_desktop_notifications: { label: "Desktop notification", own: "Direct messages and mentions" },
    enable_sounds: { label: "Sound", own: "Direct messages and mentions" },
    notification_sound: { label: "Notification sound" },
    desktop_icon_count_display: {
      label: "App icon badge",
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
      label: "Show the text of direct messages",
    },
    email_address_visibility: {
      label: "Who can see their email address",
      own: "Who can see your email address",
      choices: {
        "1": "Everyone",
        "2": "Everyone except guests",
        "3": "Administrators and owners",
        "4": "Nobody",
        "5": "Moderators and above",
      },
      ownChoices: {
        "1": "Everyone",
        "2": "Everyone except guests",
        "3": "Administrators and owners",
        "4": "Nobody",
        "5": "Moderators and above",
      },
    },
    presence_enabled: { label: "Show others when they are online", own: "Show others when you're online" },
    send_read_receipts: {
      label: "Send read receipts",
    },
    send_private_typing_notifications: {
      label: "Show others when they are typing in direct messages",
      own: "Show others when you're typing in direct messages",
    },
    send_stream_typing_notifications: {
      label: "Show others when they are typing in channels",
      own: "Show others when you're typing in channels",
    },
    receives_typing_notifications: { label: "Show when others are typing" },
    enable_stream_push_notifications: { label: "Mobile notifications for channel messages" },
    enable_stream_email_notifications: { label: "Email notifications for channel messages" },
    enable_followed_topic_push_notifications: { label: "Mobile notifications for followed topics" },
    enable_followed_topic_email_notifications: { label: "Email notifications for followed topics" },
    enable_offline_push_notifications: { label: "Mobile notifications for direct messages and mentions" },
    enable_offline_email_notifications: { label: "Email notifications for direct messages and mentions" },
    enable_online_push_notifications: { label: "Notify the phone even while active on the desktop" },
    email_notifications_batching_period_seconds: { label: "Delay before sending email (seconds)" },
    message_content_in_email_notifications: { label: "Include message text in emails" },
    realm_name_in_email_notifications_policy: {
      label: "Include the organization's name in emails",
      choices: { "1": "Only for people in several organizations", "2": "Always", "3": "Never" },
    },
    enable_digest_emails: { label: "Send digest emails" },
    allow_private_data_export: { label: "Let administrators export your direct messages and private channels" },
  },
} as const;
