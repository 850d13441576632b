import type { FullOrganization } from "./full-organization.ts";
import { type Asked, asked, askedWithFile, blackPicture, DEEP_WITH_ALPHA, reportedPush } from "./http-requests.ts";

export interface Priced {
  /** The declared endpoints of this family. */
  calls: readonly string[];
  /** The most expensive legal request, and the limit that bounds it. */
  dearest: string;
  bound: string;
  request(organization: FullOrganization, round: number): Asked;
  /** How often it may be repeated if it stores something. */
  times?: number;
  /** The most expensive request is refused. */
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
    dearest: "everything, of somebody who keeps as much as one may",
    bound: "bounds of what is stored; read in a turn of its own, written in slices",
    request: ({ accounts }) => asked(accounts[1] ?? {}, "POST", "/register"),
  },
  {
    calls: ["POST /register", "GET /events"],
    dearest: "the same with all subscribers",
    bound: "as above",
    request: ({ accounts }) => asked(accounts[2] ?? {}, "POST", "/register", { include_subscribers: "true" }),
  },
  {
    calls: ["GET /messages"],
    dearest: "the newest 5000",
    bound: "8 MB; looked for in slices",
    request: ({ accounts }) =>
      asked(accounts[1] ?? {}, "GET", "/messages", { anchor: "newest", num_before: 5000, num_after: 0 }),
  },
  {
    calls: ["GET /messages"],
    dearest: "5000 that hold a frequent word",
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
    dearest: "150 long messages by id, with a search",
    bound: "8 MB",
    request: ({ accounts, edited }) =>
      asked(accounts[1] ?? {}, "GET", "/messages/matches_narrow", {
        msg_ids: Array.from({ length: 150 }, (_, index) => edited - index),
        narrow: [{ operator: "search", operand: "text" }],
      }),
  },
  {
    calls: ["GET /messages/{message_id}/history"],
    dearest: "400 edits of a text of 9900 characters",
    bound: "10 MB; compared in slices",
    request: ({ accounts, edited }) => asked(accounts[1] ?? {}, "GET", `/messages/${edited}/history`),
  },
  list(["GET /users"], "everybody", "people", "/users"),
  list(["GET /streams"], "all channels", "5000 channels of 4 MB", "/streams"),
  list(
    ["GET /users/me/subscriptions"],
    "500 channels with all subscribers",
    "as above",
    "/users/me/subscriptions?include_subscribers=true",
  ),
  {
    calls: ["GET /users/me/{stream_id}/topics"],
    dearest: "all topics of a channel",
    bound: "a read has a turn of its own",
    request: ({ accounts, general }) => asked(accounts[1] ?? {}, "GET", `/users/me/${general.id}/topics`),
  },
  list(
    ["GET /user_groups", "GET /user_groups/{user_group_id}/members", "GET /user_groups/{user_group_id}/subgroups"],
    "all groups",
    "200,000 members together",
    "/user_groups",
  ),
  list(["GET /drafts"], "all", "1,000,000 characters", "/drafts"),
  list(["GET /saved_snippets"], "all", "1,000,000 characters", "/saved_snippets"),
  list(["GET /scheduled_messages", "GET /reminders"], "all", "4,000,000 characters", "/scheduled_messages"),
  list(["GET /realm/presence", "POST /users/me/presence"], "everybody", "people", "/realm/presence"),
  {
    calls: ["GET /streams/{stream_id}/members", "GET /messages/{message_id}/read_receipts"],
    dearest: "a channel of everybody",
    bound: "people",
    request: ({ accounts, general }) => asked(accounts[1] ?? {}, "GET", `/streams/${general.id}/members`),
  },
  {
    calls: ["GET /host/audit"],
    dearest: "200 entries",
    bound: "200 entries; owners only",
    request: ({ accounts }) => asked(accounts[0] ?? {}, "GET", "/host/audit?limit=200"),
  },
  rendered("1200 sums in a formula", `$$${"a+".repeat(1200)}$$`, "2500 characters of TeX, 120 powers", RENDERING),
  rendered(
    "commands that repeat 1000 characters",
    `$$\\def\\x{${"a^b_c".repeat(200)}}${"\\x".repeat(190)}$$`,
    "a definition costs what it may expand to",
  ),
  rendered(
    "a table of 1600 columns and short rows",
    `|${"a|".repeat(1600)}\n|${"-|".repeat(1600)}\n${"a\n".repeat(1700)}`,
    "4000 cells",
  ),
  rendered(
    "4000 cells",
    `|${"a|".repeat(38)}\n|${"-|".repeat(38)}\n${`|${"a|".repeat(38)}\n`.repeat(98)}`,
    "4000 cells",
  ),
  rendered("10,000 emoji", "😀".repeat(10_000), "2000 emoji"),
  rendered("2500 items of lists", "- a\n".repeat(2500), "20,000 parts"),
  rendered("2000 bold letters", "**a**".repeat(2000), "20,000 parts"),
  rendered("600 blocks of code", "```js\nx=1\n```\n".repeat(700), "64,000 of HTML and 4 a character"),
  {
    calls: ["POST /messages", "PATCH /messages/{message_id}"],
    dearest: "560 emoji and bold letters to a channel of everybody",
    bound: "HTML, and 50 MB stored in an hour",
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
    dearest: "20,000 messages by id",
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
    bound: "100 a request, 1,000,000 characters",
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
    dearest: "one more muted topic, beside 5000",
    bound: "5000 topics: each mute announces the list of all",
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
    dearest: "a group of everybody",
    bound: "200,000 members together",
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
    dearest: "to 500 people",
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
    bound: "one is checked at a time, on another thread",
    request: () => asked({}, "POST", "/fetch_api_key", { username: "person7@example.com", password: "wrong password" }),
    times: 2,
    refused: true,
  },
  {
    calls: ["GET /generated/…"],
    dearest: "a picture of somebody, the first time",
    bound: "kept; counted by address",
    request: ({ accounts }, round) => asked({}, "GET", `/generated/user-${accounts[round]?.id}-medium.png`),
  },
  list(["GET /openapi.json"], "the document", "nothing of it grows", "/openapi.json"),
  byOwner(
    "GET /host/audit/acts",
    "200 acts of a day with a word that none has",
    "looked for in slices; owners only",
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
    "the newest lines with a word that none has",
    "files of 40 MB; read in pieces",
    "/host/logs?text=nowhere",
  ),
  byOwner("GET /host/logs/bundle", "the file for whoever helps", "the newest 2000 lines", "/host/logs/bundle"),
  byOwner(
    "GET /host/expiring_messages",
    "all messages",
    "100,000 messages counted, all read; in slices; owners only",
    "/host/expiring_messages?days=1",
  ),
  byOwner("GET /host/storage", "all messages and files", "added up in slices", "/host/storage"),
  byOwner("GET /host/state", "all figures", "measured at most every two seconds, for all who ask", "/host/state"),
  byOwner("GET /host/network", "all of it", "the machine's addresses and the settings", "/host/network"),
  {
    calls: ["GET /host/users/{user_id}", "GET /host/sessions"],
    dearest: "somebody who keeps as much as one may",
    bound: "what one person may store; others' for administrators only",
    request: ({ accounts }) => asked(accounts[0] ?? {}, "GET", `/host/users/${accounts[1]?.id}`),
  },
  byOwner("GET /host/sign-ins", "everybody", "people; administrators only", "/host/sign-ins"),
  list(["GET /host/integrations"], "all services", "nothing of it grows", "/host/integrations"),
  list(["GET /host/bots", "GET /bots"], "all bots of somebody with 200", "200 bots a person", "/host/bots"),
  list(
    ["GET /host/webhook_deliveries", "GET /host/bots/{bot_id}/deliveries"],
    "the newest 200 of all bots",
    "200 entries",
    "/host/webhook_deliveries?limit=200",
  ),
  list(
    ["GET /host/webhook_receipts", "GET /host/bots/{bot_id}/receipts"],
    "the newest 200 of all bots",
    "200 entries",
    "/host/webhook_receipts?limit=200",
  ),
  list(["GET /invites", "GET /host/invitations"], "all", "100 addresses a day, and what expires", "/host/invitations"),
  list(["GET /attachments"], "all of one's own", "a read has a turn of its own", "/attachments"),
  list(["GET /realm/emoji"], "all", "2000 emoji", "/realm/emoji"),
  list(
    [
      "GET /realm/linkifiers",
      "GET /realm/profile_fields",
      "GET /channel_folders",
      "GET /navigation_views",
      "GET /users/me/alert_words",
      "GET /realm/domains",
    ],
    "linkifiers",
    "100 linkifiers, 200 views, 500 words",
    "/realm/linkifiers",
  ),
  {
    calls: ["POST /user_uploads"],
    dearest: "20 MB of text",
    bound: "streamed to disk; 12 MB a second beside other requests, 100 MiB a file",
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
    bound: "5 MiB and an estimated 1.5 seconds of decoding, by the header; on another thread, in turns by person",
    request: ({ accounts }) =>
      askedWithFile(accounts[1] ?? {}, "/users/me/avatar", {
        name: "black.png",
        bytes: blackPicture(6500, DEEP_WITH_ALPHA),
      }),
  },
  {
    calls: ["POST /bots"],
    dearest: "one more bot beside 200",
    bound: "200 bots a person",
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
      "5 MB and 50,000 values where it names an account, 2 MB otherwise; counts as the bot's requests and bytes; in turns",
    request: ({ webhookKey }) => reportedPush(webhookKey, 3500),
  },
  {
    calls: ["POST /invites", "POST /invites/multiuse"],
    dearest: "40 addresses",
    bound: "100 addresses a day, by anybody",
    request: ({ accounts }, round) =>
      asked(accounts[0] ?? {}, "POST", "/invites", {
        invitee_emails: Array.from({ length: 40 }, (_, index) => `new${round}-${index}@example.net`).join(),
        stream_ids: [],
      }),
    times: 2,
  },
  {
    calls: ["PATCH /streams/{stream_id}", "DELETE /streams/{stream_id}"],
    dearest: "another description of a channel of everybody, beside 5000",
    bound: "people, 5000 channels of 4 MB",
    request: ({ accounts, general }, round) =>
      asked(accounts[0] ?? {}, "PATCH", `/streams/${general.id}`, { description: `${round} `.repeat(400) }),
    times: 6,
  },
  {
    calls: ["PATCH /realm", "PATCH /realm/user_settings_defaults"],
    dearest: "another description",
    bound: "1000 characters, and an event for everybody",
    request: ({ accounts }, round) =>
      asked(accounts[0] ?? {}, "PATCH", "/realm", { description: `${round} `.repeat(400) }),
    times: 6,
  },
  {
    calls: ["PUT /bot_storage", "GET /bot_storage", "DELETE /bot_storage"],
    dearest: "1 MB",
    bound: "what one program may keep, and 50 MB stored in an hour",
    request: ({ accounts }, round) =>
      asked(accounts[1] ?? {}, "PUT", "/bot_storage", { storage: { [`key ${round}`]: "x".repeat(1_000_000) } }),
    times: 2,
  },
  {
    calls: ["POST /users", "POST /host/join"],
    dearest: "one more person",
    bound: "an event for everybody",
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
    dearest: "who sees one's address",
    bound: "an event for everybody",
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
    dearest: "out and in again: somebody with 500 channels",
    bound: "the channels and groups of one person",
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
