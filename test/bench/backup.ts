import { dataSet } from "./data-set.ts";
import type { Result } from "./load.ts";
import { type Account, accountsOf } from "./organization.ts";
import { type Child, removeFolder, startHearth } from "./processes.ts";
import { sender } from "./requests.ts";
import type { Section } from "./section.ts";

const CHANNEL = "channel 1";
const SENDERS = 4;
/** What a backup may add to the longest wait. */
const MAX_MORE_MS = 50;

/** The longest send while a backup of a long history is made, beside that without one. */
export const backup: Section = async ({ load, messages, quick, tell }) => {
  const { folder, people, databaseBytes } = await dataSet(messages);
  const accounts = accountsOf(folder, people);
  const hearth = await startHearth(folder);
  const senders = accounts.slice(2, 2 + SENDERS).map((account) => sender(account, CHANNEL));
  const send = async (until: Promise<unknown>): Promise<Result> => {
    const running = load.run({ task: "sends", port: hearth.port, senders, pollers: [], seconds: 600, warmUp: 0.3 });
    await until;
    load.stop();
    return running;
  };
  const owner = accounts[0] as Account;
  // What the first minute loads and compiles is no part of either.
  await send(pause(quick ? 1000 : 5000));
  const without = await send(pause(quick ? 3000 : 15_000));
  const started = performance.now();
  const during = await send(made(hearth, owner));
  const seconds = (performance.now() - started) / 1000;
  const times = { without: without.times, during: during.times };
  tell({
    name: `longest send of ${SENDERS} while ${Math.round(databaseBytes / 2 ** 20)} MB are backed up`,
    value: during.times.longest,
    unit: "ms",
    limits: { without: without.times.longest },
    atMost: without.times.longest + MAX_MORE_MS,
    more: { times },
  });
  tell({
    name: "sends beside it",
    value: during.sent / during.seconds,
    unit: "a second",
    limits: { without: without.sent / without.seconds },
  });
  tell({ name: "the backup, checked, beside sends", value: seconds, unit: "s" });
  await hearth.stop();
  removeFolder(folder);
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes a backup. Throws if it fails. */
async function made(hearth: Child, { authorization }: Account): Promise<void> {
  await pause(500); // the sends have begun
  const call = async (method: string): Promise<Record<string, any>> => {
    const response = await fetch(`${hearth.url}/host/backups`, { method, headers: { authorization } });
    const answer = (await response.json()) as Record<string, any>;
    if (answer["result"] !== "success") throw new Error(`${method} /host/backups: ${answer["msg"]}`);
    return answer;
  };
  await call("POST");
  for (;;) {
    const { work, failure } = await call("GET");
    if (failure) throw new Error(failure.reason);
    if (!work) return;
    await pause(250);
  }
}
