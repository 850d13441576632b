export const computerTexts = {
  computer: {
    title: "Dieser Computer",
    lead: "Was Hearth auf dem Computer tut, auf dem es läuft. Nur hier änderbar, im Hearth-Fenster.",
    always: "Verfügbarkeit",
    alwaysLead: "Chatten ist möglich, solange Hearth läuft und dieser Computer wach ist.",
    startAtLogin: "Bei meiner Anmeldung an diesem Computer starten",
    startAtLoginKeywords: "Autostart hochfahren",
    startAtLoginHelp: "Startet im Infobereich, ohne Fenster.",
    service: "Ohne angemeldete Person",
    serviceLead:
      "Als Dienst läuft Hearth weiter, wenn Sie dieses Fenster beenden oder sich abmelden, und startet nach einem Stromausfall wieder.",
    startBeforeSignIn: "Vor der Anmeldung starten",
    startBeforeSignInKeywords: "Dienst Systemstart hochfahren Stromausfall systemd launchd Aufgabenplanung",
    startBeforeSignInHelp: {
      win32: "Windows fragt nach der Erlaubnis eines Administrators. Alle werden für einige Sekunden getrennt.",
      darwin: "macOS fragt nach dem Passwort eines Administrators. Alle sind getrennt, bis Sie es eingegeben haben.",
      linux: "systemd startet Hearth mit diesem Computer. Alle werden für einige Sekunden getrennt.",
    },
    serviceState: "Status",
    serviceRunning: "Läuft",
    serviceStopped: "Läuft nicht",
    servicePlace: "Eingerichtet in",
    serviceLog: "Protokoll",
    closeToTray: "Weiterlaufen, wenn das Fenster geschlossen wird",
    closeToTrayKeywords: "Hintergrund minimieren Infobereich beenden",
    closeToTrayHelp: "Hearth bleibt im Infobereich, wo Sie es öffnen oder beenden können.",
    noTray:
      "Dieser Desktop hat keinen Infobereich, daher beendet das Schließen des Fensters Hearth. Ist jemand online, werden Sie vorher gefragt.",
    keepAwake: "Diesen Computer wach halten",
    keepAwakeKeywords: "Ruhezustand Standby schlafen Energie",
    keepAwakeHelp:
      "Solange jemand online ist. Der Bildschirm kann sich ausschalten, und das Schließen des Deckels versetzt den Computer weiterhin in den Ruhezustand.",
    awake: {
      never: "Nie",
      "on power": "Im Netzbetrieb",
      always: "Immer, auch im Akkubetrieb",
    },
  },
  problem: {
    failing: "Hearth stürzt wiederholt ab",
    failingLead_one: "Hearth ist einmal ausgefallen und versucht es erneut.",
    failingLead_other: "Hearth ist {{count}}-mal hintereinander ausgefallen und versucht es weiter.",
    ended: "Hearth wurde angehalten",
    endedLead_one: "Es kann nicht fortfahren. Ein Dialog fragt, wie es weitergehen soll.",
    endedLead_other:
      "Hearth ist {{count}}-mal ausgefallen und kann nicht fortfahren. Ein Dialog fragt, wie es weitergehen soll.",
    reason: "Was passiert ist",
    safe: "Alles Gesendete ist sicher gespeichert, und Apps verbinden sich automatisch wieder.",
    report:
      "Wenn das anhält, starten Sie diesen Computer neu. Senden Sie für Hilfe den Ordner diagnostics aus dem Datenordner. Er enthält keine Nachrichten.",
    again: "Jetzt erneut versuchen",
    folder: "Datenordner anzeigen",
    quit: "Hearth beenden",
  },
} as const;
