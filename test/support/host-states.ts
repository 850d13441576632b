import type { HostFigures } from "../../ui/admin/pages/overview/disk.ts";
import type { ServerState } from "../../ui/api/server-state.ts";

// Samples of GET /host/state like the real server's, for page tests without a server.

const MINUTE = 60_000;
const now = Date.now();
const ann = { user_id: 1, full_name: "Ann Lindqvist" };

type Entry = HostFigures["audit"][number];

const entry = (id: number, minutesAgo: number, rest: Partial<Entry>): Entry => ({
  id,
  at: now - minutesAgo * MINUTE,
  actor: ann,
  origin: "api",
  action: "create user",
  target: `user ${id}`,
  before: null,
  after: null,
  act_id: id,
  target_name: null,
  ...rest,
});

export type OwnersState = ServerState & { host: HostFigures };

export const emptyState = (): OwnersState => ({
  sample: 1,
  now,
  started_at: now - 2 * MINUTE,
  version: "0.1.0",
  organization: {
    name: "Sundbyberg Rowing Club",
    picture_url: "/generated/organization.png",
    created_at: now - 2 * MINUTE,
    people: 1,
    guests: 0,
    bots: 0,
    joined_last_week: 1,
    newcomers: [{ ...ann, avatar_url: "/generated/user-1.png", joined_at: now - 2 * MINUTE }],
    channels: 0,
    messages: 0,
    notices: 0,
    people_wrote: false,
  },
  network: {
    host: "127.0.0.1",
    port: 9400,
    lan: false,
    https: "off",
    addresses: [{ url: "http://127.0.0.1:9400", interface: "lo" }],
  },
  online: { people: [], people_count: 0, elsewhere_count: 0, bots_count: 0 },
  queues: { total: 0, waiting: 0, pages: { total: 1, waiting: 1 } },
  messages: {
    last_hour: 0,
    per_minute: Array(60).fill(0),
    notices_last_hour: 0,
    notices_per_minute: Array(60).fill(0),
    minute: Math.floor(now / MINUTE) * MINUTE,
  },
  deliveries: { waiting: 0, failed: 0, retried: { count: 0, bots: [] } },
  invitations: { links: 0, people: 0 },
  accepts_writes: true,
  host: {
    storage: {
      data_folder: "/home/ann/.local/share/hearth",
      database_bytes: 417_792,
      log_bytes: 16_777_216,
      disk_free_bytes: 212_400_000_000,
      disk_total_bytes: 500_107_862_016,
      damaged_uploads: 0,
    },
    memory: { process_bytes: 143_000_000 },
    event_loop: { delay_ms_median: 1.1, delay_ms_p99: 2.4, delay_ms_max: 11 },
    backups: { last_at: now - 3 * 60 * MINUTE, ahead_at: null, is_old: false, failure: null },
    audit: [
      entry(2, 1.9, { actor: null, origin: "server", target_name: "Ann Lindqvist" }),
      entry(1, 2, {
        actor: null,
        origin: "server",
        action: "create organization",
        target: "organization",
        after: { name: "Sundbyberg Rowing Club" },
      }),
    ],
    newest_audit_id: 2,
  },
});

const NAMES = [
  "Ann Lindqvist",
  "Bo Ekström",
  "Chinwe Okafor",
  "Dana Kowalska",
  "Emre Yılmaz",
  "Fatima Zahra El Idrissi",
  "Grete Solheim",
  "Hiroshi Tanaka",
  "Ines Moreira",
  "Jonas Bergman",
];

export function busyState(): OwnersState {
  const state = emptyState();
  const people = NAMES.map((full_name, index) => ({
    user_id: index + 1,
    full_name,
    avatar_url: `/generated/user-${index + 1}.png`,
  }));
  const perMinute = Array.from({ length: 60 }, (_, i) =>
    Math.max(0, Math.round(7 + 6 * Math.sin(i / 7) + 5 * Math.sin(i * 1.7) + (i > 44 ? 6 : 0))),
  );
  perMinute[59] = 4;
  return {
    ...state,
    started_at: now - 9 * 86_400_000,
    organization: {
      ...state.organization,
      created_at: now - 90 * 86_400_000,
      people: 41,
      guests: 3,
      bots: 3,
      joined_last_week: 2,
      newcomers: [
        { user_id: 10, full_name: "Jonas Bergman", avatar_url: "/generated/user-10.png", joined_at: now - 3 * MINUTE },
        { user_id: 9, full_name: "Ines Moreira", avatar_url: "/generated/user-9.png", joined_at: now - 64 * MINUTE },
      ],
      channels: 14,
      messages: 48_213,
      notices: 1_204,
      people_wrote: true,
    },
    network: {
      host: "0.0.0.0",
      port: 9400,
      lan: true,
      https: "off",
      addresses: [
        { url: "http://192.168.1.7:9400", interface: "wlan0" },
        { url: "http://10.8.0.2:9400", interface: "tun0" },
      ],
    },
    online: { people, people_count: people.length, elsewhere_count: people.length, bots_count: 2 },
    queues: { ...state.queues, total: 24, waiting: 21 },
    messages: {
      ...state.messages,
      last_hour: perMinute.reduce((sum, n) => sum + n, 0),
      per_minute: perMinute,
      notices_last_hour: 12,
    },
    deliveries: { ...state.deliveries, waiting: 2 },
    invitations: { links: 1, people: 2 },
    host: busyHost(state.host),
  };
}

const busyHost = (host: HostFigures): HostFigures => ({
  ...host,
  storage: { ...host.storage, database_bytes: 61_800_000, log_bytes: 33_554_432 },
  memory: { process_bytes: 286_000_000 },
  audit: [
    entry(54, 3, { target_name: "Jonas Bergman", after: { full_name: "Jonas Bergman" } }),
    entry(53, 41, {
      origin: "desktop",
      action: "change host setting",
      target: "host setting INVITATION_LINK_VALIDITY_MINUTES",
    }),
    entry(52, 64, { actor: { user_id: 2, full_name: "Bo Ekström" }, target_name: "Ines Moreira" }),
    entry(51, 190, { action: "create channel", target: "channel 14", target_name: "boat repairs" }),
    entry(50, 1500, { target_name: "Weather bot", after: { is_bot: true } }),
    entry(49, 3000, { action: "change channel", target: "channel 3", target_name: "regatta" }),
  ],
  newest_audit_id: 54,
});

const long = "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh Maria Magdalena of the Northern Lighthouse";
const names = [...NAMES, "عبد الرحمن بن محمد الخوارزمي", "שרה לוי־אברהמוב", long, "李小龍", "🛶 Cox"];

/** As many entries and as long names as possible. */
export function crowdedState(): OwnersState {
  const state = busyState();
  const people = Array.from({ length: 50 }, (_, index) => ({
    user_id: index + 1,
    full_name: names[index % names.length] as string,
    avatar_url: `/generated/user-${index + 1}.png`,
  }));
  return {
    ...state,
    organization: {
      ...state.organization,
      name: "Föreningen för Fjärdingsmännens Årsfest",
      people: 12_408,
      guests: 3_021,
      bots: 118,
      joined_last_week: 1_204,
      newcomers: people.slice(0, 10).map((person, at) => ({ ...person, joined_at: now - at * 50 * MINUTE })),
      messages: 1_204_557_890,
      people_wrote: true,
    },
    network: {
      ...state.network,
      addresses: [
        ...Array.from({ length: 9 }, (_, i) => ({
          url: `http://192.168.${i + 1}.${200 + i}:9400`,
          interface: `enp${i}s0f1`,
        })),
        { url: "http://[2001:db8:85a3:1234:5678:8a2e:370:7334]:9400", interface: "wlp0s20f3" },
        { url: "http://[2001:db8:85a3:1234:9999:8a2e:1234:abcd]:9400", interface: "enx00e04c680001" },
        { url: "http://172.31.255.254:9400", interface: "br-3f9c2d7a1b44" },
      ],
    },
    online: { people, people_count: 3_214, elsewhere_count: 3_214, bots_count: 87 },
    queues: { ...state.queues, total: 6_120, waiting: 5_987 },
    messages: {
      ...state.messages,
      last_hour: 1_048_576,
      per_minute: Array.from({ length: 60 }, (_, i) => 9_000 + ((i * 7919) % 17_000)),
      notices_last_hour: 104_857,
    },
    deliveries: { ...state.deliveries, waiting: 12_004, failed: 3_117 },
    host: crowdedHost(state.host),
  };
}

const crowdedHost = (host: HostFigures): HostFigures => ({
  ...host,
  storage: {
    ...host.storage,
    data_folder: "/media/ann/A very long name of an external drive/backups/2026/hearth/the-data-folder-of-the-club",
    database_bytes: 4_812_000_000,
    log_bytes: 1_203_000_000,
    disk_free_bytes: 440_000_000,
  },
  memory: { process_bytes: 14_300_000_000 },
  event_loop: { delay_ms_median: 41, delay_ms_p99: 812, delay_ms_max: 2_430 },
  audit: [
    entry(98, 0.1, { actor: { user_id: 11, full_name: names[10] as string }, target_name: names[11] as string }),
    entry(97, 2, { actor: { user_id: 13, full_name: long }, target_name: long }),
    entry(96, 44_000, {
      action: "change who may mention everybody in channels with many subscribers",
      target: "organization setting can_mention_many_users_group",
      target_name:
        "a-name-without-any-place-to-break-it-that-goes-on-and-on-and-on-for-a-hundred-characters-or-so-in-all",
    }),
    ...host.audit,
  ],
  newest_audit_id: 98,
});
