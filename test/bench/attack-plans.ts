import { passwordHashing } from "../../server/host/credentials/passwords.ts";
import type { Attack } from "./attacker.ts";
import type { FullOrganization } from "./full-organization.ts";
import {
  type Asked,
  asked,
  askedWithFile,
  blackPicture,
  DEEP_WITH_ALPHA,
  reportedMarks,
  reportedNames,
  reportedPush,
} from "./http-requests.ts";
import { type Account, addChannel, makeOrganization, personId } from "./organization.ts";

/** A second local address. On Linux all of 127.0.0.0/8 is this machine. */
export const STRANGER = "127.0.0.2";

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
const pictureOf = (all: FullOrganization, bytes: Uint8Array): Asked =>
  askedWithFile(attackerOf(all), "/users/me/avatar", { name: "a.png", bytes });
const toGeneral = (content: string, topic = "attack") => ({ type: "channel", to: "general", topic, content });
const MACROS = `$$\\def\\x{${"a^b_c".repeat(200)}}${"\\x".repeat(190)}$$`;
const TABLE = `|${"a|".repeat(1600)}\n|${"-|".repeat(1600)}\n${"a\n".repeat(1700)}`;
const [PRIMES, SUMS] = ["a'".repeat(1200), "a+".repeat(1200)].map((formula) => `$$${formula}$$`) as [string, string];

/** Attacks by a member or a stranger, by name. */
export const ATTACKS: Readonly<Record<string, Plan>> = {
  "texts of 10,000 emoji": (all) =>
    requests(asked(attackerOf(all), "POST", "/messages", toGeneral("😀".repeat(10_000))), 100, 10),
  "texts with much HTML": (all) =>
    requests(asked(attackerOf(all), "POST", "/messages", toGeneral("👍 **a** ".repeat(560))), 100, 10),
  "formulas, tables and commands": (all) =>
    requests(
      [MACROS, TABLE, PRIMES, SUMS].map((content) => asked(attackerOf(all), "POST", "/messages/render", { content })),
      40,
      10,
    ),
  "5,000 large messages": (all) =>
    requests(asked(attackerOf(all), "GET", "/messages", { anchor: "newest", num_before: 5000, num_after: 0 }), 40, 20),
  "/register of everything": (all) => requests(asked(attackerOf(all), "POST", "/register"), 40, 20),
  "/register of everything, compressed": (all) => {
    const one = asked(attackerOf(all), "POST", "/register");
    return requests({ ...one, headers: { ...one.headers, "accept-encoding": "gzip" } }, 40, 20);
  },
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
  "20,000 repeated ids": (all) =>
    requests(
      [
        asked(attackerOf(all), "POST", "/messages/flags", {
          messages: new Array(20_000).fill(1),
          op: "add",
          flag: "starred",
        }),
        asked(attackerOf(all), "POST", "/users/me/subscriptions", {
          subscriptions: [{ name: "general" }],
          principals: new Array(20_000).fill(all.accounts[2]?.id),
        }),
      ],
      10,
      5,
    ),
  "100 drafts a request": (all) =>
    requests(
      all.accounts.slice(10, 30).map((account) =>
        asked(account, "POST", "/drafts", {
          drafts: new Array(100).fill({ type: "", to: [], topic: "", content: "x".repeat(1900) }),
        }),
      ),
      1,
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
  "200 people into 100 channels a request": (all) =>
    requests(
      [0, 1, 2, 3].map((number) =>
        asked(attackerOf(all), "POST", "/users/me/subscriptions", {
          subscriptions: Array.from({ length: 100 }, (_, index) => ({ name: `channel ${200 + 100 * number + index}` })),
          principals: all.accounts.slice(100, 300).map(({ id }) => id),
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
  "uploads of 20 MB": (all) =>
    requests(
      askedWithFile(attackerOf(all), "/user_uploads", { name: "a.txt", bytes: Buffer.alloc(20_000_000, "text ") }),
      5,
      5,
    ),
  "pictures of 64 million pixels": (all) => requests(pictureOf(all, blackPicture(8000)), 6, 6),
  "pictures of 42 million pixels of 64 bits": (all) =>
    requests(pictureOf(all, blackPicture(6500, DEEP_WITH_ALPHA)), 6, 6),
  "webhooks of 1 MB, by a stranger": () => ({
    ...requests({ ...asked({}, "POST", "/external/github?api_key=none"), body: "x".repeat(1_000_000) }, 100, 10),
    address: STRANGER,
  }),
  "webhooks of 5 MB, by a bot": ({ webhookKey }) =>
    requests([reportedPush(webhookKey, 3500), reportedNames(webhookKey)], 15, 10),
  "webhooks of many small marks": ({ webhookKey }) => requests(reportedMarks(webhookKey), 8, 10),
  "2 MB of brackets": (all) =>
    requests(
      [
        asked(attackerOf(all), "POST", "/messages", { type: "direct", to: "[".repeat(650_000), content: "x" }),
        { ...asked({}, "POST", "/messages"), headers: { "content-type": "application/json" }, body: "[".repeat(2e6) },
      ],
      10,
      10,
    ),
  "the audit as a table": ({ accounts }) => requests(asked(accounts[0] as Account, "GET", "/host/audit/csv"), 6, 3),
  // This plan is last, because later texts would be searched for these linkifiers.
  "100 linkifiers, and texts for them": (all) =>
    requests(
      [
        ...Array.from({ length: 100 }, (_, index) =>
          asked(all.accounts[0] as Account, "POST", "/realm/filters", {
            pattern: `(?P<id>([a-z]+[0-9]*)+${index}[a-z]+)-!`,
            url_template: `https://example.com/${index}/{id}`,
          }),
        ),
        ...new Array<Asked>(20).fill(asked(attackerOf(all), "POST", "/messages", toGeneral("a0a1".repeat(2400)))),
      ],
      1,
      10,
    ),
};

/**
 * An organization in which the owner and a member have passwords with the real hashing cost. The attacker signs in with
 * unknown names, wrong passwords and the member's right one; the owner signs in once.
 */
export async function organizationToSignInTo(): Promise<{ folder: string; requests: Asked[]; owner: Asked }> {
  const password = "willow willow willow";
  const hash = await passwordHashing().hash(password);
  const { folder } = await makeOrganization(3, (tx, users) => {
    addChannel(tx, "general", users);
    for (const number of [1, 2]) tx.run("UPDATE users SET password_hash = ? WHERE id = ?", hash, personId(number));
  });
  const signIn = (number: number, given: string) =>
    asked({}, "POST", "/fetch_api_key", { username: `person${number}@example.com`, password: given });
  const requests = Array.from({ length: 30 }, (_, number) => [
    signIn(1000 + number, "an unknown name"),
    signIn(1, "a wrong password"),
    signIn(2, password),
  ]).flat();
  return { folder, requests, owner: { ...signIn(1, password), contains: "api_key" } };
}
