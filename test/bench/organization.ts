import { createChannel } from "../../server/api/actions/channels.ts";
import { subscribe } from "../../server/api/actions/subscriptions.ts";
import type { Channel } from "../../server/api/queries/channels.ts";
import { type User, userById } from "../../server/api/queries/users.ts";
import { apiKeys } from "../../server/host/credentials/derived-keys.ts";
import { readSecret } from "../../server/host/credentials/secret-key.ts";
import { initialize } from "../../server/host/first-run/init.ts";
import { openStore } from "../../server/storage/store.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import { PUBLIC_CHANNEL } from "../support/new-channel.ts";
import { temporaryFolder } from "./processes.ts";

export interface Account {
  readonly id: number;
  readonly authorization: string;
}

export interface Organization {
  readonly folder: string;
  readonly accounts: readonly Account[];
}

/** The ID of the nth person. The owner is first; the IDs after the owner's belong to system bots. */
export const personId = (number: number): number => (number === 1 ? 1 : 100 + number);

/** Creates an organization with this many people in a folder. The second is `person2@example.com`. */
export async function makeOrganization(
  people: number,
  fill: (tx: Transaction, users: readonly User[]) => void,
  folder = temporaryFolder(),
): Promise<Organization> {
  await initialize({
    folder,
    organization: "Bench",
    ownerEmail: emailOf(1),
    ownerName: "Person 1",
    password: "not asked for",
    testing: { passwordCost: 1024 },
  });
  const store = await openStore({ folder });
  store.transact({ actor: null, action: "bench" }, (tx) => {
    // The action would notify everyone of everyone: 25 million deliveries for 5,000 people.
    for (let number = 2; number <= people; number += 1) {
      const sql = "INSERT INTO users (id, email, email_key, full_name, role, joined_at) VALUES (?, ?, ?, ?, 400, ?)";
      tx.run(sql, personId(number), emailOf(number), emailOf(number), `Person ${number}`, tx.now);
    }
    fill(
      tx,
      Array.from({ length: people }, (_, index) => userById(tx, personId(index + 1)) as User),
    );
  });
  await store.close();
  return { folder, accounts: accountsOf(folder, people) };
}

const emailOf = (number: number) => `person${number}@example.com`;

export function accountsOf(folder: string, people: number): Account[] {
  const keys = apiKeys(readSecret(folder));
  return Array.from({ length: people }, (_, index) => {
    const id = personId(index + 1);
    const credentials = `${emailOf(index + 1)}:${keys.keyOf({ id, key_generation: 1 })}`;
    return { id, authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
  });
}

export function addChannel(tx: Transaction, name: string, subscribers: readonly User[], invite_only = false): Channel {
  const channel = createChannel(tx, subscribers[0] as User, {
    name,
    ...PUBLIC_CHANNEL,
    invite_only,
  });
  subscribe(tx, { users: subscribers, channels: [channel] });
  return channel;
}
