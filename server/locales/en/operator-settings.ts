/** Server settings. `audit` completes the audit sentence “… changed a setting of the server: …”. */
export const operatorSettingTexts = {
  operatorSettings: {
    MDNS: {
      label: "Announce as hearth.local",
      help: "While Hearth is open to your network, it announces its name and address there. Without this, people have to type the address.",
      audit: "network announcement (hearth.local)",
    },
    ALLOWED_HOSTS: {
      label: "Additional host names",
      help: "Other names for this computer, such as chat.example.com. Requests to any other name are refused, which protects against DNS rebinding attacks.",
      keywords: "allowed hosts host header domain DNS hostname",
      audit: "allowed host names",
    },
    TRUSTED_PROXIES: {
      label: "Trusted reverse proxies",
      help: "The IP address or network of nginx, Caddy or another proxy in front of Hearth, such as 127.0.0.1. Hearth trusts its X-Forwarded or Forwarded headers for the client's address, host name and scheme. Leave empty if there is no proxy.",
      placeholder: "Type an address and press Enter",
      invalid: "{{name}} isn't an IP address or a network such as 10.0.0.0/8.",
      keywords: "nginx Caddy Traefik X-Forwarded-For load balancer",
      audit: "trusted reverse proxies",
    },
    WEBHOOK_ALLOWED_HOSTS: {
      label: "Internal addresses that webhooks can reach",
      help: "Webhooks can reach the internet, and those of administrators can also reach your network. List any other host name, IP address or range such as 10.0.0.0/8 here, optionally with a port. List this computer's own addresses individually.",
      keywords: "allowlist private internal SSRF loopback webhook addresses",
      audit: "internal addresses that webhooks can reach",
    },
    WEB_PUSH: {
      label: "Notify browsers while Hearth is closed",
      help: "Needs the internet and HTTPS. Notifications leave your network, encrypted: they go through the push service of each browser's maker (Google, Mozilla, Apple or Microsoft). It sees this server's and the device's IP addresses, this server's name and the times, but no names of people or channels and no text.",
      keywords: "web push notifications phone browser Google Mozilla Apple internet privacy",
      audit: "notifications by Web Push",
    },
    RATE_LIMITS: {
      label: "Rate limits",
      help: "The maximum number of requests in a period. Anyone who exceeds it has to wait.",
      keywords: "rate limit throttle requests per second quota 429",
      audit: "rate limits",
    },
    MAX_FILE_UPLOAD_SIZE_MIB: {
      label: "Maximum upload size",
      help: "In MiB.",
      keywords: "upload limit file size attachment maximum",
      audit: "maximum upload size",
    },
    UPLOAD_QUOTA_MIB: {
      label: "Total upload quota",
      help: "In MiB. Leave empty for no limit other than disk space.",
      placeholder: "No limit",
      keywords: "upload limit storage space quota",
      audit: "total upload quota",
    },
    INVITATION_LINK_VALIDITY_MINUTES: {
      label: "Days until an invitation expires",
      help: "Used when the creator of an invitation doesn't set an expiry, for example in apps that use the API.",
      keywords: "invite expiry expires",
      audit: "validity of invitation links",
    },
    WEB_PUBLIC_STREAMS_ENABLED: {
      label: "Allow channels to be public on the web",
      help: "Each channel still has to be made public individually.",
      keywords: "spectators anonymous visitors public",
      audit: "web-public channels",
    },
    ORGANIZATION_DEACTIVATED: { audit: "whether the organization is active" },
    LOG_LEVEL: { audit: "log level" },
    BACKUPS_DAILY: { audit: "daily backups" },
    BACKUP_FOLDER: { audit: "backup folder" },
    SMTP: { audit: "mail server" },
    PUBLIC_URL: { audit: "URL in emails" },
    HTTPS: { audit: "how others connect (HTTPS)" },
  },
} as const;
