export const computerTexts = {
  computer: {
    title: "Dieser Computer",
    lead: "Was Hearth auf dem Computer tut, auf dem es läuft. Nur hier zu ändern, im Fenster von Hearth selbst.",
    always: "Da, wenn es gebraucht wird",
    alwaysLead: "Man kann chatten, solange Hearth läuft und dieser Computer wach ist.",
    startAtLogin: "Starten, wenn ich mich an diesem Computer anmelde",
    startAtLoginHelp: "Es startet im Infobereich, ohne Fenster.",
    closeToTray: "Weiterlaufen, wenn das Fenster geschlossen wird",
    closeToTrayHelp: "Hearth bleibt im Infobereich; dort wird es wieder geöffnet oder beendet.",
    noTray:
      "Diese Oberfläche zeigt keinen Infobereich, darum beendet das Schließen des Fensters Hearth. Wenn jemand online ist, wird vorher gefragt.",
    keepAwake: "Diesen Computer wach halten",
    keepAwakeHelp:
      "Solange jemand online ist. Der Bildschirm darf sich trotzdem ausschalten, und ein geschlossener Deckel versetzt ihn in den Ruhezustand.",
    awake: {
      never: "Nie",
      "on power": "Solange er am Strom hängt",
      always: "Immer, auch im Akkubetrieb",
    },
  },
  problem: {
    failing: "Hearth fällt immer wieder aus",
    failingLead_one: "Es ist einmal ausgefallen und versucht es wieder.",
    failingLead_other: "Es ist {{count}}-mal hintereinander ausgefallen und versucht es weiter.",
    ended: "Hearth ist angehalten",
    endedLead_one: "Es kann nicht von selbst weitermachen. Eine Meldung fragt, was nun geschehen soll.",
    endedLead_other:
      "Es ist {{count}}-mal ausgefallen und kann nicht von selbst weitermachen. Eine Meldung fragt, was nun geschehen soll.",
    reason: "Was geschehen ist",
    safe: "Alles, was gesendet wurde, liegt sicher auf der Festplatte, und Apps verbinden sich von selbst wieder.",
    report:
      "Wenn es so weitergeht, starte diesen Computer neu. Wer dir hilft, braucht den Ordner diagnostics im Datenordner; darin sind keine Nachrichten.",
    again: "Jetzt wieder versuchen",
    folder: "Datenordner zeigen",
    quit: "Hearth beenden",
  },
} as const;
