import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createBot } from "../../server/api/actions/bots.ts";
import { changeOperatorSettings } from "../../server/api/actions/operator-settings.ts";
import { INTERFACE } from "../../server/api/queries/bots.ts";
import { BOT_TYPE } from "../../server/api/queries/users.ts";
import { webhookSecrets } from "../../server/host/credentials/derived-keys.ts";
import { readSecret } from "../../server/host/credentials/secret-key.ts";
import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { type Child, cpuSeconds, startHearth, temporaryFolder } from "./processes.ts";
import { formRequest, sender } from "./requests.ts";
import type { Section } from "./section.ts";
import { idle, median } from "./start.ts";
import { takeTurns, tellOfSends } from "./windows.ts";

const CHANNEL = "general";
const BOTS = 50;
const ANSWER_MS = 20;
const SENDERS = 8;
export const deliveries: Section = async ({ load, quick, tell }) => {
  const count = quick ? 2500 : 10_000;
  const receiver = await startReceiver(count);
  const { folder, accounts, botIds } = await organizationWithBots(receiver.url);
  const [owner, ...people] = accounts as [Account, ...Account[]];
  const hearth = await startHearth(folder);
  const pause = async (isPaused: boolean) => {
    await Promise.all(botIds.map((id) => pauseBot(hearth, owner, id, isPaused)));
  };
  await pause(true);
  const requests = Array.from({ length: count }, (_, number) =>
    formRequest(owner, "POST", "/messages", { type: "direct", to: `[${botIds[number % BOTS]}]`, content: `${number}` }),
  );
  await load.run({ task: "once", port: hearth.port, requests, connections: SENDERS }); // also a warm-up

  await idle(quick); // indexes the messages for searches

  const senders = people.map((account) => sender(account, CHANNEL));
  // Nobody sends here, so this is the pump's own rate.
  const first = Math.floor(count / 4);
  const cpu = cpuSeconds(hearth.pid);
  await pause(false);
  await receiver.has(first);
  const alone = { rate: receiver.rate(0, first), cpu: (cpuSeconds(hearth.pid) - cpu) / first };
  await pause(true);
  const besideSends: number[] = [];
  const turns = await takeTurns(
    { load, quick },
    { hearth, senders },
    {
      async begin() {
        await pause(false);
        const [from, began] = [receiver.count(), performance.now()];
        return async () => {
          besideSends.push((receiver.count() - from) / ((performance.now() - began) / 1000));
          await pause(true);
        };
      },
    },
  );
  await pause(false);
  await receiver.has(count);
  await hearth.stop();
  receiver.close();

  tell({ name: `deliveries of ${BOTS} bots, nobody sending`, value: alone.rate, unit: "/s", atLeast: 300 });
  tell({ name: "CPU of 1,000 deliveries", value: alone.cpu * 1000, unit: "s" });
  const name = `deliveries of ${BOTS} bots, ${SENDERS} sending`;
  tell({ name, value: median(besideSends), unit: "/s", atLeast: 300 });
  tellOfSends(tell, `of ${SENDERS} beside deliveries`, turns);
  tell({ name: "deliveries lost", value: count - receiver.distinct(), unit: "", atMost: 0 });
  tell({ name: "deliveries out of order", value: receiver.outOfOrder(), unit: "", atMost: 0 });
};

async function organizationWithBots(url: string) {
  const botIds: number[] = [];
  const folder = temporaryFolder();
  const fill: Parameters<typeof makeOrganization>[1] = (tx, users) => {
    const secrets = webhookSecrets(readSecret(folder));
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
          base_url: url,
          interface: INTERFACE.generic,
          sealedFor: (id) => ({
            token: secrets.seal("token", id, "token"),
            secret: secrets.seal("signing_secret", id, `whsec_${Buffer.alloc(32).toString("base64")}`),
          }),
        },
      });
      botIds.push(bot.user.id);
    }
  };
  const organization = await makeOrganization(SENDERS + 1, fill, folder);
  return { ...organization, botIds };
}

async function pauseBot(server: Child, { authorization }: Account, id: number, isPaused: boolean): Promise<void> {
  const body = new URLSearchParams({ is_paused: String(isPaused) });
  const response = await fetch(`${server.url}/host/bots/${id}`, { method: "PATCH", headers: { authorization }, body });
  if (!response.ok) throw new Error(await response.text());
}

/** Responds after a while and records the arrival times. */
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
    has: (count: number) =>
      new Promise<void>((resolve) => {
        waiting = { count, resolve };
        if (numbers.size >= count) resolve();
      }),
    /** Deliveries per second between two of them, by their order of arrival. */
    rate: (from: number, to: number) => (to - from) / (((times[to - 1] ?? 0) - (times[from] ?? 0)) / 1000),
    count: () => numbers.size,
    distinct: () => Math.min(numbers.size, expected),
    outOfOrder: () => disordered,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
