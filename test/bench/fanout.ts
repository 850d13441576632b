import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { memory, startBare, startHearth } from "./processes.ts";
import { deleteQueues, formRequest, MESSAGES_ONLY, pollerOf, registerQueues, sampleEvent, sender } from "./requests.ts";
import type { Section } from "./section.ts";

const CHANNEL = "general";
const PER_SECOND = 50;
const RUNS = [
  { count: 50, milliseconds: 4, cpu: 0.06 },
  { count: 200, milliseconds: 8, cpu: 0.04 },
  { count: 500, milliseconds: 14, cpu: 0.033 },
];

/** Time from a send to its arrival at the last of many queues, and the cost of a delivery. */
export const fanout: Section = async ({ load, quick, tell }) => {
  const { folder, accounts } = await makeOrganization(501, (tx, users) => addChannel(tx, CHANNEL, users));
  const hearth = await startHearth(folder);
  const [from, ...people] = accounts as [Account, ...Account[]];
  const event = await sampleEvent(hearth, [from, people[0] as Account], CHANNEL);
  const common = { perSecond: PER_SECOND, seconds: quick ? 2 : 10, warmUp: quick ? 1 : 4 };

  for (const { count, milliseconds, cpu } of RUNS) {
    const receivers = people.slice(0, count);
    const bare = await startBare(event);
    const paced = {
      task: "paced" as const,
      senders: [sender(from, CHANNEL)] as [ReturnType<typeof sender>],
      ...common,
    };
    const pollers = receivers.map((account) => pollerOf(account, "q", 0));
    const without = await load.run({ ...paced, port: bare.port, pollers }, bare);
    await bare.stop();
    const queues = await registerQueues(hearth, receivers);
    const result = await load.run({ ...paced, port: hearth.port, pollers: queues }, hearth);
    await deleteQueues(hearth, queues);
    const more = { result, bare: without };
    const unit = "ms";
    tell({
      name: `to the last of ${count} queues, median`,
      value: result.times.median,
      unit,
      limits: { bare: without.times.median },
      atMost: milliseconds,
      more,
    });
    tell({
      name: `to the last of ${count} queues, 95 %`,
      value: result.times.p95,
      unit,
      limits: { bare: without.times.p95 },
    });
    const perThousand = ({ serverCpu, sent }: typeof result) => (serverCpu * 1000) / (sent * count);
    tell({
      name: `CPU of 1,000 deliveries to ${count}`,
      value: perThousand(result),
      unit: "s",
      limits: { bare: perThousand(without) },
      atMost: cpu,
    });
  }
  await hearth.stop();
};

/** Memory per queue, measured by the growth of the process. */
export const queues: Section = async ({ load, quick, tell }) => {
  const { folder, accounts } = await makeOrganization(500, (tx, users) => addChannel(tx, CHANNEL, users));
  const hearth = await startHearth(folder);
  const register = async (count: number) => {
    const requests = Array.from({ length: count }, (_, index) =>
      formRequest(accounts[index % accounts.length] as Account, "POST", "/register", MESSAGES_ONLY),
    );
    const result = await load.run({ task: "once", port: hearth.port, requests, connections: 4 });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    return result;
  };
  const count = quick ? 2000 : 10_000;
  await register(2000);
  const before = memory(hearth.pid);
  const result = await register(count);
  tell({
    name: `memory of each of ${count.toLocaleString("en")} queues`,
    value: ((memory(hearth.pid) - before) * 1024) / count,
    unit: "kB",
    more: result,
  });
  tell({ name: "POST /register of messages only, 4 at once", value: result.times.median, unit: "ms" });
  await hearth.stop();
};
