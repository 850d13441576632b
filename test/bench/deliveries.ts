import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createBot } from "../../server/actions/bots.ts";
import { changeOperatorSettings } from "../../server/actions/operator-settings.ts";
import { BOT_TYPE, INTERFACE } from "../../server/queries/bots.ts";
import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { type Child, cpuSeconds, startHearth } from "./processes.ts";
import { formRequest, sender } from "./requests.ts";
import type { Section } from "./section.ts";

const CHANNEL = "general";
const BOTS = 50;
const ANSWER_MS = 20;
const SENDERS = 8;

/** Deliveries per second to a receiver that comes back to a long queue, and what senders notice of it. */
export const deliveries: Section = async ({ load, quick, tell }) => {
  const count = quick ? 2000 : 10_000;
  const receiver = await startReceiver(count);
  const botIds: number[] = [];
  const { folder, accounts } = await makeOrganization(SENDERS + 1, (tx, users) => {
    addChannel(tx, CHANNEL, users);
    changeOperatorSettings(tx, null, { WEBHOOK_ALLOWED_HOSTS: ["127.0.0.1"] });
    for (let number = 1; number <= BOTS; number += 1) {
      const bot = createBot(tx, users[0]!, {
        full_name: `Bot ${number}`,
        short_name: `bot${number}`,
        type: BOT_TYPE.outgoingWebhook,
        defaults: { sendingChannelId: null, eventsChannelId: null, allPublicChannels: false },
        integration: null,
        config: null,
        service: {
          name: `bot${number}`,
          base_url: receiver.url,
          interface: INTERFACE.generic,
          token: "token",
          secret: `whsec_${Buffer.alloc(32).toString("base64")}`,
        },
      });
      botIds.push(bot.user.id);
    }
  });
  const [owner, ...people] = accounts as [Account, ...Account[]];
  const hearth = await startHearth(folder);
  const pause = async (isPaused: boolean) => {
    for (const id of botIds) await pauseBot(hearth, owner, id, isPaused);
  };
  await pause(true);
  const requests = Array.from({ length: count }, (_, number) =>
    formRequest(owner, "POST", "/messages", { type: "direct", to: `[${botIds[number % BOTS]}]`, content: `${number}` }),
  );
  await load.run({ task: "once", port: hearth.port, requests, connections: SENDERS }); // warms up, too

  const senders = people.map((account) => sender(account, CHANNEL));
  const measure = (seconds: number, warmUp: number) =>
    load.run({ task: "sends", port: hearth.port, senders, pollers: [], seconds, warmUp }, hearth);
  const before = await measure(quick ? 2 : 8, 0);
  // Nobody sends: what the pump does by itself.
  const half = Math.floor(count / 2);
  const cpu = cpuSeconds(hearth.pid);
  await pause(false);
  await receiver.has(half);
  const alone = { rate: receiver.rate(0, half), cpu: (cpuSeconds(hearth.pid) - cpu) / half };
  const meanwhile = measure(600, 0);
  await receiver.has(count);
  load.stop();
  const during = await meanwhile;
  const rate = receiver.rate(half, count);
  const after = await measure(quick ? 2 : 8, 0);
  // A machine that does other things too is not as fast at one moment as at the next.
  const quiet = (before.sent + after.sent) / (before.seconds + after.seconds);
  await hearth.stop();
  receiver.close();

  tell({ name: `deliveries of ${BOTS} bots, nobody sending`, value: alone.rate, unit: "/s", atLeast: 300 });
  const cpuOfSends = ((before.serverCpu + after.serverCpu) * 1000) / (before.sent + after.sent);
  tell({ name: "CPU of 1,000 deliveries", value: alone.cpu * 1000, unit: "s", limits: { "of sends": cpuOfSends } });
  tell({ name: `deliveries of ${BOTS} bots, ${SENDERS} sending`, value: rate, unit: "/s", atLeast: 300 });
  tell({
    name: `sends of ${SENDERS} meanwhile`,
    value: during.sent / during.seconds,
    unit: "/s",
    limits: { "before and after": quiet },
    atLeast: 0.9 * quiet,
    more: { before, during, after },
  });
  tell({
    name: `sends of ${SENDERS} meanwhile, 95 %`,
    value: during.times.p95,
    unit: "ms",
    limits: { before: before.times.p95, after: after.times.p95 },
  });
  tell({ name: "deliveries lost", value: count - receiver.distinct(), unit: "", atMost: 0 });
  tell({ name: "deliveries out of order", value: receiver.outOfOrder(), unit: "", atMost: 0 });
};

async function pauseBot(server: Child, { authorization }: Account, id: number, isPaused: boolean): Promise<void> {
  const body = new URLSearchParams({ is_paused: String(isPaused) });
  const response = await fetch(`${server.url}/host/bots/${id}`, { method: "PATCH", headers: { authorization }, body });
  if (!response.ok) throw new Error(await response.text());
}

/** Answers after a while, and remembers what came when. */
async function startReceiver(expected: number) {
  const times: number[] = [];
  const newest = new Map<string, number>();
  const numbers = new Set<number>();
  let disordered = 0;
  let waiting: { count: number; resolve: () => void } | undefined;
  const receive = (body: string) => {
    const { bot_email, data } = JSON.parse(body) as { bot_email: string; data: string };
    const number = Number(data);
    if (number < (newest.get(bot_email) ?? -1)) disordered += 1;
    newest.set(bot_email, number);
    numbers.add(number);
    times.push(performance.now());
    if (waiting && numbers.size >= waiting.count) waiting.resolve();
  };
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      receive(Buffer.concat(chunks).toString());
      setTimeout(() => response.end('{"response_not_required":true}'), ANSWER_MS);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Resolves when so many different deliveries have come. */
    has: (count: number) =>
      new Promise<void>((resolve) => {
        waiting = { count, resolve };
        if (numbers.size >= count) resolve();
      }),
    /** Per second, between two deliveries by their number in the order of arrival. */
    rate: (from: number, to: number) => (to - from) / (((times[to - 1] ?? 0) - (times[from] ?? 0)) / 1000),
    distinct: () => Math.min(numbers.size, expected),
    outOfOrder: () => disordered,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
