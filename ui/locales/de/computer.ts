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
    chat: "Chat",
    chatLead: "Für Sie an diesem Computer. Im Chat sind Sie als Besitzer angemeldet.",
    chatIn: "Wo sich der Chat öffnet",
    chatInKeywords: "Fenster Browser Client Nachrichten",
    chatInHelp:
      "Das eigene Fenster von Hearth zeigt Benachrichtigungen und die Zahl der ungelesenen Nachrichten am App-Symbol.",
    chatPlaces: {
      window: "In einem Fenster von Hearth",
      browser: "Im Browser",
    },
    keepChat: "Chat im Hintergrund geöffnet lassen",
    keepChatKeywords: "Benachrichtigungen Infobereich verborgen schließen",
    keepChatHelp: "Auch wenn Sie das Chatfenster schließen, kommen Benachrichtigungen über neue Nachrichten an.",
    keepChatBrowser: "Nur für den Chat in einem Fenster von Hearth.",
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
} as const;
