import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { type Asked, ask, asked } from "./asking.ts";
import { FULL, type FullOrganization, fullOrganization, NEARLY_EMPTY } from "./full-organization.ts";
import { cpuSeconds, removeFolder, startHearth } from "./processes.ts";
import type { Section } from "./section.ts";

interface Priced {
  /** The endpoints that it stands for. */
  family: string;
  /** The dearest legal request of them, in words, and what bounds it. */
  dearest: string;
  bound: string;
  request(organization: FullOrganization, round: number): Asked;
  /** How often it may be repeated, where it stores something. */
  times?: number;
}

const text = (content: string) => ({ type: "channel", to: "general", topic: "texts", content });
const list = (family: string, dearest: string, bound: string, path: string): Priced => ({
  family,
  dearest,
  bound,
  request: ({ accounts }) => asked(accounts[1] ?? {}, "GET", path),
});
const rendered = (dearest: string, content: string, bound: string): Priced => ({
  family: "POST /messages/render; sends, edits, scheduled messages, reminders",
  dearest,
  bound,
  request: ({ accounts }) => asked(accounts[1] ?? {}, "POST", "/messages/render", { content }),
});
const oneOf = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

const PRICES: readonly Priced[] = [
  {
    family: "POST /register, GET /events without a queue",
    dearest: "everything, of somebody who keeps as much as one may",
    bound: "bounds of what is stored; read in a turn of its own, written in slices",
    request: ({ accounts }) => asked(accounts[1] ?? {}, "POST", "/register"),
  },
  {
    family: "POST /register, GET /events without a queue",
    dearest: "the same with all subscribers",
    bound: "as above",
    request: ({ accounts }) => asked(accounts[2] ?? {}, "POST", "/register", { include_subscribers: "true" }),
  },
  {
    family: "GET /messages",
    dearest: "the newest 5000",
    bound: "8 MB; looked for in slices",
    request: ({ accounts }) =>
      asked(accounts[1] ?? {}, "GET", "/messages", { anchor: "newest", num_before: 5000, num_after: 0 }),
  },
  {
    family: "GET /messages",
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
    family: "GET /messages/matches_narrow",
    dearest: "1000 messages by id, with a search",
    bound: "8 MB",
    request: ({ accounts, edited }) =>
      asked(accounts[1] ?? {}, "GET", "/messages/matches_narrow", {
        msg_ids: Array.from({ length: 1000 }, (_, index) => edited - index),
        narrow: [{ operator: "search", operand: "text" }],
      }),
  },
  {
    family: "GET /messages/{message_id}/history",
    dearest: "400 edits of a text of 9900 characters",
    bound: "10 MB; compared in slices",
    request: ({ accounts, edited }) => asked(accounts[1] ?? {}, "GET", `/messages/${edited}/history`),
  },
  list("GET /users", "everybody", "people", "/users"),
  list("GET /streams", "all channels", "5000 channels of 8 MB", "/streams"),
  list(
    "GET /users/me/subscriptions",
    "500 channels with all subscribers",
    "as above",
    "/users/me/subscriptions?include_subscribers=true",
  ),
  {
    family: "GET /users/me/{stream_id}/topics",
    dearest: "all topics of a channel",
    bound: "a read has a turn of its own",
    request: ({ accounts, general }) => asked(accounts[1] ?? {}, "GET", `/users/me/${general.id}/topics`),
  },
  list("GET /user_groups and their members", "all groups", "200,000 members together", "/user_groups"),
  list("GET /drafts", "all", "1,000,000 characters", "/drafts"),
  list("GET /saved_snippets", "all", "1,000,000 characters", "/saved_snippets"),
  list("GET /scheduled_messages, GET /reminders", "all", "4,000,000 characters", "/scheduled_messages"),
  list("GET /realm/presence", "everybody", "people", "/realm/presence"),
  {
    family: "GET /streams/{stream_id}/members, read receipts",
    dearest: "a channel of everybody",
    bound: "people",
    request: ({ accounts, general }) => asked(accounts[1] ?? {}, "GET", `/streams/${general.id}/members`),
  },
  {
    family: "GET /host/audit",
    dearest: "200 entries",
    bound: "200 entries; owners only",
    request: ({ accounts }) => asked(accounts[0] ?? {}, "GET", "/host/audit?limit=200"),
  },
  rendered("1200 primes in a formula", `$$${"a'".repeat(1200)}$$`, "2500 characters of TeX"),
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
    family: "POST /messages, PATCH /messages/{message_id}",
    dearest: "560 emoji and bold letters to a channel of everybody",
    bound: "HTML, and 50 MB stored in an hour",
    request: ({ accounts }) => asked(accounts[1] ?? {}, "POST", "/messages", text("👍 **a** ".repeat(560))),
  },
  {
    family: "POST /messages",
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
    family: "POST /messages/flags, POST /messages/flags/narrow, POST /mark_…_as_read",
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
    family: "POST /drafts, PATCH /drafts/{draft_id}",
    dearest: "100 drafts of 1900 characters",
    bound: "100 a request, 1,000,000 characters",
    request: ({ accounts }, round) =>
      asked(accounts[3 + round] ?? {}, "POST", "/drafts", {
        drafts: new Array(100).fill({ type: "", to: [], topic: "", content: "x".repeat(1900) }),
      }),
    times: 2,
  },
  {
    family: "POST /users/me/subscriptions, DELETE /users/me/subscriptions, PATCH /users/me/subscriptions",
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
    family: "POST /user_topics",
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
    family: "POST /user_groups/create, POST /user_groups/{user_group_id}/members",
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
    family: "POST /typing",
    dearest: "to 500 people",
    bound: "1000 recipients",
    request: ({ accounts }, round) =>
      asked(accounts[1] ?? {}, "POST", "/typing", {
        op: oneOf(["start", "stop"], round),
        to: accounts.slice(2, 502).map(({ id }) => id),
      }),
  },
  {
    family: "POST /fetch_api_key, POST /host/session",
    dearest: "a wrong password",
    bound: "one is checked at a time, on another thread",
    request: () => asked({}, "POST", "/fetch_api_key", { username: "person7@example.com", password: "wrong password" }),
    times: 2,
  },
  {
    family: "GET /generated/…",
    dearest: "a picture of somebody, the first time",
    bound: "kept; counted by address",
    request: ({ accounts }, round) => asked({}, "GET", `/generated/user-${accounts[round]?.id}-medium.png`),
  },
  list("GET /openapi.json", "the document", "nothing of it grows", "/openapi.json"),
];

const PAGE = new URL("../../docs/prices.md", import.meta.url);
const [BEGIN, END] = ["<!-- prices -->", "<!-- /prices -->"];
const TIMES = 2;
/** A checkpoint meanwhile would count as CPU of requests. */
const NO_CHECKPOINT = 2 ** 40;

/** Measures what the dearest legal request of each family costs, and writes the table of docs/prices.md. */
export const prices: Section = async ({ quick, tell }) => {
  const fullness = quick ? NEARLY_EMPTY : FULL;
  const organization = await fullOrganization(fullness);
  const hearth = await startHearth(organization.folder, NO_CHECKPOINT);
  const rows: string[] = [];
  for (const { family, dearest, bound, request, times } of PRICES) {
    let bytes = 0;
    let status = 0;
    // Once before, since code is compiled and loaded once only; not where that would store something twice.
    if (times === undefined) await ask(request(organization, 0), hearth.port);
    const start = cpuSeconds(hearth.pid);
    for (let round = 0; round < (times ?? TIMES); round += 1) {
      const answer = await ask(request(organization, round), hearth.port);
      [bytes, status] = [Buffer.byteLength(answer.body), answer.status];
      if (status !== 200 && family !== "POST /fetch_api_key, POST /host/session")
        throw new Error(`${family} (${dearest}): ${answer.body.slice(0, 300)}`);
    }
    const ms = ((cpuSeconds(hearth.pid) - start) * 1000) / (times ?? TIMES);
    tell({ name: `${family}: ${dearest}`, value: ms, unit: "ms of CPU", more: { bytes } });
    const calls = family
      .split(", ")
      .map((call) => call.replace(/[A-Z]+ \/[^\s;]+/, "`$&`"))
      .join(", ");
    rows.push(`| ${calls} | ${dearest} | ${bound} | ${shown(ms)} | ${size(bytes)} |`);
  }
  await hearth.stop();
  removeFolder(organization.folder);
  if (quick) return;
  const { people, channels, messages, topics } = fullness;
  const measured = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores; ${people} people, ${channels} channels, ${topics} topics in one channel and ${messages} long messages`;
  const page = readFileSync(PAGE, "utf8");
  const table = [
    "| Calls | Dearest legal request | Bounded by | CPU | Answer |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ];
  const inside = `${BEGIN}\nMeasured on: ${measured}.\n\n${table.join("\n")}\n${END}`;
  writeFileSync(PAGE, `${page.slice(0, page.indexOf(BEGIN))}${inside}${page.slice(page.indexOf(END) + END.length)}`);
};

const shown = (ms: number): string => (ms < 0.5 ? "under 0.5 ms" : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`);
const size = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
};
