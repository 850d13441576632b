export const integrationsTexts = {
  integrations: {
    title: "Integrationen",
    titleKeywords: "Integration verbinden Dienst eingehender Webhook",
    description:
      "Dienste, die ihre Ereignisse hier posten. Wählen Sie einen und geben Sie ihm die dafür erstellte URL.",
    empty: "Keine Integrationen",
    column: {
      name: "Dienst",
      bots: "Bots",
      health: "Status",
      signed: "Signaturen",
    },
    signed: "Können verlangt werden",
    unsigned: "Nicht unterstützt",
    used: {
      used: "Eingerichtet",
      unused: "Nicht eingerichtet",
    },
    use: "Verwendung",
    build: "Webhook-URL",
    bot: "Schreibt als",
    botHint: "Wer die URL hat, kann als dieser Bot schreiben.",
    makeBot: "Bot für {{name}} erstellen",
    localOnly:
      "Dienste im Internet können {{host}} nicht erreichen. Läuft {{name}} dort, machen Sie Hearth zuerst erreichbar, zum Beispiel mit einem Reverse-Proxy oder einem Tunnel.",
    noBot: "Nachrichten des Dienstes werden von einem Bot gesendet. Dafür gibt es noch keinen.",
    channel: "Kanal",
    toOwner: "Keiner: Direktnachricht an den Besitzer des Bots",
    topic: "Thema",
    topicHint: "Leer lassen, um die Themen des Dienstes zu verwenden.",
    events: "Ereignisse",
    eventChoice: {
      all: "Alle",
      only: "Nur diese",
      exclude: "Alle außer diesen",
    },
    chosenEvents: "Ausgewählte Ereignisse",
    branches: "Nur diese Branches, durch Kommas getrennt",
    option: {
      unset: "Standard",
      true: "Ja",
      false: "Nein",
    },
    address: "URL für {{name}}",
    showKey: "Schlüssel in der URL anzeigen",
    setUp: "Einrichtung",
    setUpHint: "Einrichtungsanleitung für {{name}}.",
    requiresSecret:
      "Dieser Bot verlangt Signaturen. Geben Sie sein Geheimnis auch in den Einstellungen des Dienstes ein.",
    refusesUnsigned:
      "Dieser Bot verlangt Signaturen, aber {{name}} kann Anfragen nicht signieren. Sie werden abgelehnt. Verwenden Sie einen anderen Bot.",
    last: "Letzte Anfragen",
  },
};
