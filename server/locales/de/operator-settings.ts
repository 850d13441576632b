export const operatorSettingTexts = {
  operatorSettings: {
    MDNS: {
      label: "Als hearth.local bekannt machen",
      help: "Solange Hearth für Ihr Netzwerk geöffnet ist, gibt es dort Namen und Adresse bekannt. Sonst müssen alle die Adresse eingeben.",
      audit: "Bekanntmachung im Netzwerk (hearth.local)",
    },
    ALLOWED_HOSTS: {
      label: "Weitere Hostnamen",
      help: "Andere Namen dieses Computers, zum Beispiel chat.example.com. Anfragen an andere Namen werden abgelehnt. Das schützt vor DNS-Rebinding-Angriffen.",
      keywords: "erlaubte Hosts Host Domain DNS Hostname",
      audit: "zugelassene Hostnamen",
    },
    TRUSTED_PROXIES: {
      label: "Vertrauenswürdige Reverse-Proxys",
      help: "IP-Adresse oder Netzwerk von nginx, Caddy oder einem anderen Proxy vor Hearth, zum Beispiel 127.0.0.1. Hearth übernimmt Adresse, Hostnamen und Schema des Clients aus dessen X-Forwarded- oder Forwarded-Headern. Ohne Proxy leer lassen.",
      placeholder: "Adresse eingeben und Enter drücken",
      invalid: "{{name}} ist keine IP-Adresse und kein Netzwerk wie 10.0.0.0/8.",
      keywords: "nginx Caddy Traefik X-Forwarded-For Lastverteiler",
      audit: "vertrauenswürdige Reverse-Proxys",
    },
    WEBHOOK_ALLOWED_HOSTS: {
      label: "Interne Adressen, die Webhooks erreichen können",
      help: "Webhooks erreichen das Internet, Webhooks von Administratoren auch Ihr Netzwerk. Tragen Sie hier weitere Hostnamen, IP-Adressen oder Bereiche wie 10.0.0.0/8 ein, bei Bedarf mit Port. Adressen dieses Computers müssen einzeln eingetragen werden.",
      keywords: "erlaubte Adressen intern privat Loopback Webhook",
      audit: "interne Adressen, die Webhooks erreichen können",
    },
    WEB_PUSH: {
      label: "Browser benachrichtigen, während Hearth geschlossen ist",
      help: "Braucht das Internet und HTTPS. Benachrichtigungen verlassen verschlüsselt Ihr Netzwerk: Sie laufen über den Push-Dienst des Browser-Herstellers (Google, Mozilla, Apple oder Microsoft). Dieser sieht die IP-Adressen von Server und Gerät, den Namen dieses Servers und die Zeitpunkte, aber keine Namen von Personen oder Kanälen und keinen Text.",
      keywords: "Web Push Benachrichtigungen Handy Smartphone Browser Google Mozilla Apple Internet Datenschutz",
      audit: "Benachrichtigungen über Web Push",
    },
    RATE_LIMITS: {
      label: "Ratenlimits",
      help: "Höchstzahl der Anfragen in einem Zeitraum. Wer sie überschreitet, muss warten.",
      keywords: "Ratenbegrenzung Rate Limit drosseln Anfragen pro Sekunde Grenzen 429",
      audit: "Ratenlimits",
    },
    MAX_FILE_UPLOAD_SIZE_MIB: {
      label: "Maximale Größe einer Datei",
      help: "In MiB.",
      keywords: "Upload Dateigröße Anhang hochladen Höchstgröße",
      audit: "maximale Größe einer Datei",
    },
    UPLOAD_QUOTA_MIB: {
      label: "Limit für alle Uploads",
      help: "In MiB. Leer lassen, um nur durch den Speicherplatz zu begrenzen.",
      placeholder: "Kein Limit",
      keywords: "Upload Speicherplatz hochladen Kontingent",
      audit: "Limit für alle Uploads",
    },
    INVITATION_LINK_VALIDITY_MINUTES: {
      label: "Gültigkeit von Einladungen in Tagen",
      help: "Gilt, wenn beim Erstellen kein Ablauf gewählt wird, zum Beispiel in Apps, die die API nutzen.",
      keywords: "Einladung Ablauf läuft ab",
      audit: "Gültigkeit von Einladungslinks",
    },
    WEB_PUBLIC_STREAMS_ENABLED: {
      label: "Öffentliche Kanäle im Web erlauben",
      help: "Jeder Kanal muss zusätzlich einzeln öffentlich gemacht werden.",
      keywords: "Besucher anonym öffentlich",
      audit: "im Web öffentliche Kanäle",
    },
    ORGANIZATION_DEACTIVATED: {
      audit: "ob die Organisation aktiv ist",
    },
    LOG_LEVEL: {
      audit: "Protokollstufe",
    },
    BACKUPS_DAILY: {
      audit: "tägliche Sicherungen",
    },
    BACKUP_FOLDER: {
      audit: "Sicherungsordner",
    },
    SMTP: {
      audit: "Mailserver",
    },
    PUBLIC_URL: {
      audit: "URL in E-Mails",
    },
    HTTPS: {
      audit: "wie sich andere verbinden (HTTPS)",
    },
  },
};
