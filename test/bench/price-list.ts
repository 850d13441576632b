import type { FullOrganization } from "./full-organization.ts";
import { type Asked, asked, askedWithFile, blackPicture, DEEP_WITH_ALPHA, reportedPush } from "./http-requests.ts";

export interface Priced {
  /** The declared endpoints of this family. */
  calls: readonly string[];
  /** The most expensive valid request, and the limit that applies to it. */
  dearest: string;
  bound: string;
  request(organization: FullOrganization, round: number): Asked;
  /** The number of repetitions if the request stores something. */
  times?: number;
  /** The server refuses the most expensive request. */
  refused?: true;
}

const toTexts = (content: string) => ({ type: "channel", to: "general", topic: "texts", content });
const list = (calls: readonly string[], dearest: string, bound: string, path: string, by = 1): Priced => ({
  calls,
  dearest,
  bound,
  request: ({ accounts }) => asked(accounts[by] ?? {}, "GET", path),
});
const byOwner = (call: string, dearest: string, bound: string, path: string): Priced =>
  list([call], dearest, bound, path, 0);
const RENDERING = [
  "POST /messages/render",
  "POST /messages",
  "PATCH /messages/{message_id}",
  "POST /scheduled_messages",
  "PATCH /scheduled_messages/{scheduled_message_id}",
  "POST /reminders",
  "POST /zcommand",
];
const rendered = (dearest: string, content: string, bound: string, calls = RENDERING.slice(0, 1)): Priced => ({
  calls,
  dearest,
  bound,
  request: ({ accounts }) => asked(accounts[1] ?? {}, "POST", "/messages/render", { content }),
});
const oneOf = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

export const PRICES: readonly Priced[] = [
  {
    calls: ["POST /register", "GET /events"],
    dearest: "everything, for a user with the maximum stored data",
    bound: "limits of stored data; read in its own turn, written in slices",
    request: ({ accounts }) => asked(accounts[1] ?? {}, "POST", "/register"),
  },
  {
    calls: ["POST /register", "GET /events"],
    dearest: "the same, with all subscribers",
    bound: "as above",
    request: ({ accounts }) => asked(accounts[2] ?? {}, "POST", "/register", { include_subscribers: "true" }),
  },
  {
    calls: ["GET /messages"],
    dearest: "the newest 5000",
    bound: "8 MB; found in slices",
    request: ({ accounts }) =>
      asked(accounts[1] ?? {}, "GET", "/messages", { anchor: "newest", num_before: 5000, num_after: 0 }),
  },
  {
    calls: ["GET /messages"],
    dearest: "5000 that contain a frequent word",
    bound: "8 MB; searched in slices",
    request: ({ accounts }) =>
      asked(accounts[1] ?? {}, "GET", "/messages", {
        anchor: "newest",
        num_before: 5000,
        num_after: 0,
        narrow: [{ operator: "search", operand: "text without anything" }],
      }),
  },
  {
    calls: ["GET /messages/matches_narrow"],
    dearest: "150 long messages by ID, with a search",
    bound: "8 MB",
    request: ({ accounts, edited }) =>
      asked(accounts[1] ?? {}, "GET", "/messages/matches_narrow", {
        msg_ids: Array.from({ length: 150 }, (_, index) => edited - index),
        narrow: [{ operator: "search", operand: "text" }],
      }),
  },
  {
    calls: ["GET /messages/{message_id}/history"],
    dearest: "400 edits of a message of 9900 characters",
    bound: "10 MB; compared in slices",
    request: ({ accounts, edited }) => asked(accounts[1] ?? {}, "GET", `/messages/${edited}/history`),
  },
  list(["GET /users"], "all users", "number of people", "/users"),
  list(["GET /streams"], "all channels", "5000 channels, 4 MB in total", "/streams"),
  list(
    ["GET /users/me/subscriptions"],
    "500 channels with all subscribers",
    "as above",
    "/users/me/subscriptions?include_subscribers=true",
  ),
  {
    calls: ["GET /users/me/{stream_id}/topics"],
    dearest: "all topics of a channel",
    bound: "a read has its own turn",
    request: ({ accounts, general }) => asked(accounts[1] ?? {}, "GET", `/users/me/${general.id}/topics`),
  },
  list(
    ["GET /user_groups", "GET /user_groups/{user_group_id}/members", "GET /user_groups/{user_group_id}/subgroups"],
    "all groups",
    "200,000 members in total",
    "/user_groups",
  ),
  list(["GET /drafts"], "all drafts", "1,000,000 characters", "/drafts"),
  list(["GET /saved_snippets"], "all snippets", "1,000,000 characters", "/saved_snippets"),
  list(
    ["GET /scheduled_messages", "GET /reminders"],
    "all scheduled messages",
    "4,000,000 characters",
    "/scheduled_messages",
  ),
  list(["GET /realm/presence", "POST /users/me/presence"], "all users", "number of people", "/realm/presence"),
  {
    calls: ["GET /streams/{stream_id}/members", "GET /messages/{message_id}/read_receipts"],
    dearest: "a channel with all users",
    bound: "number of people",
    request: ({ accounts, general }) => asked(accounts[1] ?? {}, "GET", `/streams/${general.id}/members`),
  },
  {
    calls: ["GET /host/audit"],
    dearest: "200 entries",
    bound: "200 entries; owners only",
    request: ({ accounts }) => asked(accounts[0] ?? {}, "GET", "/host/audit?limit=200"),
  },
  rendered("a formula with 1200 sums", `$$${"a+".repeat(1200)}$$`, "2500 characters of TeX, 120 powers", RENDERING),
  rendered(
    "TeX commands that repeat 1000 characters",
    `$$\\def\\x{${"a^b_c".repeat(200)}}${"\\x".repeat(190)}$$`,
    "a definition counts with its maximum expansion",
  ),
  rendered(
    "a table with 1600 columns and short rows",
    `|${"a|".repeat(1600)}\n|${"-|".repeat(1600)}\n${"a\n".repeat(1700)}`,
    "4000 cells",
  ),
  rendered(
    "4000 cells",
    `|${"a|".repeat(38)}\n|${"-|".repeat(38)}\n${`|${"a|".repeat(38)}\n`.repeat(98)}`,
    "4000 cells",
  ),
  rendered("10,000 emoji", "😀".repeat(10_000), "2000 emoji"),
  rendered("2500 list items", "- a\n".repeat(2500), "20,000 parts"),
  rendered("2000 bold letters", "**a**".repeat(2000), "20,000 parts"),
  rendered("700 code blocks", "```js\nx=1\n```\n".repeat(700), "64,000 units of HTML, and 4 for each unit of text"),
  {
    calls: ["POST /messages", "PATCH /messages/{message_id}"],
    dearest: "560 emoji and bold letters to a channel with all users",
    bound: "size of the HTML, and 50 MB stored per hour",
    request: ({ accounts }) => asked(accounts[1] ?? {}, "POST", "/messages", toTexts("👍 **a** ".repeat(560))),
  },
  {
    calls: ["POST /messages"],
    dearest: "a direct message to 500 people",
    bound: "1000 recipients",
    request: ({ accounts }, round) =>
      asked(accounts[1] ?? {}, "POST", "/messages", {
        type: "direct",
        to: accounts.slice(2 + round, 500 + round).map(({ id }) => id),
        content: "hello",
      }),
    times: 2,
  },
  {
    calls: [
      "POST /messages/flags",
      "POST /messages/flags/narrow",
      "POST /mark_all_as_read",
      "POST /mark_stream_as_read",
      "POST /mark_topic_as_read",
    ],
    dearest: "20,000 messages by ID",
    bound: "20,000 items; in slices",
    request: ({ accounts, edited }, round) =>
      asked(accounts[1] ?? {}, "POST", "/messages/flags", {
        messages: Array.from({ length: Math.min(edited, 20_000) }, (_, index) => edited - index),
        op: oneOf(["add", "remove"], round),
        flag: "starred",
      }),
    times: 6,
  },
  {
    calls: ["POST /drafts", "PATCH /drafts/{draft_id}"],
    dearest: "100 drafts of 1900 characters",
    bound: "100 per request, 1,000,000 characters",
    request: ({ accounts }, round) =>
      asked(accounts[3 + round] ?? {}, "POST", "/drafts", {
        drafts: new Array(100).fill({ type: "", to: [], topic: "", content: "x".repeat(1900) }),
      }),
    times: 2,
  },
  {
    calls: ["POST /users/me/subscriptions", "DELETE /users/me/subscriptions", "PATCH /users/me/subscriptions"],
    dearest: "200 channels for 100 people",
    bound: "500 channels; in slices",
    request: ({ accounts }, round) =>
      asked(accounts[0] ?? {}, oneOf(["POST", "DELETE"], round), "/users/me/subscriptions", {
        subscriptions: Array.from({ length: 200 }, (_, index) =>
          round % 2 === 0 ? { name: `channel ${1000 + index}` } : `channel ${1000 + index}`,
        ),
        principals: accounts.slice(10, 110).map(({ id }) => id),
      }),
    times: 2,
  },
  {
    calls: ["POST /user_topics", "PATCH /users/me/subscriptions/muted_topics"],
    dearest: "another muted topic, next to 5000",
    bound: "5000 topics; each mute announces the complete list",
    request: ({ accounts, general }, round) =>
      asked(accounts[1] ?? {}, "POST", "/user_topics", {
        stream_id: general.id,
        topic: "muted 7",
        visibility_policy: oneOf([2, 1], round),
      }),
  },
  {
    calls: [
      "POST /user_groups/create",
      "POST /user_groups/{user_group_id}/members",
      "POST /user_groups/{user_group_id}/subgroups",
      "PATCH /user_groups/{user_group_id}",
    ],
    dearest: "a group with all users",
    bound: "200,000 members in total",
    request: ({ accounts }, round) =>
      asked(accounts[0] ?? {}, "POST", "/user_groups/create", {
        name: `everybody ${round}`,
        description: "",
        members: accounts.map(({ id }) => id),
      }),
    times: 2,
  },
  {
    calls: ["POST /typing", "POST /messages/{message_id}/typing"],
    dearest: "typing to 500 people",
    bound: "1000 recipients",
    request: ({ accounts }, round) =>
      asked(accounts[1] ?? {}, "POST", "/typing", {
        op: oneOf(["start", "stop"], round),
        to: accounts.slice(2, 502).map(({ id }) => id),
      }),
  },
  {
    calls: ["POST /fetch_api_key", "POST /host/session"],
    dearest: "a wrong password",
    bound: "one check at a time, on another thread",
    request: () => asked({}, "POST", "/fetch_api_key", { username: "person7@example.com", password: "wrong password" }),
    times: 2,
    refused: true,
  },
  {
    calls: ["GET /generated/…"],
    dearest: "the first request for a user's picture",
    bound: "cached; counted by IP address",
    request: ({ accounts }, round) => asked({}, "GET", `/generated/user-${accounts[round]?.id}-medium.png`),
  },
  list(["GET /openapi.json"], "the whole document", "constant size", "/openapi.json"),
  byOwner(
    "GET /host/audit/acts",
    "a search for a word that no act contains, limit 200",
    "searched in slices; owners only",
    "/host/audit/acts?limit=200&text=nowhere",
  ),
  byOwner(
    "GET /host/audit/csv",
    "20,000 acts",
    "20,000 acts; found and written in slices; owners only",
    "/host/audit/csv",
  ),
  byOwner(
    "GET /host/logs",
    "a search for a word that no line contains",
    "40 MB of files; read in pieces",
    "/host/logs?text=nowhere",
  ),
  byOwner("GET /host/logs/bundle", "the support file", "the newest 2000 lines", "/host/logs/bundle"),
  byOwner(
    "GET /host/expiring_messages",
    "all messages",
    "counts 100,000 messages, reads all; in slices; owners only",
    "/host/expiring_messages?days=1",
  ),
  byOwner("GET /host/storage", "all messages and files", "added up in slices", "/host/storage"),
  byOwner("GET /host/state", "all figures", "measured at most every two seconds, for all callers", "/host/state"),
  byOwner("GET /host/network", "all fields", "the machine's addresses and the settings", "/host/network"),
  {
    calls: ["GET /host/users/{user_id}", "GET /host/sessions"],
    dearest: "a user with the maximum stored data",
    bound: "limits of data stored by a user; other users for administrators only",
    request: ({ accounts }) => asked(accounts[0] ?? {}, "GET", `/host/users/${accounts[1]?.id}`),
  },
  byOwner("GET /host/sign-ins", "all users", "number of people; administrators only", "/host/sign-ins"),
  list(["GET /host/integrations"], "all services", "constant size", "/host/integrations"),
  list(["GET /host/bots", "GET /bots"], "all bots of a user with 200", "200 bots per person", "/host/bots"),
  list(
    ["GET /host/webhook_deliveries", "GET /host/bots/{bot_id}/deliveries"],
    "the newest 200 entries of all bots",
    "200 entries",
    "/host/webhook_deliveries?limit=200",
  ),
  list(
    ["GET /host/webhook_receipts", "GET /host/bots/{bot_id}/receipts"],
    "the newest 200 entries of all bots",
    "200 entries",
    "/host/webhook_receipts?limit=200",
  ),
  list(
    ["GET /invites", "GET /host/invitations"],
    "all invitations",
    "100 addresses per day, and their expiry",
    "/host/invitations",
  ),
  list(["GET /attachments"], "all uploads of the caller", "a read has its own turn", "/attachments"),
  list(["GET /realm/emoji"], "all custom emoji", "2000 emoji", "/realm/emoji"),
  list(
    [
      "GET /realm/linkifiers",
      "GET /realm/profile_fields",
      "GET /channel_folders",
      "GET /navigation_views",
      "GET /users/me/alert_words",
      "GET /realm/domains",
    ],
    "all linkifiers",
    "100 linkifiers, 200 views, 500 words",
    "/realm/linkifiers",
  ),
  {
    calls: ["POST /user_uploads"],
    dearest: "20 MB of text",
    bound: "streamed to disk; 12 MB per second next to other requests, 100 MiB per file",
    request: ({ accounts }) =>
      askedWithFile(accounts[1] ?? {}, "/user_uploads", { name: "long.txt", bytes: Buffer.alloc(20_000_000, "text ") }),
  },
  {
    calls: [
      "POST /users/me/avatar",
      "POST /realm/emoji/{emoji_name}",
      "POST /realm/icon",
      "POST /realm/logo",
      "PATCH /bots/{bot_id}",
    ],
    dearest: "a picture of 42 million pixels with 16 bits and transparency",
    bound: "5 MiB and 1.5 seconds of decoding, estimated from the header; on another thread, people take turns",
    request: ({ accounts }) =>
      askedWithFile(accounts[1] ?? {}, "/users/me/avatar", {
        name: "black.png",
        bytes: blackPicture(6500, DEEP_WITH_ALPHA),
      }),
  },
  {
    calls: ["POST /bots"],
    dearest: "another bot, next to 200",
    bound: "200 bots per person",
    request: ({ accounts }, round) =>
      asked(accounts[0] ?? {}, "POST", "/bots", {
        full_name: `Bot ${round}`,
        short_name: `priced-${round}`,
        bot_type: 1,
      }),
    times: 2,
  },
  {
    calls: ["POST /external/{integration}", "GET /external/{integration}"],
    dearest: "a push of 3500 commits, 5 MB",
    bound:
      "5 MB and 50,000 values with a bot's key, 2 MB otherwise; counts as requests and bytes of the bot; callers take turns",
    request: ({ webhookKey }) => reportedPush(webhookKey, 3500),
  },
  {
    calls: ["POST /invites", "POST /invites/multiuse"],
    dearest: "40 addresses",
    bound: "100 addresses per day, by all people together",
    request: ({ accounts }, round) =>
      asked(accounts[0] ?? {}, "POST", "/invites", {
        invitee_emails: Array.from({ length: 40 }, (_, index) => `new${round}-${index}@example.net`).join(),
        stream_ids: [],
      }),
    times: 2,
  },
  {
    calls: ["PATCH /streams/{stream_id}", "DELETE /streams/{stream_id}"],
    dearest: "a new description for a channel with all users, next to 5000",
    bound: "number of people; 5000 channels, 4 MB in total",
    request: ({ accounts, general }, round) =>
      asked(accounts[0] ?? {}, "PATCH", `/streams/${general.id}`, { description: `${round} `.repeat(400) }),
    times: 6,
  },
  {
    calls: ["PATCH /realm", "PATCH /realm/user_settings_defaults"],
    dearest: "a new description",
    bound: "1000 characters, and an event for all users",
    request: ({ accounts }, round) =>
      asked(accounts[0] ?? {}, "PATCH", "/realm", { description: `${round} `.repeat(400) }),
    times: 6,
  },
  {
    calls: ["PUT /bot_storage", "GET /bot_storage", "DELETE /bot_storage"],
    dearest: "1 MB",
    bound: "limit of bot storage, and 50 MB stored per hour",
    request: ({ accounts }, round) =>
      asked(accounts[1] ?? {}, "PUT", "/bot_storage", { storage: { [`key ${round}`]: "x".repeat(1_000_000) } }),
    times: 2,
  },
  {
    calls: ["POST /users", "POST /host/join"],
    dearest: "another person",
    bound: "an event for all users",
    request: ({ accounts }, round) =>
      asked(accounts[0] ?? {}, "POST", "/users", {
        email: `priced${round}@example.com`,
        full_name: `Priced ${round}`,
        password: "a good password of hers",
      }),
    times: 2,
  },
  {
    calls: ["PATCH /settings", "PATCH /settings/display", "PATCH /settings/notifications"],
    dearest: "a change of the address visibility",
    bound: "an event for all users",
    request: ({ accounts }, round) =>
      asked(accounts[1] ?? {}, "PATCH", "/settings", { email_address_visibility: oneOf([3, 1], round) }),
    times: 6,
  },
  {
    calls: [
      "DELETE /users/{user_id}",
      "DELETE /users/me",
      "POST /users/{user_id}/reactivate",
      "PATCH /users/{user_id}",
      "PATCH /users/{email}",
    ],
    dearest: "deactivating and reactivating a user with 500 channels",
    bound: "the channels and groups of a person",
    request: ({ accounts }, round) =>
      asked(
        accounts[0] ?? {},
        oneOf(["DELETE", "POST"], round),
        `/users/${accounts[1]?.id}${oneOf(["", "/reactivate"], round)}`,
      ),
    times: 2,
  },
  {
    calls: ["POST /streams/{stream_id}/delete_topic", "DELETE /messages/{message_id}"],
    dearest: "a topic of 700 long messages",
    bound: "in slices",
    request: ({ accounts, general }) =>
      asked(accounts[0] ?? {}, "POST", `/streams/${general.id}/delete_topic`, { topic_name: "texts" }),
    times: 1,
  },
];
