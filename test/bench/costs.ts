import type { Poller, Sender } from "./load.ts";
import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { startBare, startHearth } from "./processes.ts";
import { call, deleteQueues, getRequest, pollerOf, registerQueues, sampleEvent, sender } from "./requests.ts";
import type { Section } from "./section.ts";
import { median } from "./start.ts";

const CHANNEL = "general";
const RECEIVERS = 200;
const SENDERS = 8;

/**
 * CPU time of a send, of a delivery and of a small read, each as a multiple of the same exchange with a bare Fastify
 * server. Rates hide such costs, since the disk and the load generator limit them as well.
 */
export const costs: Section = async ({ load, quick, tell }) => {
  const { folder, accounts } = await makeOrganization(RECEIVERS + 1, (tx, users) => addChannel(tx, CHANNEL, users));
  const [from, ...people] = accounts as [Account, ...Account[]];
  const hearth = await startHearth(folder);
  const bare = await startBare(await sampleEvent(hearth, [from, people[0] as Account], CHANNEL));
  const servers = { hearth, bare };
  type Name = keyof typeof servers;
  const [seconds, warmUp] = [quick ? 0.5 : 1.5, 0.3];

  /** CPU microseconds per request. */
  const costOf = async (name: Name, request: (account: Account) => string): Promise<number> => {
    const server = servers[name];
    const senders = people.slice(0, SENDERS).map((account) => ({ request: request(account), timed: false }));
    const task = { task: "sends" as const, port: server.port, senders, pollers: [], seconds, warmUp };
    const { serverCpu, sent } = await load.run(task, server);
    return (serverCpu * 1e6) / sent;
  };
  /** CPU microseconds per delivery. */
  const costOfDelivery = async (name: Name, pollers: Poller[]): Promise<number> => {
    const server = servers[name];
    const senders: [Sender] = [sender(from, CHANNEL)];
    const task = { task: "paced" as const, port: server.port, senders, pollers, perSecond: 50, seconds, warmUp };
    const { serverCpu, sent } = await load.run(task, server);
    return (serverCpu * 1e6) / (sent * pollers.length);
  };

  const cases: { name: string; atMost: number; measure(name: Name): Promise<number> }[] = [
    {
      name: "CPU of a quiet send",
      atMost: 9,
      measure: (name) => costOf(name, (account) => sender(account, CHANNEL).request),
    },
    {
      name: `CPU of a delivery to ${RECEIVERS}`,
      atMost: 2,
      async measure(name) {
        if (name === "bare") {
          const { id } = await call(bare, from, "POST", "/messages", { content: "tells the newest id" });
          const pollers = people.map((account) => pollerOf(account, "q", id));
          return costOfDelivery(name, pollers);
        }
        const queues = await registerQueues(hearth, people);
        const cost = await costOfDelivery(name, queues);
        await deleteQueues(hearth, queues);
        return cost;
      },
    },
    {
      name: "CPU of GET /users/me",
      atMost: 5,
      measure: (name) => costOf(name, (account) => getRequest(account, "/users/me", {})),
    },
  ];
  for (const { name, atMost, measure } of cases) {
    const costs: Record<Name, number[]> = { hearth: [], bare: [] };
    // The servers alternate, so that machine noise affects both.
    for (let round = 0; round < (quick ? 4 : 10); round += 1) {
      for (const server of ["hearth", "bare"] as const) costs[server].push(await measure(server));
    }
    const [own, limit] = [median(costs.hearth), median(costs.bare)];
    tell({ name, value: own, unit: "µs", limits: { bare: limit } });
    tell({ name: `${name}, against bare`, value: own / limit, unit: "times", atMost, more: costs });
  }
  await hearth.stop();
  await bare.stop();
};
