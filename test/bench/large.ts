import { closeSync, fsyncSync, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DATABASE } from "../../server/storage/checkpoint.ts";
import { SUMS } from "../../server/storage/pages.ts";
import { dataSet } from "./data-set.ts";
import type { Result, Sender } from "./load.ts";
import { type Account, accountsOf } from "./organization.ts";
import { type Child, memory, removeFolder, startBare, startHearth } from "./processes.ts";
import { call, type Fields, formRequest, getRequest, sender } from "./requests.ts";
import type { Section } from "./section.ts";
import { idle, median } from "./start.ts";
import { word } from "./texts.ts";

const NEVER = 2 ** 40;
/** Bytes of log, above the volume that is sent during the warm-up. */
const CHECKPOINT_AFTER = 8 << 20;
/** Seconds. A new process compiles first, and sends wait for that in any case. */
const WARM_UP = 1.5;
const CHANNEL = "channel 1";
const MAX_SEND_MS = 50;

export const large: Section = async (bench) => {
  const { messages, tell } = bench;
  const { folder, people, databaseBytes } = await dataSet(messages);
  flush(join(folder, DATABASE)); // otherwise the copy is flushed while sends wait for their flushes
  const setup = { ...bench, folder, accounts: accountsOf(folder, people), starts: [] as number[] };
  const of = `${messages.toLocaleString("en")} messages`;
  tell({ name: `database of ${of}`, value: databaseBytes / 2 ** 20, unit: "MB" });
  await reads(setup); // runs first, because the messages of the other measurements would change the search results
  await firstSends(setup);
  await checkpoint(setup);
  const bare = await startBare("");
  await bare.stop();
  const limits = { bare: bare.startedIn };
  tell({ name: `start with ${of}`, value: median(setup.starts), unit: "ms", limits, atMost: 600 });
  await killed(setup);
  removeFolder(folder);
};

function flush(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

type Setup = Parameters<Section>[0] & { folder: string; accounts: Account[]; starts: number[] };

async function begin({ folder, starts }: Setup, checkpointAfter?: number) {
  const hearth = await startHearth(folder, checkpointAfter);
  if (checkpointAfter === undefined) starts.push(hearth.startedIn); // the others run from the sources
  return hearth;
}

async function firstSends(setup: Setup): Promise<void> {
  const { load, accounts, tell } = setup;
  const hearth = await begin(setup);
  const { request } = sender(accounts[4] as Account, CHANNEL);
  const requests = new Array<string>(1000).fill(request);
  const { times } = await load.run({ task: "once", port: hearth.port, requests, connections: 1 });
  const more = { times };
  tell({ name: "longest of the first 1,000 sends", value: times.longest, unit: "ms", atMost: MAX_SEND_MS, more });
  await hearth.stop();
}

async function reads(setup: Setup): Promise<void> {
  const { load, accounts, quick, tell } = setup;
  const hearth = await begin(setup);
  await idle(quick);
  const of = `${setup.messages.toLocaleString("en")} messages`;
  tell({ name: `memory at rest with ${of}`, value: memory(hearth.pid), unit: "MB", atMost: 250 });
  const bare = await startBare("");
  const viewer = accounts[4] as Account;
  const count = quick ? 15 : 60;
  const time = async (request: string, port = hearth.port, times = count): Promise<Result> =>
    load.run({ task: "once", port, requests: new Array<string>(times).fill(request), connections: 1 });
  const bareOf = async (bytes: number) =>
    (await time(`GET /bytes/${bytes} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, bare.port)).times.median;

  const narrows: [string, object[]][] = [
    ["everywhere", []],
    ["of a channel", [{ operator: "channel", operand: CHANNEL }]],
    [
      "of a topic",
      [
        { operator: "channel", operand: CHANNEL },
        { operator: "topic", operand: "topic 7" },
      ],
    ],
  ];
  for (const [name, narrow] of narrows) {
    const fields: Fields = { anchor: "newest", num_before: 100, num_after: 0, narrow: JSON.stringify(narrow) };
    const { messages } = await call(hearth, viewer, "GET", "/messages", fields);
    if (messages.length !== 100) throw new Error(`${messages.length} messages ${name} instead of 100`);
    const { times, bytes } = await time(getRequest(viewer, "/messages", fields));
    const limits = { bare: await bareOf(bytes) };
    tell({ name: `newest 100 ${name}`, value: times.median, unit: "ms", limits, atMost: 3, more: { times, bytes } });
  }
  for (const [name, rank] of Object.entries({ "the most common": 0, "a common": 50, "a rare": 9000 })) {
    const narrow = JSON.stringify([{ operator: "search", operand: word(rank) }]);
    const fields: Fields = { anchor: "newest", num_before: 1, num_after: 0, narrow };
    const { messages } = await call(hearth, viewer, "GET", "/messages", fields);
    if (messages.length !== 1) throw new Error(`${messages.length} messages with ${word(rank)} instead of 1`);
    const { times } = await time(getRequest(viewer, "/messages", fields));
    tell({ name: `newest message with ${name} word`, value: times.median, unit: "ms", more: { times } });
  }
  const register = formRequest(viewer, "POST", "/register", {});
  tell({ name: "first POST /register", value: (await time(register, hearth.port, 1)).times.longest, unit: "ms" });
  const { times, bytes } = await time(register);
  tell({
    name: "POST /register",
    value: times.median,
    unit: "ms",
    limits: { bare: await bareOf(bytes) },
    more: { times, bytes },
  });
  await bare.stop();
  await hearth.stop();
}

/** Measures sends after `warmUp` seconds, until `reached` is true and for half a second more. */
async function sendUntil(
  reached: () => boolean,
  { load, hearth, senders, warmUp = 0 }: { load: Setup["load"]; hearth: Child; senders: Sender[]; warmUp?: number },
): Promise<Result> {
  let ended = false;
  const running = load
    .run({ task: "sends", port: hearth.port, senders, pollers: [], seconds: 180, warmUp })
    .finally(() => (ended = true));
  running.catch(() => {}); // it is awaited below, which reports the error
  while (!reached() && !ended) await new Promise((resolve) => setTimeout(resolve, 100));
  if (!ended) await new Promise((resolve) => setTimeout(resolve, 500));
  load.stop();
  const result = await running;
  if (!reached()) throw new Error("The expected state was not reached within 180 s.");
  return result;
}

/** Eight people send during a checkpoint, then as long without one, because the disk itself is sometimes slow. */
async function checkpoint(setup: Setup): Promise<void> {
  const { load, accounts, folder, tell } = setup;
  const hearth = await begin(setup, CHECKPOINT_AFTER);
  const made = () => statSync(join(folder, SUMS)).mtimeMs;
  const before = made();
  const atFirst = memory(hearth.pid);
  let max = atFirst;
  const senders = accounts.slice(2, 10).map((account) => sender(account, CHANNEL));
  const reached = () => {
    max = Math.max(max, memory(hearth.pid));
    return made() !== before;
  };
  const start = performance.now();
  const { times, ...more } = await sendUntil(reached, { load, hearth, senders, warmUp: WARM_UP });
  const took = performance.now() - start;
  await hearth.stop();
  const another = await begin(setup, NEVER);
  const end = performance.now() + took;
  const hasEnded = () => performance.now() >= end;
  const without = await sendUntil(hasEnded, { load, hearth: another, senders, warmUp: WARM_UP });
  await another.stop();
  tell({
    name: "longest send over a checkpoint",
    value: times.longest,
    unit: "ms",
    limits: { without: without.times.longest },
    atMost: MAX_SEND_MS,
    more: { times, ...more },
  });
  tell({ name: "memory during a checkpoint", value: max, unit: "MB", limits: { before: atFirst }, atMost: 330 });
}

const LOG = 60 << 20;
const LONG = "nothing new from here ".repeat(430);

async function killed(setup: Setup): Promise<void> {
  const { load, accounts, folder, tell } = setup;
  const hearth = await begin(setup, NEVER);
  const segments = () => readdirSync(join(folder, "log")).length;
  const target = segments() + Math.floor(LOG / (16 << 20));
  const senders = accounts.slice(2, 10).map((account) => sender(account, CHANNEL, LONG, false));
  await sendUntil(() => segments() >= target, { load, hearth, senders });
  process.kill(hearth.pid, "SIGKILL");
  await hearth.stop();
  const again = await startHearth(folder);
  tell({ name: "start after a kill, with 64 MB of log", value: again.startedIn, unit: "ms", atMost: 1500 });
  await again.stop();
}
