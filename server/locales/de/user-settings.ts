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
      label: "Schriftgröße (Pixel)",
      own: "Schriftgröße",
      ownChoices: {
        14: "Klein",
        16: "Standard",
        18: "Groß",
        20: "Sehr groß",
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
        1: "Das Thema mit der neuesten Nachricht",
        2: "Alle seine Nachrichten",
        3: "Die Themen mit ungelesenen Nachrichten",
        4: "Die Liste seiner Themen",
      },
    },
    web_mark_read_on_scroll_policy: {
      label: "Nachrichten beim Scrollen als gelesen markieren",
      own: "Angezeigte Nachrichten",
      choices: {
        1: "Immer",
        2: "Nur in Unterhaltungen",
        3: "Nie",
      },
      ownChoices: {
        1: "Als gelesen markieren",
        2: "Nur in Themen und Direktnachrichten als gelesen markieren",
        3: "Ungelesen lassen, bis Sie sie markieren",
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
      own: "Hinweise „Thema erledigt“",
      choices: {
        always: "Immer",
        except_followed: "Außer in gefolgten Themen",
        never: "Nie",
      },
      ownChoices: {
        always: "Als gelesen markieren",
        except_followed: "Als gelesen markieren, außer in gefolgten Themen",
        never: "Ungelesen lassen",
      },
    },
    enter_sends: {
      label: "Enter sendet",
      own: "Enter sendet, Umschalt+Enter beginnt eine neue Zeile",
      help: "Wenn ausgeschaltet, beginnt Enter eine neue Zeile und Strg+Enter sendet.",
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
        1: "An denen sie teilnehmen",
        2: "In denen sie schreiben",
        3: "Die sie beginnen",
        4: "Nie",
      },
      ownChoices: {
        1: "An denen Sie teilnehmen",
        2: "In denen Sie schreiben",
        3: "Die Sie beginnen",
        4: "Nie",
      },
    },
    automatically_unmute_topics_in_muted_streams_policy: {
      label: "Stummschaltung von Themen in stummgeschalteten Kanälen automatisch aufheben",
      choices: {
        1: "An denen sie teilnehmen",
        2: "In denen sie schreiben",
        3: "Die sie beginnen",
        4: "Nie",
      },
      ownChoices: {
        1: "An denen Sie teilnehmen",
        2: "In denen Sie schreiben",
        3: "Die Sie beginnen",
        4: "Nie",
      },
    },
    automatically_follow_topics_where_mentioned: {
      label: "Themen folgen, in denen sie erwähnt werden",
      own: "Themen folgen, in denen Sie erwähnt werden",
    },
    enable_stream_desktop_notifications: {
      label: "Desktop-Benachrichtigung",
      own: "Alle Nachrichten in Ihren Kanälen",
    },
    enable_stream_audible_notifications: {
      label: "Ton",
      own: "Alle Nachrichten in Ihren Kanälen",
    },
    wildcard_mentions_notify: {
      label: "@all als Erwähnung behandeln",
      own: "@all-Erwähnungen",
    },
    enable_followed_topic_desktop_notifications: {
      label: "Desktop-Benachrichtigung",
      own: "Themen, denen Sie folgen",
    },
    enable_followed_topic_audible_notifications: {
      label: "Ton",
      own: "Themen, denen Sie folgen",
    },
    enable_followed_topic_wildcard_mentions_notify: {
      label: "@all als Erwähnung behandeln",
      own: "@all-Erwähnungen in gefolgten Themen",
    },
    enable_desktop_notifications: {
      label: "Desktop-Benachrichtigung",
      own: "Direktnachrichten und Erwähnungen",
    },
    enable_sounds: {
      label: "Ton",
      own: "Direktnachrichten und Erwähnungen",
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
      ownChoices: {
        1: "Alle ungelesenen Nachrichten",
        2: "Direktnachrichten, Erwähnungen und gefolgte Themen",
        3: "Direktnachrichten und Erwähnungen",
        4: "Nichts",
      },
    },
    pm_content_in_desktop_notifications: {
      label: "Text von Direktnachrichten anzeigen",
    },
    email_address_visibility: {
      label: "Wer ihre E-Mail-Adresse sehen kann",
      own: "Wer Ihre E-Mail-Adresse sehen kann",
      choices: {
        1: "Alle",
        2: "Alle außer Gästen",
        3: "Administratoren und Besitzer",
        4: "Niemand",
        5: "Moderatoren und höher",
      },
      ownChoices: {
        1: "Alle",
        2: "Alle außer Gästen",
        3: "Administratoren und Besitzer",
        4: "Niemand",
        5: "Moderatoren und höher",
      },
    },
    presence_enabled: {
      label: "Anderen anzeigen, wann sie online sind",
      own: "Anderen anzeigen, wann Sie online sind",
    },
    send_read_receipts: {
      label: "Lesebestätigungen senden",
    },
    send_private_typing_notifications: {
      label: "Anderen anzeigen, wenn sie Direktnachrichten tippen",
      own: "Anderen anzeigen, wenn Sie Direktnachrichten tippen",
    },
    send_stream_typing_notifications: {
      label: "Anderen anzeigen, wenn sie in Kanälen tippen",
      own: "Anderen anzeigen, wenn Sie in Kanälen tippen",
    },
    receives_typing_notifications: {
      label: "Anzeigen, wenn andere tippen",
    },
    enable_stream_push_notifications: {
      label: "Mobile Benachrichtigungen bei Kanalnachrichten",
    },
    enable_stream_email_notifications: {
      label: "E-Mail-Benachrichtigungen bei Kanalnachrichten",
    },
    enable_followed_topic_push_notifications: {
      label: "Mobile Benachrichtigungen bei gefolgten Themen",
    },
    enable_followed_topic_email_notifications: {
      label: "E-Mail-Benachrichtigungen bei gefolgten Themen",
    },
    enable_offline_push_notifications: {
      label: "Mobile Benachrichtigungen bei Direktnachrichten und Erwähnungen",
    },
    enable_offline_email_notifications: {
      label: "E-Mail-Benachrichtigungen bei Direktnachrichten und Erwähnungen",
    },
    enable_online_push_notifications: {
      label: "Auch am Desktop auf dem Telefon benachrichtigen",
    },
    email_notifications_batching_period_seconds: {
      label: "Verzögerung vor dem Senden einer E-Mail (Sekunden)",
    },
    message_content_in_email_notifications: {
      label: "Nachrichtentext in E-Mails aufnehmen",
    },
    realm_name_in_email_notifications_policy: {
      label: "Namen der Organisation in E-Mails aufnehmen",
      choices: {
        1: "Nur für Personen in mehreren Organisationen",
        2: "Immer",
        3: "Nie",
      },
    },
    enable_digest_emails: {
      label: "Zusammenfassungen per E-Mail senden",
    },
    allow_private_data_export: {
      label: "Administratoren erlauben, Ihre Direktnachrichten und privaten Kanäle zu exportieren",
    },
  },
};
