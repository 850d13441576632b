import { apiKeys, readSecret } from "../../server/access/api-keys.ts";
import { type User, userById } from "../../server/access/users.ts";
import { createChannel } from "../../server/actions/channels.ts";
import { subscribe } from "../../server/actions/subscriptions.ts";
import { initialize } from "../../server/init.ts";
import type { Channel } from "../../server/queries/channels.ts";
import { openStore } from "../../server/storage/store.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import { temporaryFolder } from "./processes.ts";

export interface Account {
  readonly id: number;
  readonly authorization: string;
}

export interface Organization {
  readonly folder: string;
  /** The owner first. */
  readonly accounts: readonly Account[];
}

/** An organization of so many people (`person2@example.com`: the number is the id) in a folder. */
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
    passwordCost: 1024,
  });
  const store = await openStore({ folder });
  store.transact({ actor: null, action: "bench" }, (tx) => {
    // Not by the action: it tells everybody of everybody, which for 5,000 people is 25 million deliveries.
    for (let id = 2; id <= people; id += 1) {
      const sql = "INSERT INTO users (email, email_key, full_name, role, joined_at) VALUES (?, ?, ?, 400, ?)";
      tx.run(sql, emailOf(id), emailOf(id), `Person ${id}`, tx.now);
    }
    fill(
      tx,
      Array.from({ length: people }, (_, index) => userById(tx, index + 1) as User),
    );
  });
  await store.close();
  return { folder, accounts: accountsOf(folder, people) };
}

const emailOf = (id: number) => `person${id}@example.com`;

export function accountsOf(folder: string, people: number): Account[] {
  const keys = apiKeys(readSecret(folder));
  return Array.from({ length: people }, (_, index) => {
    const credentials = `${emailOf(index + 1)}:${keys.keyOf({ id: index + 1, key_generation: 1 })}`;
    return { id: index + 1, authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
  });
}

export function addChannel(tx: Transaction, name: string, subscribers: readonly User[], invite_only = false): Channel {
  const channel = createChannel(tx, subscribers[0] as User, {
    name,
    description: "",
    rendered_description: "",
    invite_only,
    is_web_public: false,
    history_public_to_subscribers: true,
    message_retention_days: null,
    topics_policy: "inherit",
    is_default: false,
    groups: {},
  });
  subscribe(tx, { users: subscribers, channels: [channel] });
  return channel;
}
