import { fork } from "node:child_process";
import { type Asked, asked } from "./asking.ts";
import type { Attack, AttackReport, Probed } from "./attacker.ts";
import { FULL, type FullOrganization, fullOrganization, NEARLY_EMPTY } from "./full-organization.ts";
import type { Account } from "./organization.ts";
import { removeFolder, startHearth } from "./processes.ts";
import type { Section } from "./section.ts";

/** How long others may wait while somebody attacks, on a quiet machine. */
const MAX_WAIT_MS = 100;
const PROBE_EVERY_MS = 20;
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

const ATTACKS: Record<string, Plan> = {
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

/** Runs tasks in a process of its own. */
function startAttacker() {
  const child = fork(new URL("./attacker.ts", import.meta.url));
  const end = () => child.kill();
  process.once("exit", end);
  return {
    run: (attack: Attack): Promise<AttackReport> =>
      new Promise((resolve, reject) => {
        const exited = () => reject(new Error("The attacker ended."));
        child.once("exit", exited);
        child.once("message", (report) => {
          child.off("exit", exited);
          resolve(report as AttackReport);
        });
        child.send(attack);
      }),
    stop: () => child.send("stop"),
    close: () => {
      process.off("exit", end);
      child.kill();
    },
  };
}

/** What other members do meanwhile: each in turn, so that none reaches a rate limit. */
const probes = ({ accounts }: FullOrganization): Asked[] =>
  accounts.slice(100, 300).map((account, index) => ({
    ...(index % 4 === 3
      ? asked(account, "POST", "/messages", { type: "direct", to: [account.id], content: `note ${index}` })
      : asked(account, "GET", "/users/me")),
    contains: index % 4 === 3 ? '"id":' : `"user_id":${account.id},`,
  }));

/** What everybody else waits for while one member, or a stranger, attacks: against the same without an attack. */
export const attacks: Section = async ({ quick, tell }) => {
  const organization = await fullOrganization(quick ? NEARLY_EMPTY : FULL);
  const hearth = await startHearth(organization.folder);
  const [attacker, others] = [startAttacker(), startAttacker()];
  const { port } = hearth;
  const whileProbing = async (work: () => Promise<unknown>): Promise<Probed> => {
    const probing = others.run({ task: "probe", port, requests: probes(organization), everyMs: PROBE_EVERY_MS });
    await pause(500);
    await work();
    await pause(500);
    others.stop();
    return (await probing).probed as Probed;
  };
  try {
    await whileProbing(() => pause(1000)); // a warm-up
    const quiet = await whileProbing(() => pause(quick ? 3000 : 10_000));
    report(tell, "nobody attacks", quiet);
    for (const [name, plan] of Object.entries(ATTACKS)) {
      let answers: AttackReport["answers"] = {};
      const probed = await whileProbing(async () => {
        const attack = { ...plan(organization), port } as Attack;
        ({ answers } = await attacker.run(attack));
        if (name.includes("due in")) await pause(6000);
      });
      report(tell, name, probed, { quiet, answers });
    }
  } finally {
    attacker.close();
    others.close();
    await hearth.stop();
    removeFolder(organization.folder);
  }
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const at = (times: number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;

function report(
  tell: Parameters<Section>[0]["tell"],
  name: string,
  { times, wrong }: Probed,
  attack?: { quiet: Probed; answers: AttackReport["answers"] },
): void {
  const [longest, p99] = [at(times, 1), at(times, 0.99)];
  const limits = attack && { quiet: at(attack.quiet.times, 1) };
  const more = { p99, probes: times.length, wrong, answers: attack?.answers };
  tell({
    name: `${name}: longest wait of others`,
    value: longest,
    unit: "ms",
    ...(limits && { limits }),
    atMost: MAX_WAIT_MS,
    more,
  });
  const p99s = attack && { quiet: at(attack.quiet.times, 0.99) };
  tell({ name: `${name}: p99`, value: p99, unit: "ms", ...(p99s && { limits: p99s }), atMost: MAX_WAIT_MS });
  tell({
    name: `${name}: wrong answers for others`,
    value: wrong.length,
    unit: `of ${times.length}`,
    atMost: 0,
    more: { wrong },
  });
}
