import { dataSet } from "./data-set.ts";
import type { Result } from "./load.ts";
import { type Account, accountsOf } from "./organization.ts";
import { type Child, removeFolder, startHearth } from "./processes.ts";
import { sender } from "./requests.ts";
import type { Section } from "./section.ts";

const CHANNEL = "channel 1";
const SENDERS = 4;
/** Allowed increase of the longest wait by a backup or an export. */
const MAX_MORE_MS = 50;

/** The longest send during a backup and an export of a long history, compared with neither. */
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
  // Warms up first, because the first minute loads and compiles code.
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
  const exportStarted = performance.now();
  const beside = await send(exported(hearth, owner));
  tell({
    name: `longest send of ${SENDERS} while ${messages} messages are exported`,
    value: beside.times.longest,
    unit: "ms",
    limits: { without: without.times.longest },
    atMost: without.times.longest + MAX_MORE_MS,
    more: { times: { without: without.times, beside: beside.times } },
  });
  tell({
    name: "sends beside the export",
    value: beside.sent / beside.seconds,
    unit: "a second",
    limits: { without: without.sent / without.seconds },
  });
  tell({ name: "the export beside sends", value: (performance.now() - exportStarted) / 1000, unit: "s" });
  await hearth.stop();
  removeFolder(folder);
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function call(hearth: Child, { authorization }: Account, route: string): Promise<Record<string, any>> {
  const [method = "", path = ""] = route.split(" ");
  const response = await fetch(hearth.url + path, { method, headers: { authorization } });
  const answer = (await response.json()) as Record<string, any>;
  if (answer["result"] !== "success") throw new Error(`${route}: ${answer["msg"]}`);
  return answer;
}

async function made(hearth: Child, owner: Account): Promise<void> {
  await pause(500); // the sends have begun
  await call(hearth, owner, "POST /host/backups");
  for (;;) {
    const { work, failure } = await call(hearth, owner, "GET /host/backups");
    if (failure) throw new Error(failure.problem.msg);
    if (!work) return;
    await pause(250);
  }
}

async function exported(hearth: Child, owner: Account): Promise<void> {
  await pause(500);
  await call(hearth, owner, "POST /api/v1/export/realm");
  for (;;) {
    const { work, exports } = await call(hearth, owner, "GET /host/exports");
    if (!work && exports[0].state !== "there") throw new Error(exports[0].failure);
    if (!work) return;
    await pause(250);
  }
}
