import type { Figure } from "./figures.ts";
import type { Load } from "./generator.ts";
import type { Poller, Result } from "./load.ts";
import { flushedAppends, logBytes } from "./log-size.ts";
import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { type Child, startBare, startHearth } from "./processes.ts";
import { deleteQueues, pollerOf, registerQueues, sampleEvent, sender } from "./requests.ts";
import type { Section } from "./section.ts";

const CHANNEL = "general";
/** A message with much to render; the usual message has just one emphasized word. */
const MARKUP =
  "@**Person 3** the `schedule` is up :tada: see https://example.com/board?week=12 and **tell** me what is missing, [all](https://example.com/all) of you.";
interface Run {
  count: number;
  receiving: boolean;
  content?: string;
  atLeast?: number;
  share?: { of: string; min: number };
}
const RUNS: Run[] = [
  { count: 1, receiving: true, atLeast: 1300, share: { of: "bare", min: 0.5 } },
  { count: 8, receiving: true, atLeast: 3000, share: { of: "bare", min: 0.35 } },
  { count: 64, receiving: true, atLeast: 3000, share: { of: "bare", min: 0.35 } },
  { count: 1, receiving: false },
  { count: 8, receiving: false },
  { count: 64, receiving: false, atLeast: 5000, share: { of: "bare", min: 0.2 } },
  { count: 64, receiving: false, content: MARKUP },
];

/** Sends per second, with senders that send again after each response, and log bytes per send. */
export const sends: Section = async ({ load, quick, tell }) => {
  const { folder, accounts } = await makeOrganization(65, (tx, users) => addChannel(tx, CHANNEL, users));
  const hearth = await startHearth(folder);
  const [seconds, warmUp] = quick ? [1, 0.5] : [8, 3];
  const event = await sampleEvent(hearth, [accounts[0], accounts[1]] as [Account, Account], CHANNEL);
  const lone = await bytesPerMessage(load, hearth, folder, accounts.slice(0, 1));
  const together = await bytesPerMessage(load, hearth, folder, accounts.slice(0, 64));
  tell({ name: "log of a lone message", value: lone, unit: "bytes" });
  tell({ name: "log of a message among 64", value: together, unit: "bytes" });

  for (const { count, receiving, content, ...targets } of RUNS) {
    const people = accounts.slice(1, count + 1);
    const measure = async (server: Child, pollers: Poller[]): Promise<Result & { serverCpu: number }> => {
      const senders = people.map((account) => sender(account, CHANNEL, content));
      return load.run({ task: "sends", port: server.port, senders, pollers, seconds, warmUp }, server);
    };
    const disk = flushedAppends(folder, Math.round(count === 1 ? lone : together), count, quick ? 0.3 : 1);
    const bare = await startBare(event);
    const without = await measure(bare, receiving ? people.map((account) => pollerOf(account, "q", 0)) : []);
    await bare.stop();
    const queues = receiving ? await registerQueues(hearth, people) : [];
    const result = await measure(hearth, queues);
    await deleteQueues(hearth, queues);
    const figure: Figure = {
      name: `sends, ${count} ${receiving ? "sending and receiving" : "sending, quiet"}${content ? ", much markup" : ""}`,
      value: result.sent / result.seconds,
      unit: "/s",
      limits: { bare: without.sent / without.seconds, disk },
      ...targets,
      more: { result, bare: without },
    };
    tell(figure);
  }
  await hearth.stop();
};

async function bytesPerMessage(load: Load, server: Child, folder: string, accounts: Account[]): Promise<number> {
  const before = logBytes(folder);
  const senders = accounts.map((account) => sender(account, CHANNEL));
  const { sent } = await load.run({ task: "sends", port: server.port, senders, pollers: [], seconds: 0.3, warmUp: 0 });
  return (logBytes(folder) - before) / sent;
}
