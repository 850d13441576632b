import type { Texts } from "./texts-en.ts";

const count = (people: number) => (people === 1 ? "1 Person ist" : `${people} Personen sind`);

/** German texts of the app's dialogs, menus and tray. */
export const german: Texts = {
  again: "Erneut versuchen",
  quit: "Beenden",
  goOn: "Weiter",
  reload: "Neu laden",
  wait: "Warten",
  chooseFolder: "Anderen Ordner wählen…",
  showFolder: "Ordner anzeigen",
  otherPort: (port) => `Stattdessen Port ${port} verwenden`,

  anotherProgram: "ein anderes Programm",
  anotherHearth: "eine andere Hearth-Instanz",
  process: (name, pid) => `${name} (Prozess ${pid})`,
  portTaken: (port, by) => `Port ${port} wird von ${by} verwendet.`,
  portForbidden: (port) => `Sie haben keine Berechtigung, Port ${port} zu verwenden.`,
  portTakenDetail: (port) =>
    `Apps suchen Hearth auf Port ${port}. Beenden Sie das andere Programm und versuchen Sie es erneut, oder lassen Sie Hearth einen anderen Port verwenden. Damit ändert sich die Adresse, die Sie weitergeben.`,

  notStarted: "Hearth konnte nicht starten.",
  stopped: "Hearth hat den Betrieb Ihrer Organisation beendet.",

  settingsBroken: "Die Einstellungen von Hearth konnten nicht gelesen werden.",
  settingsBrokenDetail: (kept, why) =>
    `Die Datei wurde als ${kept} gespeichert (${why}). Hearth verwendet den Standard-Datenordner und -Port, sofern Sie nicht jetzt den Ordner Ihrer Organisation wählen.`,

  pageMissing: "Das Hearth-Fenster kann nicht angezeigt werden.",
  pageMissingDetail: (why) => `Ein Teil des Programms fehlt oder ist beschädigt (${why}). Installieren Sie Hearth neu.`,
  pageCrashed: "Das Hearth-Fenster stürzt wiederholt ab.",
  pageHangs: "Das Hearth-Fenster antwortet nicht.",
  stillHosted: "Ihre Organisation läuft weiter. Alle können weiter chatten.",

  folderDialog: "Ordner für Hearths Daten wählen",
  folderButton: "Wählen",
  backupDialog: "Wiederherzustellende Sicherung wählen",
  backupFolderDialog: "Ordner für Sicherungen auswählen",
  backupFiles: "Sicherungen von Hearth",
  moveDialog: "Neuen Speicherort für Hearths Daten wählen",

  online: {
    message: (people) => `${count(people)} gerade online.`,
    detail:
      "Wenn Sie Hearth beenden, sind sie getrennt, bis es wieder läuft. Nachrichten bleiben erhalten, und Apps verbinden sich automatisch wieder.",
    keepInTray: "Im Infobereich weiterlaufen",
    stay: "Weiterlaufen",
    updateDetail:
      "Während des Updates sind sie ein bis zwei Minuten getrennt. Nachrichten bleiben erhalten, und Apps verbinden sich automatisch wieder.",
    update: "Jetzt aktualisieren",
    later: "Nicht jetzt",
  },

  installerDialog: "Installationsprogramm der neuen Version wählen",
  installerButton: "Prüfen",
  wayBack: ({ from, to, kept, backup }) =>
    [
      `Hearth ${from} wurde durch ${to} ersetzt. Falls ${to} bei Ihnen nicht funktioniert, kehren Sie so zurück:`,
      "",
      `1. Beenden Sie Hearth ${to}.`,
      `2. Starten Sie Hearth ${from} von hier: ${kept}`,
      `3. Falls gemeldet wird, dass ein neueres Hearth die Daten geschrieben hat, wählen Sie einen leeren Ordner${
        backup === null
          ? "."
          : ` und dort „Sicherung wiederherstellen“\n   mit dieser Sicherung, die direkt vor dem Update erstellt wurde:\n   ${backup}`
      }`,
      "",
      "Dieser Ordner wird sieben Tage nach dem ersten Start der neuen Version gelöscht. Die Sicherung bleibt.",
      "",
    ].join("\n"),

  chatTitle: "Hearth-Chat",
  unread: (messages) =>
    messages === 0
      ? "Keine ungelesenen Nachrichten"
      : messages === 1
        ? "1 ungelesene Nachricht"
        : `${messages} ungelesene Nachrichten`,

  tray: {
    states: {
      starting: "startet…",
      setup: "noch nicht eingerichtet",
      running: "läuft",
      restarting: "startet neu…",
      failed: "konnte nicht starten",
      stopped: "angehalten",
    },
    online: (people) => (people === 0 ? "Niemand ist online" : `${count(people)} online`),
    onlyThisComputer: "Nur dieser Computer kann sich verbinden",
    openChat: "Chat öffnen",
    open: "Hearth öffnen",
    copyAddress: "Adresse kopieren",
    invite: "Personen einladen…",
    startAtLogin: "Beim Anmelden starten",
    update: (version) => `Auf ${version} aktualisieren…`,
    quit: "Hearth beenden",
  },

  menu: {
    file: "&Datei",
    openChat: "Chat öffnen",
    open: "Organisation verwalten",
    openDataFolder: "Datenordner öffnen",
    edit: "&Bearbeiten",
    view: "&Ansicht",
    window: "&Fenster",
    help: "&Hilfe",
    roles: {
      about: "Über Hearth",
      services: "Dienste",
      hide: "Hearth ausblenden",
      hideOthers: "Andere ausblenden",
      unhide: "Alle einblenden",
      quit: "Hearth beenden",
      close: "Fenster schließen",
      undo: "Rückgängig",
      redo: "Wiederholen",
      cut: "Ausschneiden",
      copy: "Kopieren",
      paste: "Einfügen",
      pasteAndMatchStyle: "Ohne Format einfügen",
      delete: "Löschen",
      selectAll: "Alles auswählen",
      reload: "Neu laden",
      toggleDevTools: "Entwicklerwerkzeuge",
      resetZoom: "Originalgröße",
      zoomIn: "Vergrößern",
      zoomOut: "Verkleinern",
      togglefullscreen: "Vollbild",
      minimize: "Minimieren",
      zoom: "Zoomen",
      front: "Alle nach vorne",
    },
  },
  about: "Ein Team-Chat-Server auf Ihrem eigenen Computer.",
  licence: "Apache-Lizenz, Version 2.0",
};
