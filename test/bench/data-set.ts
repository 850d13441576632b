import { createHash } from "node:crypto";
import { constants, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { saveReadChunks, storeChunk } from "../../server/api/actions/message-index.ts";
import { holdsOf, storedHtml } from "../../server/api/queries/messages.ts";
import { ReadState } from "../../server/api/queries/read-state.ts";
import { WORDS_VERSION } from "../../server/markdown/matches.ts";
import { RENDERER_VERSION, renderMarkdown } from "../../server/markdown/render.ts";
import { indexAll } from "../../server/search/indexing.ts";
import { DATABASE } from "../../server/storage/checkpoint.ts";
import { type Database, ENGINE_PACKAGE } from "../../server/storage/database.ts";
import { migrations } from "../../server/storage/migrations/index.ts";
import { maintain, openStore } from "../../server/storage/store.ts";
import { addChannel, makeOrganization, personId } from "./organization.ts";
import { diskFolder, temporaryFolder } from "./processes.ts";
import { dice, textMaker } from "./texts.ts";

const PEOPLE = 200;
const CHANNELS = 50;
const TOPICS = 40;
/** An extra channel with one message in twenty, each in the next topic. */
export const MANY_TOPICS = { id: CHANNELS + 1, name: "many topics", topics: 10_000 };
/** The number of a user who is subscribed only to a channel without recent messages. */
export const NEWCOMER = PEOPLE + 1;
const SILENT = { id: CHANNELS + 2, name: "silent", until: 1000 };
const CONVERSATIONS = 300;
const CHUNK = 4096;
const YEARS_MS = 2 * 365 * 86_400_000;
/** The newest messages, unread by everyone. */
const UNREAD = 2000;

export interface DataSet {
  folder: string;
  people: number;
  databaseBytes: number;
}

/**
 * A disposable copy of an organization with 200 people, 50 channels and this many messages over two years, all in the
 * full-text index.
 */
export async function dataSet(messages: number): Promise<DataSet> {
  const own = ["./data-set.ts", "./texts.ts", "./organization.ts"].map((file) =>
    readFileSync(new URL(file, import.meta.url), "utf8"),
  );
  const made = createHash("sha256")
    .update([ENGINE_PACKAGE, RENDERER_VERSION, WORDS_VERSION, ...migrations, ...own].join("\n"))
    .digest("hex")
    .slice(0, 12);
  const cached = diskFolder(`hearth-bench-${made}-${messages}`);
  if (!existsSync(join(cached, "complete"))) {
    removeOutdated(made);
    rmSync(cached, { recursive: true, force: true });
    console.error(`Making ${messages.toLocaleString("en")} messages in ${cached}, kept for later runs …`);
    await make(cached, messages);
    writeFileSync(join(cached, "complete"), "");
  }
  const folder = temporaryFolder();
  for (const name of readdirSync(cached))
    cpSync(join(cached, name), join(folder, name), { recursive: true, mode: constants.COPYFILE_FICLONE });
  return { folder, people: NEWCOMER, databaseBytes: statSync(join(folder, DATABASE)).size };
}

const HOUR_MS = 3_600_000;

/** Removes sets of other versions, except new ones that another process may still be creating. */
function removeOutdated(made: string): void {
  for (const name of readdirSync(diskFolder(""))) {
    const found = /^hearth-bench-([0-9a-f]{12})-\d+$/.exec(name);
    const isOld = found && statSync(diskFolder(name)).mtimeMs < Date.now() - HOUR_MS;
    if (isOld && found[1] !== made) rmSync(diskFolder(name), { recursive: true, force: true });
  }
}

async function make(folder: string, messages: number): Promise<void> {
  const random = dice(412);
  const below = (count: number) => Math.floor(random() * count);
  /** By channel ID. */
  const subscribers: Set<number>[] = [new Set()];
  await makeOrganization(
    NEWCOMER,
    (tx, everybody) => {
      const users = everybody.slice(0, PEOPLE);
      const add = (name: string, chosen: typeof users, isPrivate = false) => {
        addChannel(tx, name, chosen, isPrivate);
        subscribers.push(new Set(chosen.map(({ id }) => id)));
      };
      for (let number = 0; number < CHANNELS; number += 1) {
        // A few channels contain everyone, most contain about half of the people, and some are small and private.
        const part = number < 10 ? 1 : number < 40 ? 0.5 : 0.1;
        const chosen = users.filter((_, index) => part === 1 || index < 2 || random() < part);
        add(`channel ${number + 1}`, chosen, number >= 40);
      }
      add(MANY_TOPICS.name, users);
      add(SILENT.name, [...users.slice(0, 2), ...everybody.slice(PEOPLE)], true);
    },
    folder,
  );
  // Writes to the database and not to the log. The checkpoints make the log unnecessary.
  const store = await openStore({ folder });
  const database = store.reader as Database;
  const recipients = database
    .all<{ id: number }>("SELECT recipient_id AS id FROM channels ORDER BY id")
    .map(({ id }) => id);
  const conversations = makeConversations(database, random);
  const members = new Map(conversations.map((one) => [one.id, one.members]));
  const topics = new Map<string, number>();
  const topicId = (channel: number, topic: string): number => {
    const key = `${channel} ${topic}`;
    const sql = "INSERT INTO topics (channel_id, name_key) VALUES (?, ?)";
    const id = topics.get(key) ?? database.run(sql, [channel, topic]).rowid;
    topics.set(key, id);
    return id;
  };
  const text = textMaker(random);
  const begin = Date.now() - YEARS_MS;
  let many = 0;
  for (let first = 0; first <= messages; first += CHUNK) {
    database.control("BEGIN");
    const bits = new Map<number, Uint8Array>();
    for (let id = Math.max(first, 1); id < first + CHUNK && id <= messages; id += 1) {
      const [kind, isSilent] = [random(), id <= SILENT.until && id % 10 === 0];
      const conversation = kind < 0.05 && !isSilent ? conversations[below(CONVERSATIONS)] : undefined;
      const inMany = kind >= 0.95;
      // A few channels and topics contain most of the messages.
      const usual = inMany ? MANY_TOPICS.id : 1 + Math.floor(random() ** 2 * CHANNELS);
      const channel = isSilent ? SILENT.id : conversation ? undefined : usual;
      const topic =
        channel === MANY_TOPICS.id ? 1 + (many++ % MANY_TOPICS.topics) : 1 + Math.floor(random() ** 2 * TOPICS);
      const receivers = channel ? (subscribers[channel] as Set<number>) : (members.get(conversation?.id ?? 0) ?? []);
      const everyone = [...receivers];
      const sender = everyone[below(everyone.length)] as number;
      const content = text();
      const rendered = renderMarkdown(content);
      database.run(
        `INSERT INTO messages (sender_id, recipient_id, sent_channel_id, channel_id, topic_id, topic, content,
           rendered_content, renderer_version, sent_at, client, holds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          sender,
          channel ? (recipients[channel - 1] as number) : (conversation?.id ?? 0),
          channel ?? null,
          channel ?? null,
          channel ? topicId(channel, `topic ${topic}`) : null,
          channel ? `topic ${topic}` : "",
          content,
          storedHtml(content, rendered.html),
          RENDERER_VERSION,
          begin + Math.floor((YEARS_MS * id) / messages),
          "website",
          holdsOf(rendered),
        ],
      );
      if (id > messages - UNREAD) continue;
      for (const user of everyone) {
        if (user === sender) continue;
        const own = bits.get(user) ?? new Uint8Array(CHUNK / 8);
        bits.set(user, own);
        own[(id % CHUNK) >> 3] = (own[(id % CHUNK) >> 3] as number) | (1 << (id & 7));
      }
    }
    for (const [user, own] of bits)
      database.run("INSERT INTO read_differences (user_id, chunk, bits) VALUES (?, ?, ?)", [user, first / CHUNK, own]);
    database.control("COMMIT");
    if (store.sizes.changed > 64 << 20) await store.checkpoint();
  }
  database.control("BEGIN");
  database.run(
    "UPDATE channels SET first_message_id = (SELECT min(id) FROM messages WHERE messages.recipient_id = channels.recipient_id)",
    [],
  );
  database.control("COMMIT");
  while (!maintain(database, indexAll)) if (store.sizes.changed > 64 << 20) await store.checkpoint();
  while (maintain(database, storeChunk));
  // As if all people had visited before. A first visit reads through everything they ever received.
  for (let number = 1; number <= PEOPLE; number += 1)
    new ReadState(database, personId(number)).unread({ remember: true });
  store.transact({ actor: null, action: "bench" }, (tx) => saveReadChunks(tx, PEOPLE));
  await store.checkpoint();
  await store.close();
}

interface Conversation {
  /** The recipient ID. */
  id: number;
  members: number[];
}

function makeConversations(database: Database, random: () => number): Conversation[] {
  const conversations = new Map<string, Conversation>();
  database.control("BEGIN");
  while (conversations.size < CONVERSATIONS) {
    const members = Array.from({ length: random() < 0.8 ? 2 : 4 }, () => personId(1 + Math.floor(random() * PEOPLE)));
    const key = members.sort((a, b) => a - b).join();
    if (new Set(members).size < members.length || conversations.has(key)) continue;
    const { rowid: id } = database.run("INSERT INTO recipients (conversation_key) VALUES (?)", [key]);
    for (const user of members)
      database.run("INSERT INTO conversation_members (user_id, recipient_id) VALUES (?, ?)", [user, id]);
    conversations.set(key, { id, members });
  }
  database.control("COMMIT");
  return [...conversations.values()];
}
