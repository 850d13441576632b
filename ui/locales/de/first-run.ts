export const firstRunTexts = {
  welcome: {
    title: "Willkommen bei Hearth",
    lead: "Der Chat Ihrer Organisation läuft auf einem Computer. Das kann dieser sein.",
    create: "Neue Organisation",
    createHint: "Ein Name, Ihre Angaben und ein Passwort: in einer Minute fertig.",
    existing: "Ich habe bereits eine",
    existingHint:
      "Wählen Sie den Ordner, in dem Hearth sie gespeichert hat, auf diesem Computer oder einem externen Laufwerk.",
    choosing: "Ordner wird gewählt…",
    opening: "Organisation wird geöffnet…",
    nothingThere: "{{path}} enthält keine Organisation. Wählen Sie den Ordner, der hearth.db enthält.",
    otherFiles:
      "{{path}} enthält andere Dateien, aber keine Organisation. Wählen Sie den Ordner, der hearth.db enthält.",
    failed: "Dieser Ordner konnte nicht geöffnet werden: {{reason}}",
  },
  firstRun: {
    title: "Neue Organisation",
    lead: "Ein paar Angaben, dann können Sie einladen.",
    organization: "Name der Organisation",
    organizationHint: "Ihr Team, Verein oder Ihre Familie, wie alle sie nennen.",
    owner_name: "Ihr Name",
    owner_nameHint: "So sehen ihn die anderen.",
    owner_email: "Ihre E-Mail-Adresse",
    owner_emailHint: "Nur für die Anmeldung.",
    code: "Einmalcode",
    codeHint:
      "Hearth hat ihn in dem Terminal ausgegeben, in dem Sie es gestartet haben. Er beweist, dass das Ihr Server ist.",
    who: "Wer kann sich verbinden?",
    lan: "Alle in diesem Netzwerk",
    lanHint:
      "Telefone und Computer im selben Netzwerk verbinden sich mit einer Adresse wie {{example}}. Ein Konto brauchen sie trotzdem.",
    local: "Nur dieser Computer",
    localHint: "Sonst kann sich niemand verbinden. Sie können Hearth jederzeit für das Netzwerk öffnen.",
    folder: "Datenordner",
    changeFolder: "Ändern…",
    changeFolderNamed: "Datenordner ändern",
    folderTaken:
      "{{path}} enthält bereits eine Organisation. Um sie zu öffnen, gehen Sie zurück und wählen Sie „Ich habe bereits eine“.",
    folderOtherFiles: "{{path}} enthält andere Dateien. Wählen Sie einen leeren Ordner.",
    synced:
      "Dieser Ordner wird mit einem Cloud-Dienst synchronisiert, was die Daten beschädigen kann. Wählen Sie einen Ordner, der nur auf diesem Computer ist.",
    network:
      "Dieser Ordner liegt auf einem Netzlaufwerk. Bricht die Verbindung ab, hält Hearth an. Wählen Sie einen Ordner auf diesem Computer.",
    startAtLogin: "Hearth starten, wenn ich mich an diesem Computer anmelde",
    startAtLoginHint: "Sonst gibt es nach einem Neustart keinen Chat, bis jemand Hearth öffnet.",
    back: "Zurück",
    create: "{{name}} erstellen",
    createUnnamed: "Organisation erstellen",
    creating: "Organisation wird erstellt…",
    openingNetwork: "Wird für Ihr Netzwerk geöffnet…",
    almost: "Fast fertig…",
  },
  localSetup: {
    title: "Hearth auf seinem eigenen Computer einrichten",
    lead: "Es wurde noch keine Organisation eingerichtet. Aus Sicherheitsgründen geht das nur auf dem Computer, auf dem Hearth läuft.",
    computer: "An diesem Computer",
    computerHint: "Öffnen Sie die Adresse, die Hearth beim Start ausgegeben hat. Sie enthält einen Einmalcode.",
    terminal: "In seinem Terminal",
    terminalHint: "Beenden Sie Hearth, führen Sie dies aus und starten Sie es wieder.",
    tunnel: "In diesem Browser",
    tunnelHint:
      "Führen Sie dies auf Ihrem eigenen Computer aus. Öffnen Sie dann hier die Adresse, die Hearth ausgegeben hat; sie beginnt mit http://127.0.0.1:{{port}}.",
    again: "Erneut prüfen",
  },
};
