export const updateTexts = {
  updates: {
    title: "Updates",
    lead: "Neue Versionen von Hearth für diesen Computer. Sie können nur hier installiert werden, im Hearth-Fenster.",
    this: "Diese Version",
    version: "Hearth {{version}}",
    checked: "Zuletzt geprüft",
    check: "Jetzt prüfen",
    checkKeywords: "aktualisieren Version",
    standing: {
      notInstalled:
        "Diese Kopie wurde nicht aus einem Paket installiert und kann sich nicht selbst aktualisieren. Neue Versionen erhalten Sie dort, woher diese stammt.",
      checking: "Suche nach Updates…",
      found: "Eine neuere Version ist verfügbar.",
      current: "Sie verwenden die neueste Version.",
      off: "Automatische Suche ist aus: Es ist keine Adresse angegeben.",
      unknown: "Hearth prüft die Adresse unten einmal am Tag.",
    },
    found: "Version {{version}}",
    notes: "Neuerungen",
    noNotes: "Keine Versionshinweise.",
    download: "Herunterladen",
    downloading: "Wird heruntergeladen…",
    cancel: "Abbrechen",
    ready: "Heruntergeladen, die Signatur ist gültig.",
    install: "{{version}} installieren",
    installHelp:
      "Vor der Installation erstellt Hearth eine Sicherung und behält Version {{version}}. Alle werden für ein bis zwei Minuten getrennt und verbinden sich automatisch wieder; ist jemand online, werden Sie vorher gefragt.",
    steps: {
      asking: "Frage, ob andere getrennt werden können…",
      "backing up": "Sicherung wird erstellt und geprüft…",
      keeping: "Aktuelle Version wird gespeichert…",
      installing: "Wird installiert. Hearth startet als neue Version neu.",
    },
    file: "Aus einer Datei",
    fileLead:
      "Für einen Computer, der die Adresse nicht erreicht. Das Installationsprogramm, seine Release-Datei (latest….yml) und deren Signatur (.yml.sig) müssen im selben Ordner liegen.",
    drop: "Legen Sie ein Installationsprogramm irgendwo auf diesem Fenster ab.",
    choose: "Installationsprogramm wählen…",
    chooseKeywords: "offline aktualisieren Datei",
    source: "Update-Quelle",
    sourceLead:
      "Aus, bis Sie eine Adresse angeben. Dann prüft Hearth dort einmal am Tag, ob es eine neuere Version gibt.",
    address: "Adresse",
    addressKeywords: "Aktualisierung Feed Server URL",
    addressHelp:
      "Ein Webordner mit den Installationsprogrammen und latest….yml. Leer lassen, um nur aus Dateien zu aktualisieren.",
    addressExample: "https://example.org/hearth/",
    noAddress: "Keine",
    key: "Öffentlicher Schlüssel des Herausgebers",
    keyKeywords: "Signatur öffentlicher Schlüssel",
    keyHelp: "44 Zeichen. Sie erhalten ihn vom Herausgeber dieser Versionen, aber nicht von derselben Adresse.",
    noKey: "Keiner",
    trust:
      "Wer die private Hälfte dieses Schlüssels hat, kann jedes Programm anstelle von Hearth installieren. Verwenden Sie nur einen Schlüssel von jemandem, dem Sie vertrauen, und über einen Weg, dem Sie vertrauen.",
    set: "Festlegen",
    change: "Ändern",
    save: "Speichern",
    last: "Letztes Update",
    outcomes: {
      installing: "Version {{to}} hat {{from}} ersetzt, aber noch nicht geantwortet.",
      answered: "Von {{from}} auf {{to}} aktualisiert.",
      failed: "Version {{to}} konnte nicht installiert werden. Version {{from}} läuft weiter.",
    },
    keptUntil: "Die vorherige Version wird bis {{time}} aufbewahrt. Die Sicherung bleibt.",
    removeKept: "Gespeicherte Version {{version}} entfernen",
    problems: {
      address:
        "Geben Sie die Webadresse eines Ordners ein. Sie beginnt mit https:// oder http:// und enthält kein Passwort.",
      key: "Ungültiger Schlüssel: Er hat 44 Zeichen und endet mit =.",
      noKey:
        "Ohne den Schlüssel des Herausgebers lassen sich Updates nicht prüfen, daher wird nichts installiert. Geben Sie ihn unten ein.",
      notInstalled: "Diese Kopie wurde nicht aus einem Paket installiert und kann sich nicht selbst aktualisieren.",
      unsigned:
        "Diese Kopie ist nicht mit einer Apple-Entwickler-ID signiert, daher lässt macOS kein Selbst-Update zu. Laden Sie die .dmg herunter und verschieben Sie sie in „Programme“.",
      unreachable: "Die Adresse antwortet nicht: {{detail}}",
      noRelease: "Unter der Adresse gibt es keine Release-Informationen: {{detail}} fehlt.",
      noSignature: "Die Release-Informationen sind nicht signiert und wurden ignoriert: {{detail}} fehlt.",
      wrongSignature:
        "Die Signatur passt nicht zum Schlüssel unten, daher wurde das Update abgelehnt. Vielleicht wurde es manipuliert, oder der Herausgeber hat einen neuen Schlüssel. Fragen Sie nach.",
      malformed: "Die Release-Informationen können nicht gelesen werden ({{detail}}).",
      older:
        "Version {{detail}} ist älter als diese. Hearth kann nicht zurückstufen: Ältere Versionen können neuere Daten nicht lesen.",
      noFile: "Für diesen Computer gibt es kein Installationsprogramm: {{detail}}",
      otherFile: "Die Release-Datei nennt {{detail}} nicht.",
      otherKind: "Diese Kopie kann nur mit einer Datei aktualisiert werden, die auf {{detail}} endet.",
      interrupted: "Der Download wurde unterbrochen: {{detail}}",
      damaged: "Der Download passt nicht zur Signatur und wurde gelöscht: {{detail}}",
      disk: "Die Datei konnte nicht gespeichert werden: {{detail}}",
      diskFull: "Der Datenträger ist voll, daher wurde nichts geändert: {{detail}}",
      noServer: "Der Server antwortet nicht und kann nicht gesichert werden. Ohne Sicherung wird nichts installiert.",
      backup: "Die Sicherung ist fehlgeschlagen, daher wurde nichts installiert: {{detail}}",
      install: "Das System konnte es nicht installieren: {{detail}}",
    },
  },
  wayBack: {
    lead: "Falls Version {{to}} bei Ihnen nicht funktioniert, können Sie zu Version {{from}} zurückkehren:",
    quit: "Beenden Sie Hearth {{to}}.",
    start: "Starten Sie Hearth {{from}} von hier:",
    empty: "Falls gemeldet wird, dass die Daten neuer sind, wählen Sie einen leeren Ordner.",
    restore:
      "Falls gemeldet wird, dass die Daten neuer sind, wählen Sie einen leeren Ordner und stellen Sie dort diese Sicherung wieder her:",
  },
} as const;
