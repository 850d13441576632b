/** User settings, in words that fit both the reader and people who join later. */
export const userSettingTexts = {
  userSettings: {
    color_scheme: { label: "Theme", choices: { "1": "System", "2": "Dark", "3": "Light" } },
    web_font_size_px: {
      label: "Text size (px)",
      choices: { "14": "Small (14)", "16": "Default (16)", "18": "Large (18)", "20": "Extra large (20)" },
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
        "1": "Newest topic",
        "2": "All messages",
        "3": "Topics with unread messages",
        "4": "List of topics",
      },
    },
    web_mark_read_on_scroll_policy: {
      label: "Mark messages as read on scroll",
      choices: { "1": "Always", "2": "Only in topics and direct messages", "3": "Never" },
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
      choices: { always: "Always", except_followed: "Except in followed topics", never: "Never" },
    },
    enter_sends: {
      label: "Press Enter to send",
      help: "When on, Shift+Enter adds a line. When off, Enter adds a line and Ctrl+Enter sends.",
    },
    translate_emoticons: { label: "Convert emoticons such as :) to emoji" },
    enable_drafts_synchronization: { label: "Sync drafts across devices" },
    web_navigate_to_sent_message: { label: "Go to the conversation after sending" },
    web_suggest_update_timezone: { label: "Offer to update the time zone when travelling" },
    automatically_follow_topics_policy: {
      label: "Follow topics automatically",
      choices: { "1": "After participating", "2": "After posting", "3": "After starting them", "4": "Never" },
    },
    automatically_unmute_topics_in_muted_streams_policy: {
      label: "Unmute topics in muted channels automatically",
      choices: { "1": "After participating", "2": "After posting", "3": "After starting them", "4": "Never" },
    },
    automatically_follow_topics_where_mentioned: { label: "Follow topics automatically after a mention" },
    enable_stream_desktop_notifications: { label: "Desktop notifications for channel messages" },
    enable_stream_audible_notifications: { label: "Sounds for channel messages" },
    wildcard_mentions_notify: { label: "Treat @all as a mention" },
    enable_followed_topic_desktop_notifications: { label: "Desktop notifications for followed topics" },
    enable_followed_topic_audible_notifications: { label: "Sounds for followed topics" },
    enable_followed_topic_wildcard_mentions_notify: { label: "Treat @all as a mention in followed topics" },
    enable_desktop_notifications: { label: "Desktop notifications for direct messages and mentions" },
    enable_sounds: { label: "Sounds for direct messages and mentions" },
    notification_sound: { label: "Notification sound" },
    desktop_icon_count_display: {
      label: "App icon badge",
      choices: {
        "1": "All unread messages",
        "2": "Direct messages, mentions and followed topics",
        "3": "Direct messages and mentions",
        "4": "None",
      },
    },
    pm_content_in_desktop_notifications: {
      label: "Show the text of direct messages",
    },
    enable_offline_push_notifications: { label: "Notify phones of direct messages, mentions and alert words" },
    enable_followed_topic_push_notifications: { label: "Notify phones of messages in followed topics" },
    enable_stream_push_notifications: { label: "Notify phones of channel messages" },
    message_content_in_push_notifications: {
      label: "Show message text on phones",
      help: "When off, a notification names the sender and the conversation only.",
    },
    enable_online_push_notifications: {
      label: "Notify phones while active on another device",
      help: "When off, phones ring after some minutes without activity, if the message is still unread.",
    },
    push_away_minutes: {
      label: "Minutes without activity before phones ring",
      choices: { "1": "1 minute", "2": "2 minutes", "5": "5 minutes", "10": "10 minutes", "30": "30 minutes" },
    },
    email_address_visibility: {
      label: "Email address visibility",
      choices: {
        "1": "Everyone",
        "2": "Everyone except guests",
        "3": "Administrators and owners",
        "4": "Nobody",
        "5": "Moderators and above",
      },
    },
    presence_enabled: { label: "Show online status to others" },
    send_read_receipts: {
      label: "Send read receipts",
    },
    send_private_typing_notifications: { label: "Send typing notifications in direct messages" },
    send_stream_typing_notifications: { label: "Send typing notifications in channels" },
    receives_typing_notifications: { label: "Show when others are typing" },
    enable_stream_email_notifications: { label: "Email notifications for channel messages" },
    enable_followed_topic_email_notifications: { label: "Email notifications for followed topics" },
    enable_offline_email_notifications: { label: "Email notifications for direct messages and mentions" },
    email_notifications_batching_period_seconds: {
      label: "Delay before sending email (seconds)",
      own: "Collect messages for",
      choices: {
        "60": "1 minute",
        "120": "2 minutes",
        "300": "5 minutes",
        "600": "10 minutes",
        "1800": "30 minutes",
        "3600": "1 hour",
        "14400": "4 hours",
        "86400": "1 day",
      },
    },
    message_content_in_email_notifications: {
      label: "Include message text in emails",
      help: "When off, an email names the senders and the conversations only.",
    },
    realm_name_in_email_notifications_policy: {
      label: "Include the organization's name in the subject of emails",
      choices: { "1": "Only for people in several organizations", "2": "Always", "3": "Never" },
    },
    enable_login_emails: {
      label: "Email about sign-ins from a new place",
      help: "Sent when someone signs in to your account from an IP address that you haven't used before.",
    },
    enable_digest_emails: { label: "Send digest emails" },
    allow_private_data_export: {
      label: "Let administrators export your direct messages, private channels and starred messages",
    },
  },
} as const;
