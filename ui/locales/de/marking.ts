export const markingTexts = {
  marking: {
    read: {
      done_one: "{{count, number}} Nachricht als gelesen markiert",
      done_other: "{{count, number}} Nachrichten als gelesen markiert",
      doneWithMuted_one: "{{count, number}} Nachricht als gelesen markiert, in einem stummgeschalteten Thema",
      doneWithMuted_other:
        "{{count, number}} Nachrichten als gelesen markiert, {{muted, number}} davon in stummgeschalteten Themen",
      progress_one: "Wird als gelesen markiert…",
      progress_other: "Als gelesen markiert: {{done, number}} von {{count, number}}…",
      stopped_one: "Die Nachricht wurde nicht als gelesen markiert: {{reason}}",
      stopped_other: "Nach {{done, number}} von {{count, number}} Nachrichten angehalten: {{reason}}",
    },
    unread: {
      progress_one: "Wird als ungelesen markiert…",
      progress_other: "Als ungelesen markiert: {{done, number}} von {{count, number}}…",
      stopped_one: "Die Nachricht wurde nicht als ungelesen markiert: {{reason}}",
      stopped_other: "Nach {{done, number}} von {{count, number}} Nachrichten angehalten: {{reason}}",
    },
    resolved: "Für alle als erledigt markiert",
    unresolved: "Für alle als nicht erledigt markiert",
    moved: "Für alle verschoben",
    noAnswer: "Hearth antwortet nicht.",
    goOn: "Fortfahren",
  },
};
