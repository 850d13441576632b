import type { Texts } from "./texts-en.ts";

const count = (people: number) => (people === 1 ? "1 Person ist" : `${people} Personen sind`);

/** German texts of dialogs, menus and the tray. */
export const german: Texts = {
  again: "Noch einmal versuchen",
  quit: "Beenden",
  goOn: "Weiter",
  reload: "Neu laden",
  wait: "Warten",
  chooseFolder: "Anderen Ordner wählen …",
  showFolder: "Ordner zeigen",
  otherPort: (port) => `Port ${port} benutzen`,

  anotherProgram: "ein anderes Programm",
  anotherHearth: "ein anderes Hearth",
  process: (name, pid) => `${name} (Prozess ${pid})`,
  portTaken: (port, by) => `Port ${port} benutzt gerade ${by}.`,
  portForbidden: (port) => `Dieses System lässt deine Programme Port ${port} nicht benutzen.`,
  portTakenDetail: (port) =>
    `Die Programme der anderen suchen Hearth an Port ${port}. Beende das andere Programm und versuche es noch einmal, oder lass Hearth einen anderen Port benutzen: Damit ändert sich die Adresse, die du weitergibst.`,

  notStarted: "Hearth konnte noch nicht starten.",
  stopped: "Deine Organisation ist nicht mehr erreichbar: Hearth läuft nicht mehr.",

  settingsBroken: "Hearths Einstellungen ließen sich nicht lesen.",
  settingsBrokenDetail: (kept, why) =>
    `Die Datei ist aufgehoben als ${kept} (${why}). Hearth macht mit dem üblichen Datenordner und Port weiter, wenn du nicht jetzt den Ordner deiner Organisation wählst.`,

  pageMissing: "Hearths Fenster lässt sich nicht zeigen.",
  pageMissingDetail: (why) => `Ein Teil des Programms fehlt oder ist beschädigt (${why}). Installiere Hearth neu.`,
  pageCrashed: "Hearths Fenster stürzt immer wieder ab.",
  pageHangs: "Hearths Fenster antwortet nicht.",
  stillHosted: "Deine Organisation läuft weiter: Alle können weiter schreiben.",

  folderDialog: "Ordner für Hearths Daten wählen",
  folderButton: "Wählen",
  backupDialog: "Sicherung wählen, die zurückgeholt wird",
  backupFiles: "Sicherungen von Hearth",
  moveDialog: "Wählen, wo Hearths Daten liegen sollen",

  online: {
    message: (people) => `${count(people)} gerade online.`,
    detail:
      "Wird Hearth beendet, sind sie getrennt, bis es wieder läuft. Was gesendet ist, bleibt, und ihre Programme verbinden sich von selbst wieder.",
    keepInTray: "In der Taskleiste weiterlaufen",
    stay: "Weiterlaufen",
    updateDetail:
      "Während das Update installiert wird, sind sie ein oder zwei Minuten getrennt. Was gesendet ist, bleibt, und ihre Programme verbinden sich von selbst wieder.",
    update: "Jetzt aktualisieren",
    later: "Nicht jetzt",
  },

  installerDialog: "Installationsdatei einer neuen Version wählen",
  installerButton: "Prüfen",
  wayBack: ({ from, to, kept, backup }) =>
    [
      `Hearth ${from} wurde durch ${to} ersetzt. Wenn ${to} bei dir nicht läuft, ist das der Weg zurück:`,
      "",
      `1. Beende Hearth ${to}.`,
      `2. Starte Hearth ${from} von hier: ${kept}`,
      `3. Sagt es, dass ein neueres Hearth die Daten geschrieben hat, dann wähle einen leeren Ordner${
        backup === null
          ? "."
          : ` und darin „Sicherung zurückholen“,\n   mit dieser, die kurz vor dem Update gemacht wurde:\n   ${backup}`
      }`,
      "",
      "Sieben Tage, nachdem die neue Version zum ersten Mal geantwortet hat, wird dieser Ordner gelöscht. Die Sicherung bleibt.",
      "",
    ].join("\n"),

  tray: {
    states: {
      starting: "startet …",
      setup: "wartet auf seine erste Organisation",
      running: "läuft",
      restarting: "startet neu …",
      failed: "konnte nicht starten",
      stopped: "läuft nicht",
    },
    online: (people) => (people === 0 ? "Niemand ist online" : `${count(people)} online`),
    onlyThisComputer: "Nur von diesem Computer erreichbar",
    open: "Hearth öffnen",
    copyAddress: "Adresse kopieren",
    invite: "Leute einladen …",
    startAtLogin: "Beim Anmelden starten",
    update: (version) => `Auf ${version} aktualisieren …`,
    quit: "Hearth beenden",
  },

  menu: {
    file: "&Datei",
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
  about: "Ein Team-Chat-Server, der auf deinem Schreibtisch lebt.",
  licence: "Apache-Lizenz, Version 2.0",
};
