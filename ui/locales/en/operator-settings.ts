/** Settings of the server. `audit` completes the sentence that somebody changed a setting. */
export const operatorSettingTexts = {
  operatorSettings: {
    MDNS: {
      label: "Found as hearth.local",
      help: "While Hearth is open to your network, it tells that network its name and address. Without it, people type the address.",
      audit: "whether others find it by a name",
    },
    ALLOWED_HOSTS: {
      label: "Further names",
      help: "Names under which this computer is known, such as chat.example.com. Requests to any other name are refused, so that no web page can reach Hearth by a trick.",
      keywords: "allowed hosts host header domain DNS hostname",
      audit: "the names by which it may be called",
    },
    TRUSTED_PROXIES: {
      label: "Trusted reverse proxies",
      help: "Where nginx, Caddy or another proxy receives requests for Hearth, its IP address or network, such as 127.0.0.1. Hearth then takes from its X-Forwarded or Forwarded headers who calls, and by which name and scheme. Leave it empty where there is no proxy.",
      placeholder: "Type an address and press Enter",
      invalid: "{{name}} is neither an IP address nor a network such as 10.0.0.0/8.",
      keywords: "nginx Caddy Traefik X-Forwarded-For load balancer",
      audit: "which reverse proxies it trusts",
    },
    WEBHOOK_ALLOWED_HOSTS: {
      label: "Inside addresses that webhooks may reach",
      help: "Webhooks reach the internet. Administrators' webhooks also reach your network. To allow more, list a host, an address or a network such as 10.0.0.0/8, with a port if you like. This computer's own addresses must be listed one by one.",
      keywords: "allowlist private internal SSRF loopback webhook addresses",
      audit: "the inside hosts that webhooks may reach",
    },
    RATE_LIMITS: {
      label: "Limits",
      help: "At most so many, in so many seconds. Whoever goes beyond is asked to wait.",
      keywords: "rate limit throttle requests per second quota 429",
      audit: "how often one may ask",
    },
    MAX_FILE_UPLOAD_SIZE_MIB: {
      label: "Largest file that may be uploaded",
      help: "In MiB.",
      keywords: "upload limit file size attachment maximum",
      audit: "how large an uploaded file may be",
    },
    UPLOAD_QUOTA_MIB: {
      label: "All uploads together, at most",
      help: "In MiB. Empty: as much as the disk holds.",
      placeholder: "No limit",
      keywords: "upload limit storage space quota",
      audit: "how much all uploads may take up",
    },
    INVITATION_LINK_VALIDITY_MINUTES: {
      label: "Days that an invitation works",
      help: "Where whoever makes it does not choose: apps that use the API.",
      keywords: "invite expiry expires",
      audit: "how long invitation links work",
    },
    WEB_PUBLIC_STREAMS_ENABLED: {
      label: "Channels may be opened to the web",
      help: "Each channel is opened by itself; this only permits it.",
      keywords: "spectators anonymous visitors public",
      audit: "whether channels may be open to the web",
    },
    ORGANIZATION_DEACTIVATED: { audit: "whether the organization is open" },
    LOG_LEVEL: { audit: "how much Hearth writes into its log" },
    BACKUPS_DAILY: { audit: "whether backups are made each day" },
    BACKUP_FOLDER: { audit: "where backups go" },
    HTTPS: { audit: "how others connect (HTTPS)" },
  },
} as const;
