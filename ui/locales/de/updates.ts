export const updateTexts = {
  updates: {
    title: "Updates",
    lead: "Neue Versionen von Hearth auf diesem Computer. Nur von hier aus zu installieren, im Fenster von Hearth selbst.",
    this: "Diese Version",
    version: "Hearth {{version}}",
    checked: "Zuletzt gelesen",
    check: "Jetzt nachsehen",
    standing: {
      notInstalled:
        "Diese Kopie kam nicht durch ein Paket hierher und kann sich nicht selbst ersetzen. Neue Versionen gibt es dort, woher diese kam.",
      checking: "Liest, was die neueste ist …",
      found: "Es gibt eine neuere Version.",
      current: "Es ist die neueste.",
      off: "Niemand wird nach neueren gefragt: Es ist keine Adresse angegeben.",
      unknown: "Einmal am Tag liest Hearth unter der Adresse unten, ob es eine neuere gibt.",
    },
    found: "Version {{version}}",
    notes: "Was neu ist",
    noNotes: "Was neu ist, wurde nicht angegeben.",
    download: "Herunterladen",
    downloading: "Wird heruntergeladen …",
    cancel: "Abbrechen",
    ready: "Sie ist heruntergeladen, und ist das, was signiert wurde.",
    install: "{{version}} installieren",
    installHelp:
      "Vor dem Installieren wird alles gesichert und Version {{version}} aufgehoben. Alle sind für ein, zwei Minuten getrennt und verbinden sich von selbst wieder; wenn jemand online ist, wird vorher gefragt.",
    steps: {
      asking: "Fragt, ob andere getrennt werden dürfen …",
      "backing up": "Macht eine Sicherung und prüft sie …",
      keeping: "Hebt diese Version auf …",
      installing: "Wird installiert. Hearth endet jetzt und startet als neue Version.",
    },
    file: "Aus einer Datei",
    fileLead:
      "Für einen Computer, der keine solche Adresse erreicht. Das Installationsprogramm, seine Versionsdatei (latest….yml) und deren Signatur (.yml.sig) liegen in einem Ordner.",
    drop: "Lege ein Installationsprogramm irgendwo auf diesem Fenster ab.",
    choose: "Installationsprogramm wählen …",
    source: "Woher Updates kommen",
    sourceLead:
      "Aus, bis du eine Adresse angibst. Dann liest Hearth dort einmal am Tag, welche Version die neueste ist.",
    address: "Adresse",
    addressHelp: "Eines Ordners im Netz mit den Installationsprogrammen und latest….yml. Leer: nur aus Dateien.",
    addressExample: "https://example.org/hearth/",
    noAddress: "Keine",
    key: "Schlüssel der Hersteller",
    keyHelp: "44 Zeichen, von denen, die diese Versionen herstellen; nicht von derselben Adresse.",
    noKey: "Keiner",
    trust:
      "Wer die private Hälfte dieses Schlüssels hat, kann jedes Programm an die Stelle von Hearth setzen. Nimm ihn von jemandem, dem du vertraust, auf einem Weg, dem du vertraust.",
    set: "Angeben",
    change: "Ändern",
    save: "Speichern",
    last: "Das letzte Update",
    outcomes: {
      installing: "Version {{to}} hat noch nicht geantwortet, seit sie {{from}} ersetzt hat.",
      answered: "Version {{to}} hat {{from}} ersetzt und geantwortet.",
      failed: "Version {{to}} wurde nicht installiert. Version {{from}} läuft weiter.",
    },
    keptUntil: "Die Version davor wird bis {{time}} aufgehoben. Die Sicherung bleibt.",
    removeKept: "Aufgehobene Version {{version}} entfernen",
    problems: {
      address:
        "Das ist keine Adresse eines Ordners im Netz. Sie beginnt mit https:// oder http:// und enthält kein Passwort.",
      key: "Das ist kein Schlüssel: Er hat 44 Zeichen und endet mit =.",
      noKey:
        "Ohne den Schlüssel der Hersteller lässt sich nichts prüfen, darum wird nichts installiert. Gib ihn unten an.",
      notInstalled: "Diese Kopie kam nicht durch ein Paket hierher und kann sich nicht selbst ersetzen.",
      unsigned:
        "Diese Kopie ist von niemandem signiert, den Apple kennt, und so ein Programm ersetzt macOS nicht. Hol die neue Version als .dmg und leg sie selbst in „Programme“.",
      unreachable: "Dort antwortet niemand: {{detail}}",
      noRelease: "Dort steht nicht, welche Version die neueste ist: {{detail}} fehlt.",
      noSignature: "Was dort steht, ist nicht signiert und wird darum nicht geglaubt: {{detail}} fehlt.",
      wrongSignature:
        "Die Signatur gehört nicht zum Schlüssel unten, darum wird dem nicht geglaubt. Vielleicht hat jemand etwas verändert, oder die Hersteller haben jetzt einen anderen Schlüssel. Frag sie.",
      malformed: "Was dort über die neueste Version steht, ist nicht zu verstehen ({{detail}}).",
      older:
        "Version {{detail}} ist älter als diese. Hearth geht nicht von selbst zurück, weil Daten nur vorwärts gehen.",
      noFile: "Für diesen Computer ist kein Installationsprogramm da: {{detail}}",
      otherFile: "Die Versionsdatei daneben nennt {{detail}} nicht.",
      otherKind: "Diese Kopie wird durch eine Datei ersetzt, die auf {{detail}} endet, und durch keine andere.",
      interrupted: "Das Herunterladen brach ab: {{detail}}",
      damaged: "Was ankam, ist nicht, was signiert wurde, und wurde verworfen: {{detail}}",
      disk: "Es ließ sich nicht speichern: {{detail}}",
      diskFull: "Die Platte ist voll, darum wurde nichts geändert: {{detail}}",
      noServer:
        "Der Server antwortet nicht und lässt sich darum nicht sichern. Ohne Sicherung wird nichts installiert.",
      backup: "Die Sicherung misslang, darum wurde nichts installiert: {{detail}}",
      install: "Das System hat es nicht installiert: {{detail}}",
    },
  },
  wayBack: {
    lead: "Wenn Version {{to}} bei dir nicht geht: Version {{from}} ist noch da.",
    quit: "Beende Hearth {{to}}.",
    start: "Starte Hearth {{from}} von hier:",
    empty: "Wenn es sagt, dass die Daten neuer sind, wähle einen leeren Ordner.",
    restore:
      "Wenn es sagt, dass die Daten neuer sind, wähle einen leeren Ordner und mach dort weiter, wo diese Sicherung aufhörte:",
  },
} as const;
