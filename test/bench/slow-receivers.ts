import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createBot } from "../../server/api/actions/bots.ts";
import { changeOperatorSettings } from "../../server/api/actions/operator-settings.ts";
import { INTERFACE } from "../../server/api/queries/bots.ts";
import { BOT_TYPE, type User } from "../../server/api/queries/users.ts";
import { type WebhookSecrets, webhookSecrets } from "../../server/host/credentials/derived-keys.ts";
import { readSecret } from "../../server/host/credentials/secret-key.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import { ask, asked } from "./http-requests.ts";
import { type Account, makeOrganization } from "./organization.ts";
import { removeFolder, startHearth, temporaryFolder } from "./processes.ts";
import type { Section } from "./section.ts";

export const SLOW_RECEIVERS = "130 bots with slow receivers";
const SLOW_BOTS = 130;
const SLOW_MS = 9000;
const ROUNDS = 40;
const EVERY_MS = 500;
/** The same limit as for requests during an attack (attacks.ts). */
const MAX_WAIT_MS = 100;

/** A member's bots keep deliveries open for 9 s. Measures how long another member's bot waits for a message. */
export async function attackBySlowReceivers({ tell }: Pick<Parameters<Section>[0], "tell">): Promise<void> {
  const [slow, quick] = [await startReceiver(SLOW_MS), await startReceiver(0)];
  const botIds: number[] = [];
  const ownFolder = temporaryFolder();
  const fill: Parameters<typeof makeOrganization>[1] = (tx, users) => {
    const secrets = webhookSecrets(readSecret(ownFolder));
    changeOperatorSettings(tx, null, { WEBHOOK_ALLOWED_HOSTS: ["127.0.0.1"] });
    for (let number = 1; number <= SLOW_BOTS; number += 1)
      botIds.push(makeBot(tx, secrets, { owner: users[1] as User, number, url: slow.url }));
    botIds.push(makeBot(tx, secrets, { owner: users[2] as User, number: 0, url: quick.url }));
  };
  const { folder, accounts } = await makeOrganization(4, fill, ownFolder);
  const [, attacker, , other] = accounts as [Account, Account, Account, Account];
  const quickBot = botIds.pop();
  const { port, stop } = await startHearth(folder);
  const write = (account: Account, to: unknown[]) =>
    ask(asked(account, "POST", "/messages", { type: "direct", to, content: "hello" }), port);
  const times: number[] = [];
  try {
    await write(other, [quickBot]);
    await quick.has(1);
    for (let round = 1; round <= ROUNDS; round += 1) {
      if (round % 10 === 1) for (const half of [botIds.slice(0, 65), botIds.slice(65)]) await write(attacker, half);
      const began = performance.now();
      await write(other, [quickBot]);
      await quick.has(round + 1);
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  } finally {
    await stop();
    for (const receiver of [slow, quick]) receiver.close();
    removeFolder(folder);
  }
  const longest = Math.max(...times);
  const more = { "to slow receivers": slow.count() };
  tell({
    name: `${SLOW_RECEIVERS}: longest way to another's bot`,
    value: longest,
    unit: "ms",
    atMost: MAX_WAIT_MS,
    more,
  });
}

function makeBot(
  tx: Transaction,
  secrets: WebhookSecrets,
  { owner, number, url }: { owner: User; number: number; url: string },
): number {
  const name = `bot${owner.id}-${number}`;
  const { user } = createBot(tx, owner, {
    full_name: name,
    short_name: name,
    type: BOT_TYPE.outgoingWebhook,
    defaults: { sendingChannelId: null, eventsChannelId: null, allPublicChannels: false },
    integration: null,
    config: null,
    service: {
      name,
      base_url: url,
      interface: INTERFACE.generic,
      sealedFor: (id) => ({
        token: secrets.seal("token", id, "token"),
        secret: secrets.seal("signing_secret", id, "whsec_c2VjcmV0"),
      }),
    },
  });
  return user.id;
}

/** Responds after a while. */
async function startReceiver(afterMs: number) {
  let count = 0;
  let check = () => {};
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      count += 1;
      check();
      setTimeout(() => response.end(), afterMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    count: () => count,
    has: (wanted: number) =>
      new Promise<void>((resolve) => {
        check = () => count >= wanted && resolve();
        check();
      }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
