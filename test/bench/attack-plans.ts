import { type Asked, asked } from "./asking.ts";
import type { Attack } from "./attacker.ts";
import type { FullOrganization } from "./full-organization.ts";
import type { Account } from "./organization.ts";

/** Beside the machine's own 127.0.0.1. All of 127.0.0.0/8 is the machine itself on Linux. */
const STRANGER = "127.0.0.2";

const written = ({ method, path, headers, body = "" }: Asked): string =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}Content-Length: ${body.length}\r\n\r\n${body}`;

type Made = Attack extends infer A ? (A extends unknown ? Omit<A, "port"> : never) : never;
type Plan = (organization: FullOrganization) => Made;

const requests = (many: Asked | Asked[], times: number, connections: number): Made => ({
  task: "requests",
  requests: Array.isArray(many) ? many : [many],
  times,
  connections,
});
const attackerOf = ({ accounts }: FullOrganization): Account => accounts[1] as Account;
const toGeneral = (content: string, topic = "attack") => ({ type: "channel", to: "general", topic, content });
const MACROS = `$$\\def\\x{${"a^b_c".repeat(200)}}${"\\x".repeat(190)}$$`;
const TABLE = `|${"a|".repeat(1600)}\n|${"-|".repeat(1600)}\n${"a\n".repeat(1700)}`;
const FORMULA = `$$${"a'".repeat(1200)}$$`;

/** What a member or a stranger does to the server, by name. */
export const ATTACKS: Readonly<Record<string, Plan>> = {
  "texts of 10,000 emoji": (all) =>
    requests(asked(attackerOf(all), "POST", "/messages", toGeneral("😀".repeat(10_000))), 100, 10),
  "texts with much HTML": (all) =>
    requests(asked(attackerOf(all), "POST", "/messages", toGeneral("👍 **a** ".repeat(560))), 100, 10),
  "formulas, tables and commands": (all) =>
    requests(
      [MACROS, TABLE, FORMULA].map((content) => asked(attackerOf(all), "POST", "/messages/render", { content })),
      40,
      10,
    ),
  "5,000 large messages": (all) =>
    requests(asked(attackerOf(all), "GET", "/messages", { anchor: "newest", num_before: 5000, num_after: 0 }), 40, 20),
  "/register of everything": (all) => requests(asked(attackerOf(all), "POST", "/register"), 40, 20),
  "all lists at once": (all) =>
    requests(
      [
        "/users",
        "/streams",
        "/users/me/subscriptions",
        "/drafts",
        "/saved_snippets",
        "/scheduled_messages",
        "/user_groups",
        `/users/me/${all.general.id}/topics`,
      ].map((path) => asked(attackerOf(all), "GET", path)),
      10,
      20,
    ),
  "histories of a message": (all) => requests(asked(attackerOf(all), "GET", `/messages/${all.edited}/history`), 20, 10),
  "1,500 idle connections": () => ({ task: "idle", count: 1500, address: STRANGER }),
  "100 sockets that read nothing": (all) => ({
    task: "unread",
    requests: new Array<string>(100).fill(written(asked(attackerOf(all), "POST", "/register"))),
  }),
  "1,000 pictures, by a stranger": ({ accounts }) => ({
    ...requests(
      accounts.slice(0, 1000).map(({ id }) => asked({}, "GET", `/generated/user-${id}-medium.png`)),
      1,
      20,
    ),
    address: STRANGER,
  }),
  "wrong passwords": () => ({
    ...requests(
      Array.from({ length: 60 }, (_, number) =>
        asked({}, "POST", "/fetch_api_key", { username: `person${number}@example.com`, password: "wrong password" }),
      ),
      1,
      20,
    ),
    address: STRANGER,
  }),
  "200,000 repeated ids": (all) =>
    requests(
      [
        asked(attackerOf(all), "POST", "/messages", {
          type: "direct",
          to: new Array(200_000).fill(all.accounts[2]?.id),
          content: "x",
        }),
        asked(attackerOf(all), "POST", "/users/me/subscriptions", {
          subscriptions: [{ name: "general" }],
          principals: new Array(200_000).fill(all.accounts[2]?.id),
        }),
        asked(attackerOf(all), "POST", "/messages/flags", {
          messages: new Array(200_000).fill(1),
          op: "add",
          flag: "starred",
        }),
      ],
      10,
      5,
    ),
  "100 drafts a request": (all) =>
    requests(
      asked(all.accounts[2] as Account, "POST", "/drafts", {
        drafts: new Array(100).fill({ type: "", to: [], topic: "", content: "x".repeat(1900) }),
      }),
      20,
      5,
    ),
  "500 messages due in one second": (all) =>
    requests(
      asked(all.accounts[3] as Account, "POST", "/scheduled_messages", {
        type: "channel",
        to: all.general.id,
        topic: "due",
        content: "👍 **a** ".repeat(50),
        scheduled_delivery_timestamp: Math.ceil(Date.now() / 1000) + 4,
      }),
      500,
      10,
    ),
  "100 new channels a request": (all) =>
    requests(
      [1, 2, 3, 4].map((number) =>
        asked(all.accounts[4] as Account, "POST", "/users/me/subscriptions", {
          subscriptions: Array.from({ length: 20 }, (_, index) => ({
            name: `made ${number} ${index}`,
            description: "d".repeat(1000),
          })),
          principals: all.accounts.slice(0, 200).map(({ id }) => id),
        }),
      ),
      1,
      4,
    ),
  "searches for frequent words": (all) =>
    requests(
      asked(attackerOf(all), "GET", "/messages", {
        anchor: "newest",
        num_before: 5000,
        num_after: 0,
        narrow: [{ operator: "search", operand: "long text without anything" }],
      }),
      20,
      10,
    ),
};
