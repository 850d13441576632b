export const userSettingTexts = {
  userSettings: {
    color_scheme: {
      label: "Design",
      choices: {
        1: "System",
        2: "Dunkel",
        3: "Hell",
      },
    },
    web_font_size_px: {
      label: "Schriftgröße (px)",
      choices: {
        14: "Klein (14)",
        16: "Standard (16)",
        18: "Groß (18)",
        20: "Sehr groß (20)",
      },
    },
    web_line_height_percent: {
      label: "Zeilenhöhe (Prozent)",
    },
    fluid_layout_width: {
      label: "Die ganze Breite des Bildschirms nutzen",
    },
    high_contrast_mode: {
      label: "Hoher Kontrast",
    },
    twenty_four_hour_time: {
      label: "24-Stunden-Format verwenden",
    },
    emojiset: {
      label: "Emojis",
      choices: {
        google: "Google",
        twitter: "Twitter",
        text: "Als Text",
      },
    },
    display_emoji_reaction_users: {
      label: "Bei wenigen Reaktionen anzeigen, wer reagiert hat",
    },
    web_animate_image_previews: {
      label: "Animierte Bilder",
      choices: {
        always: "Immer abspielen",
        on_hover: "Beim Darüberfahren abspielen",
        never: "Nie abspielen",
      },
    },
    user_list_style: {
      label: "Liste der Personen",
      choices: {
        1: "Hostnamen",
        2: "Namen und Status",
        3: "Bilder, Namen und Status",
      },
    },
    left_side_userlist: {
      label: "Personen in schmalen Fenstern links anzeigen",
    },
    hide_ai_features: {
      label: "KI-Funktionen ausblenden",
    },
    web_home_view: {
      label: "Startansicht",
      choices: {
        inbox: "Posteingang",
        recent_topics: "Letzte Unterhaltungen",
        all_messages: "Alle Nachrichten",
      },
    },
    web_escape_navigates_to_home_view: {
      label: "Escape führt zur Startansicht",
    },
    web_channel_default_view: {
      label: "Beim Öffnen eines Kanals anzeigen",
      choices: {
        1: "Neuestes Thema",
        2: "Alle Nachrichten",
        3: "Ungelesene Themen",
        4: "Liste der Themen",
      },
    },
    web_mark_read_on_scroll_policy: {
      label: "Nachrichten beim Scrollen als gelesen markieren",
      choices: {
        1: "Immer",
        2: "Nur in Themen und Direktnachrichten",
        3: "Nie",
      },
    },
    demote_inactive_streams: {
      label: "Inaktive Kanäle ans Ende verschieben",
      choices: {
        1: "Bei vielen Kanälen",
        2: "Immer",
        3: "Nie",
      },
    },
    web_left_sidebar_show_channel_folders: {
      label: "Kanäle nach Ordnern anzeigen",
    },
    web_stream_unreads_count_display_policy: {
      label: "Ungelesene zählen für",
      choices: {
        1: "Alle Kanäle",
        2: "Nicht stummgeschaltete Kanäle",
        3: "Keine Kanäle",
      },
    },
    web_left_sidebar_unreads_count_summary: {
      label: "Gesamtzahl ungelesener Nachrichten anzeigen",
    },
    starred_message_counts: {
      label: "Anzahl markierter Nachrichten anzeigen",
    },
    resolved_topic_notice_auto_read_policy: {
      label: "Hinweise „Thema erledigt“ als gelesen markieren",
      choices: {
        always: "Immer",
        except_followed: "Außer in gefolgten Themen",
        never: "Nie",
      },
    },
    enter_sends: {
      label: "Enter sendet",
      help: "Ist es eingeschaltet, beginnt Umschalt+Enter eine Zeile. Ist es ausgeschaltet, beginnt Enter eine Zeile und Strg+Enter sendet.",
    },
    translate_emoticons: {
      label: "Emoticons wie :) in Emojis umwandeln",
    },
    enable_drafts_synchronization: {
      label: "Entwürfe geräteübergreifend synchronisieren",
    },
    web_navigate_to_sent_message: {
      label: "Nach dem Senden zur Unterhaltung wechseln",
    },
    web_suggest_update_timezone: {
      label: "Auf Reisen anbieten, die Zeitzone zu aktualisieren",
    },
    automatically_follow_topics_policy: {
      label: "Themen automatisch folgen",
      choices: {
        1: "Nach einer Teilnahme",
        2: "Nach einem eigenen Beitrag",
        3: "Nach dem Beginnen",
        4: "Nie",
      },
    },
    automatically_unmute_topics_in_muted_streams_policy: {
      label: "Stummschaltung von Themen in stummgeschalteten Kanälen automatisch aufheben",
      choices: {
        1: "Nach einer Teilnahme",
        2: "Nach einem eigenen Beitrag",
        3: "Nach dem Beginnen",
        4: "Nie",
      },
    },
    automatically_follow_topics_where_mentioned: {
      label: "Themen nach einer Erwähnung automatisch folgen",
    },
    enable_stream_desktop_notifications: {
      label: "Desktop-Benachrichtigungen bei Kanalnachrichten",
    },
    enable_stream_audible_notifications: {
      label: "Töne bei Kanalnachrichten",
    },
    wildcard_mentions_notify: {
      label: "@all als Erwähnung behandeln",
    },
    enable_followed_topic_desktop_notifications: {
      label: "Desktop-Benachrichtigungen bei gefolgten Themen",
    },
    enable_followed_topic_audible_notifications: {
      label: "Töne bei gefolgten Themen",
    },
    enable_followed_topic_wildcard_mentions_notify: {
      label: "@all in gefolgten Themen als Erwähnung behandeln",
    },
    enable_desktop_notifications: {
      label: "Desktop-Benachrichtigungen bei Direktnachrichten und Erwähnungen",
    },
    enable_sounds: {
      label: "Töne bei Direktnachrichten und Erwähnungen",
    },
    notification_sound: {
      label: "Benachrichtigungston",
    },
    desktop_icon_count_display: {
      label: "Zahl am App-Symbol",
      choices: {
        1: "Alle ungelesenen Nachrichten",
        2: "Direktnachrichten, Erwähnungen und gefolgte Themen",
        3: "Direktnachrichten und Erwähnungen",
        4: "Keine",
      },
    },
    pm_content_in_desktop_notifications: {
      label: "Text von Direktnachrichten anzeigen",
    },
    enable_offline_push_notifications: {
      label: "Telefone bei Direktnachrichten, Erwähnungen und Signalwörtern benachrichtigen",
    },
    enable_followed_topic_push_notifications: { label: "Telefone bei gefolgten Themen benachrichtigen" },
    enable_stream_push_notifications: { label: "Telefone bei Kanalnachrichten benachrichtigen" },
    message_content_in_push_notifications: {
      label: "Nachrichtentext auf Telefonen zeigen",
      help: "Sonst nennt eine Benachrichtigung nur Absender und Unterhaltung.",
    },
    enable_online_push_notifications: {
      label: "Telefone auch benachrichtigen, wenn Sie an einem anderen Gerät aktiv sind",
      help: "Sonst melden sich Telefone erst nach einigen Minuten ohne Aktivität, wenn die Nachricht noch ungelesen ist.",
    },
    push_away_minutes: {
      label: "Minuten ohne Aktivität, bis Telefone sich melden",
      choices: { 1: "1 Minute", 2: "2 Minuten", 5: "5 Minuten", 10: "10 Minuten", 30: "30 Minuten" },
    },
    email_address_visibility: {
      label: "Sichtbarkeit der E-Mail-Adresse",
      choices: {
        1: "Alle",
        2: "Alle außer Gästen",
        3: "Administratoren und Besitzer",
        4: "Niemand",
        5: "Moderatoren und höher",
      },
    },
    presence_enabled: {
      label: "Anderen den Online-Status anzeigen",
    },
    send_read_receipts: {
      label: "Lesebestätigungen senden",
    },
    send_private_typing_notifications: {
      label: "Tippbenachrichtigungen in Direktnachrichten senden",
    },
    send_stream_typing_notifications: {
      label: "Tippbenachrichtigungen in Kanälen senden",
    },
    receives_typing_notifications: {
      label: "Anzeigen, wenn andere tippen",
    },
    enable_stream_email_notifications: {
      label: "E-Mail-Benachrichtigungen bei Kanalnachrichten",
    },
    enable_followed_topic_email_notifications: {
      label: "E-Mail-Benachrichtigungen bei gefolgten Themen",
    },
    enable_offline_email_notifications: {
      label: "E-Mail-Benachrichtigungen bei Direktnachrichten und Erwähnungen",
    },
    email_notifications_batching_period_seconds: {
      label: "Verzögerung vor dem Senden einer E-Mail (Sekunden)",
      own: "Nachrichten sammeln für",
      choices: {
        60: "1 Minute",
        120: "2 Minuten",
        300: "5 Minuten",
        600: "10 Minuten",
        1800: "30 Minuten",
        3600: "1 Stunde",
        14400: "4 Stunden",
        86400: "1 Tag",
      },
    },
    message_content_in_email_notifications: {
      label: "Nachrichtentext in E-Mails aufnehmen",
      help: "Sonst nennt eine E-Mail nur Absender und Unterhaltungen.",
    },
    realm_name_in_email_notifications_policy: {
      label: "Namen der Organisation im Betreff von E-Mails nennen",
      choices: {
        1: "Nur bei mehreren Organisationen",
        2: "Immer",
        3: "Nie",
      },
    },
    enable_login_emails: {
      label: "E-Mail bei Anmeldungen von einem neuen Ort",
      help: "Wird gesendet, wenn sich jemand mit einer IP-Adresse anmeldet, die Sie bisher nicht verwendet haben.",
    },
    enable_digest_emails: {
      label: "Zusammenfassungen per E-Mail senden",
    },
    allow_private_data_export: {
      label:
        "Administratoren erlauben, Ihre Direktnachrichten, privaten Kanäle und markierten Nachrichten zu exportieren",
    },
  },
};
