import { createBot } from "../../server/api/actions/bots.ts";
import { sendMessage } from "../../server/api/actions/messages.ts";
import { renderDescription } from "../../server/api/actions/rendering.ts";
import { scheduleMessage } from "../../server/api/actions/scheduled-messages.ts";
import { subscribe } from "../../server/api/actions/subscriptions.ts";
import { createUserGroup } from "../../server/api/actions/user-groups.ts";
import { type Channel, channelById } from "../../server/api/queries/channels.ts";
import { BOT_TYPE, type User, userById } from "../../server/api/queries/users.ts";
import { apiKeys } from "../../server/host/credentials/derived-keys.ts";
import { readSecret } from "../../server/host/credentials/secret-key.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import { openStore } from "../../server/storage/store.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import { type Account, addChannel, makeOrganization, personId } from "./organization.ts";

export interface FullOrganization {
  folder: string;
  /** The owner, then the member who filled it, then others. */
  accounts: readonly Account[];
  /** A channel of everyone that holds all messages. */
  general: { id: number; name: string };
  edited: number;
  longText: string;
  /** The API key of another member's incoming webhook. */
  webhookKey: string;
}

export interface Fullness {
  people: number;
  channels: number;
  messages: number;
  topics: number;
}
export const FULL: Fullness = { people: 600, channels: 4990, messages: 700, topics: 2000 };
export const NEARLY_EMPTY: Fullness = { people: 400, channels: 400, messages: 200, topics: 500 };

/** Close to the total length limit of all channel descriptions. */
const DESCRIPTION = "A channel whose description is as long as they all may be, together with others. "
  .repeat(5)
  .slice(0, 370);
const LONG = `${"A long text without anything to look for. ".repeat(230)}`.slice(0, 9900);
const HTML_RICH = "👍 **a** ".repeat(560);

/** Copies the channel in one statement. The action would announce each copy to everyone. */
function copyChannel(tx: Transaction, id: number, count: number): void {
  const numbers = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)";
  tx.run(`INSERT INTO recipients (conversation_key) ${numbers} SELECT NULL FROM numbers ORDER BY n`, count);
  const newest = tx.value<number>("SELECT max(id) FROM recipients") as number;
  const columns = tx
    .all<{ name: string }>("SELECT name FROM pragma_table_info('channels') WHERE name <> 'id'")
    .map(({ name }) => name);
  const changed: Record<string, string> = {
    name: "'channel ' || n",
    name_key: "'channel ' || n",
    recipient_id: "? - n + 1",
  };
  tx.run(
    `INSERT INTO channels (${columns.join()}) ${numbers}
     SELECT ${columns.map((name) => changed[name] ?? name).join()} FROM numbers, channels WHERE channels.id = ? ORDER BY n`,
    count,
    newest,
    id,
  );
}

/** Creates an organization that is as full as members can make it (docs/protocol.md#limits). */
export async function fullOrganization({ people, channels, messages, topics }: Fullness): Promise<FullOrganization> {
  const { folder, accounts } = await makeOrganization(people, (tx, users) => addChannel(tx, "general", users));
  const store = await openStore({ folder });
  /** Runs transactions of `size` steps, because each may take at most a quarter of a log segment. */
  const each = async (count: number, size: number, step: (tx: Transaction, index: number) => void) => {
    for (let from = 0; from < count; from += size) {
      for (let room = store.untilRoom(); room; room = store.untilRoom()) await room;
      store.transact({ actor: null, action: "bench" }, (tx) => {
        for (let index = from; index < Math.min(count, from + size); index += 1) step(tx, index);
      });
      await store.durable();
    }
  };
  const { reader } = store;
  const general = channelById(
    reader,
    reader.value<number>("SELECT id FROM channels WHERE name = 'general'") as number,
  ) as Channel;
  const [owner, member] = [userById(reader, personId(1)), userById(reader, personId(2))] as [User, User];
  const users = Array.from({ length: people }, (_, index) => userById(reader, personId(index + 1)) as User);
  await each(1, 1, (tx) => {
    const channel = addChannel(tx, "channel", [owner]);
    tx.run(
      "UPDATE channels SET description = ?, rendered_description = ? WHERE id = ?",
      DESCRIPTION,
      renderDescription(tx, DESCRIPTION),
      channel.id,
    );
    copyChannel(tx, channel.id, channels - 2);
  });
  const all = reader.all<{ id: number }>("SELECT id FROM channels ORDER BY id LIMIT 500").map(({ id }) => id);
  await each(all.length, 50, (tx, index) => {
    subscribe(tx, { users: [member], channels: [channelById(tx, all[index] as number) as Channel] });
  });
  await each(100, 10, (tx, index) => {
    const members = users.slice(index, index + 500).map(({ id }) => id);
    createUserGroup(tx, owner, { name: `group ${index}`, description: "", members, subgroups: [], settings: {} });
  });
  await each(99, 20, (tx) => {
    tx.run(
      "INSERT INTO saved_snippets (user_id, title, content, created_at) VALUES (?, 'Snippet', ?, ?)",
      member.id,
      LONG,
      tx.now,
    );
    tx.run(
      "INSERT INTO drafts (user_id, type, recipients, topic, content, edited_at) VALUES (?, '', '[]', '', ?, ?)",
      member.id,
      LONG,
      tx.now,
    );
  });
  await each(20_000, 2000, (tx) => {
    tx.run(
      `INSERT INTO audit (at, actor_id, origin, action, target, before, after) VALUES (?, ?, 'api', 'change channel', ?, ?, ?)`,
      tx.now,
      owner.id,
      `channel ${general.id}`,
      JSON.stringify({ description: "" }),
      JSON.stringify({ description: DESCRIPTION }),
    );
  });
  const rich = renderMarkdown(HTML_RICH);
  const message = (content: string, rendered = renderMarkdown(content)) => ({
    content,
    rendered,
    client: "bench",
    readBySender: true,
  });
  await each(55, 10, (tx, index) => {
    const to = { channel: general, topic: "later" };
    const deliverAt = tx.now + 86_400_000 * (index + 1);
    scheduleMessage(tx, member, {
      message: { to, ...message(HTML_RICH, rich) },
      baseUrl: "http://127.0.0.1",
      deliverAt,
    });
  });
  const short = renderMarkdown("x");
  await each(topics, 200, (tx, index) => {
    sendMessage(tx, member, {
      to: { channel: general, topic: `topic ${index} of a channel with many of them` },
      ...message("x", short),
    });
  });
  await each(5000, 500, (tx, index) => {
    const sql =
      "INSERT INTO user_topics (user_id, channel_id, name_key, topic, policy, updated_at) VALUES (?, ?, ?, ?, 1, ?)";
    tx.run(sql, member.id, general.id, `muted ${index}`, `muted ${index}`, tx.now);
  });
  let edited = 0;
  const long = renderMarkdown(LONG);
  await each(messages, 20, (tx, index) => {
    const to = { channel: general, topic: "texts" };
    const text = index % 4 === 0 ? message(HTML_RICH, rich) : message(LONG, long);
    edited = sendMessage(tx, member, { to, ...text }).id;
  });
  await each(400, 20, (tx, index) => {
    tx.run(
      `INSERT INTO message_edits (message_id, user_id, edited_at, prev_content, prev_rendered_content) VALUES (?, ?, ?, ?, ?)`,
      edited,
      member.id,
      tx.now,
      `${index} ${LONG}`,
      `<p>${index} ${LONG}</p>`,
    );
  });
  let webhookKey = "";
  await each(1, 1, (tx) => {
    const { user } = createBot(tx, users[3] as User, {
      full_name: "Reports",
      short_name: "reports",
      type: BOT_TYPE.incomingWebhook,
      defaults: { sendingChannelId: null, eventsChannelId: null, allPublicChannels: false },
      integration: "github",
      config: null,
      service: null,
    });
    webhookKey = apiKeys(readSecret(folder)).keyOf(user);
  });
  await store.close();
  return { folder, accounts, general, edited, longText: LONG, webhookKey };
}
