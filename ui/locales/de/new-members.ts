export const newMemberTexts = {
  newMembers: {
    description: "Was man beim Beitritt vorfindet: Kanäle und Einstellungen. Wer schon da ist, behält seine.",
    channels: {
      title: "Standardkanäle",
      lead_one: "Wer beitritt, abonniert {{count, number}} Kanal.",
      lead_other: "Wer beitritt, abonniert diese {{count, number}} Kanäle.",
      none: "Wer beitritt, ist zuerst in keinem Kanal und muss einen finden.",
      add: "Standardkanal hinzufügen",
      addHint: "Nur öffentliche Kanäle: private bekommen nie alle.",
      added: "{{name}} ist ein Standardkanal",
      remove: "{{name}} denen überlassen, die ihn wählen",
      removeShort: "Entfernen",
      removed_one: "{{name}} ist kein Standardkanal mehr. {{count, number}} Person bleibt darin.",
      removed_other: "{{name}} ist kein Standardkanal mehr. {{count, number}} Personen bleiben darin.",
    },
    groups: {
      title: "Kanäle, die man zusammen nimmt",
      lead: "Zusammenstellungen von Kanälen, die Apps neuen Mitgliedern anbieten.",
      create: "Zusammenstellung erstellen",
      created: "Die Zusammenstellung {{name}} ist da",
      saved: "Gespeichert: {{name}}",
      edit: "{{name}} ändern",
      editShort: "Ändern",
      editTitle: "Die Zusammenstellung {{name}}",
      delete: "{{name}} löschen",
      deleteShort: "Löschen",
      deleteTitle: "Die Zusammenstellung {{name}} löschen?",
      deleteHint_one: "Ihr {{count, number}} Kanal bleibt, und wer darin ist, auch.",
      deleteHint_other: "Ihre {{count, number}} Kanäle bleiben, und wer darin ist, auch.",
      deleted: "{{name}} ist gelöscht",
      name: "Name",
      nameMissing: "Gib der Zusammenstellung einen Namen.",
      fieldDescription: "Beschreibung",
      fieldChannels: "Kanäle",
    },
    title: "Einstellungen",
    lead: "Womit beginnt, wer ab jetzt beitritt. Jeder kann sie später für sich ändern.",
    search: "Diese Einstellungen durchsuchen",
    onlyChanged: "Nur, was geändert wurde",
    none: "Keine Einstellung passt.",
    sections: {
      appearance: "Aussehen",
      reading: "Lesen",
      writing: "Schreiben",
      topics: "Themen",
      channelNotifications: "Eine Nachricht in einem Kanal bringt",
      topicNotifications: "Eine Nachricht in einem gefolgten Thema bringt",
      directNotifications: "Eine Direktnachricht oder Erwähnung bringt",
      notifications: "Benachrichtigungen allgemein",
      privacy: "Privatsphäre",
      others: "Für andere Programme",
    },
    othersHint:
      "Hearth selbst verschickt weder Mails noch Push-Nachrichten, deshalb ändern diese hier nichts. Sie bleiben für Apps und Exporte erhalten.",
    settings: {
      color_scheme: {
        label: "Farben",
        values: {
          "1": "Wie das System",
          "2": "Dunkel",
          "3": "Hell",
        },
      },
      web_font_size_px: {
        label: "Schriftgröße, in Pixeln",
      },
      web_line_height_percent: {
        label: "Zeilenhöhe, in Prozent",
      },
      fluid_layout_width: {
        label: "Die ganze Breite des Bildschirms nutzen",
      },
      high_contrast_mode: {
        label: "Hoher Kontrast",
      },
      twenty_four_hour_time: {
        label: "Zeiten von 0 bis 24",
      },
      emojiset: {
        label: "Emoji",
        values: {
          google: "Google",
          twitter: "Twitter",
          text: "Als Text",
        },
      },
      display_emoji_reaction_users: {
        label: "Zeigen, wer reagiert hat, wo es wenige sind",
      },
      web_animate_image_previews: {
        label: "Bewegte Bilder",
        values: {
          always: "Bewegen sich immer",
          on_hover: "Bewegen sich unter dem Zeiger",
          never: "Bewegen sich nie",
        },
      },
      user_list_style: {
        label: "Liste der Personen",
        values: {
          "1": "Namen",
          "2": "Namen und Status",
          "3": "Bilder, Namen und Status",
        },
      },
      left_side_userlist: {
        label: "Personen in schmalen Fenstern links",
      },
      hide_ai_features: {
        label: "Verbergen, was künstliche Intelligenz tut",
      },
      web_home_view: {
        label: "Was sich zuerst öffnet",
        values: {
          inbox: "Posteingang",
          recent_topics: "Letzte Unterhaltungen",
          all_messages: "Alle Nachrichten",
        },
      },
      web_escape_navigates_to_home_view: {
        label: "Escape führt dorthin",
      },
      web_channel_default_view: {
        label: "Ein Kanal öffnet sich mit",
        values: {
          "1": "Seinem neuesten Thema",
          "2": "Allen seinen Nachrichten",
          "3": "Den Themen mit ungelesenen Nachrichten",
          "4": "Der Liste seiner Themen",
        },
      },
      web_mark_read_on_scroll_policy: {
        label: "Nachrichten gelten beim Vorbeiblättern als gelesen",
        values: {
          "1": "Immer",
          "2": "Nur in Unterhaltungen",
          "3": "Nie",
        },
      },
      demote_inactive_streams: {
        label: "Stille Kanäle stehen hinten",
        values: {
          "1": "Wo es viele Kanäle gibt",
          "2": "Immer",
          "3": "Nie",
        },
      },
      web_left_sidebar_show_channel_folders: {
        label: "Kanäle nach Ordnern zeigen",
      },
      web_stream_unreads_count_display_policy: {
        label: "Ungelesene Nachrichten zählen von",
        values: {
          "1": "Allen Kanälen",
          "2": "Nicht stummen Kanälen",
          "3": "Keinem Kanal",
        },
      },
      web_left_sidebar_unreads_count_summary: {
        label: "Eine Summe ungelesener Nachrichten zeigen",
      },
      starred_message_counts: {
        label: "Markierte Nachrichten zählen",
      },
      resolved_topic_notice_auto_read_policy: {
        label: "Hinweise, dass ein Thema erledigt ist, gelten als gelesen",
        values: {
          always: "Immer",
          except_followed: "Außer in gefolgten Themen",
          never: "Nie",
        },
      },
      enter_sends: {
        label: "Enter sendet die Nachricht",
        help: "Sonst beginnt Enter eine Zeile, und Strg+Enter sendet.",
      },
      translate_emoticons: {
        label: ":) in Emoji umwandeln",
      },
      enable_drafts_synchronization: {
        label: "Dieselben Entwürfe auf allen Geräten",
      },
      web_navigate_to_sent_message: {
        label: "Zur Unterhaltung gehen, in der man geschrieben hat",
      },
      web_suggest_update_timezone: {
        label: "Auf Reisen anbieten, die Zeitzone zu ändern",
      },
      automatically_follow_topics_policy: {
        label: "Themen automatisch folgen",
        values: {
          "1": "In denen man mitmacht",
          "2": "In denen man schreibt",
          "3": "Die man beginnt",
          "4": "Nie",
        },
      },
      automatically_unmute_topics_in_muted_streams_policy: {
        label: "Themen in stummen Kanälen laut schalten",
        values: {
          "1": "In denen man mitmacht",
          "2": "In denen man schreibt",
          "3": "Die man beginnt",
          "4": "Nie",
        },
      },
      automatically_follow_topics_where_mentioned: {
        label: "Themen folgen, in denen man erwähnt wird",
      },
      enable_stream_desktop_notifications: {
        label: "Einen Hinweis auf dem Bildschirm",
      },
      enable_stream_audible_notifications: {
        label: "Einen Ton",
      },
      enable_stream_push_notifications: {
        label: "Eine Nachricht in einem Kanal bringt einen Hinweis auf dem Telefon",
      },
      enable_stream_email_notifications: {
        label: "Eine Nachricht in einem Kanal bringt eine E-Mail",
      },
      wildcard_mentions_notify: {
        label: "Eine Erwähnung aller zählt als Erwähnung",
      },
      enable_followed_topic_desktop_notifications: {
        label: "Einen Hinweis auf dem Bildschirm",
      },
      enable_followed_topic_audible_notifications: {
        label: "Einen Ton",
      },
      enable_followed_topic_push_notifications: {
        label: "Eine Nachricht in einem gefolgten Thema bringt einen Hinweis auf dem Telefon",
      },
      enable_followed_topic_email_notifications: {
        label: "Eine Nachricht in einem gefolgten Thema bringt eine E-Mail",
      },
      enable_followed_topic_wildcard_mentions_notify: {
        label: "Eine Erwähnung aller zählt als Erwähnung",
      },
      enable_desktop_notifications: {
        label: "Einen Hinweis auf dem Bildschirm",
      },
      enable_sounds: {
        label: "Einen Ton",
      },
      enable_offline_push_notifications: {
        label: "Eine Direktnachricht oder Erwähnung bringt einen Hinweis auf dem Telefon",
      },
      enable_offline_email_notifications: {
        label: "Eine Direktnachricht oder Erwähnung bringt eine E-Mail",
      },
      notification_sound: {
        label: "Welcher Ton",
      },
      desktop_icon_count_display: {
        label: "Zahl am Symbol der App",
        values: {
          "1": "Alle ungelesenen Nachrichten",
          "2": "Direktnachrichten, Erwähnungen und gefolgte Themen",
          "3": "Direktnachrichten und Erwähnungen",
          "4": "Keine",
        },
      },
      pm_content_in_desktop_notifications: {
        label: "Zeigen, was in einer Direktnachricht steht",
      },
      enable_online_push_notifications: {
        label: "Auf dem Telefon auch, während man am Computer ist",
      },
      email_notifications_batching_period_seconds: {
        label: "Sekunden, bis eine E-Mail hinausgeht",
      },
      message_content_in_email_notifications: {
        label: "E-Mails enthalten die Nachrichten",
      },
      realm_name_in_email_notifications_policy: {
        label: "E-Mails nennen die Organisation",
        values: {
          "1": "Wer in mehreren ist",
          "2": "Immer",
          "3": "Nie",
        },
      },
      enable_digest_emails: {
        label: "Eine E-Mail über Verpasstes",
      },
      email_address_visibility: {
        label: "Wer die eigene E-Mail-Adresse sieht",
        values: {
          "1": "Alle",
          "2": "Alle außer Gästen",
          "3": "Administratoren und Besitzer",
          "4": "Niemand",
          "5": "Moderatoren und höher",
        },
      },
      presence_enabled: {
        label: "Andere sehen, ob man da ist",
      },
      send_read_receipts: {
        label: "Andere sehen, ob man eine Nachricht gelesen hat",
      },
      send_private_typing_notifications: {
        label: "Andere sehen, dass man eine Direktnachricht schreibt",
      },
      send_stream_typing_notifications: {
        label: "Andere sehen, dass man in einem Kanal schreibt",
      },
      receives_typing_notifications: {
        label: "Zeigen, dass andere schreiben",
      },
    },
  },
};
