import { createHash } from "node:crypto";
import { constants, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RENDERER_VERSION, renderMarkdown } from "../../server/markdown/render.ts";
import { type Checkpoint, DATABASE, writeCheckpoint } from "../../server/storage/checkpoint.ts";
import { type Database, ENGINE_PACKAGE } from "../../server/storage/database.ts";
import { realFiles } from "../../server/storage/files.ts";
import { migrations } from "../../server/storage/migrations/index.ts";
import { openStore } from "../../server/storage/store.ts";
import { addChannel, makeOrganization } from "./organization.ts";
import { diskFolder, temporaryFolder } from "./processes.ts";

const PEOPLE = 200;
const CHANNELS = 50;
const TOPICS = 40;
const CONVERSATIONS = 300;
const CHUNK = 4096;
const YEARS_MS = 2 * 365 * 86_400_000;
/** What everybody has yet to read. */
const UNREAD = 2000;

const WORDS =
  "we the plan for next week is still open and nobody has looked at it since **friday** so please tell me if you can take one of those `tests` or whether this should wait until release notes are done :) https://example.com/issues/412 thanks again everyone see above".split(
    " ",
  );

/** Numbers from 0 to 1, the same ones each time. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface DataSet {
  folder: string;
  people: number;
  databaseBytes: number;
}

/** A copy, to be changed freely, of an organization with 200 people, 50 channels and so many messages over two years. */
export async function dataSet(messages: number): Promise<DataSet> {
  const own = readFileSync(new URL(import.meta.url));
  const made = createHash("sha256")
    .update(ENGINE_PACKAGE)
    .update(migrations.join("\n"))
    .update(own)
    .digest("hex")
    .slice(0, 12);
  const kept = diskFolder(`hearth-bench-${made}-${messages}`);
  if (!existsSync(join(kept, "complete"))) {
    removeOutdated(made);
    rmSync(kept, { recursive: true, force: true });
    console.error(`Making ${messages.toLocaleString("en")} messages in ${kept}, kept for later runs …`);
    await make(kept, messages);
    writeFileSync(join(kept, "complete"), "");
  }
  const folder = temporaryFolder();
  for (const name of readdirSync(kept))
    cpSync(join(kept, name), join(folder, name), { recursive: true, mode: constants.COPYFILE_FICLONE });
  return { folder, people: PEOPLE, databaseBytes: statSync(join(folder, DATABASE)).size };
}

/** Sets of other schemas, or made by another version of this file. */
function removeOutdated(made: string): void {
  for (const name of readdirSync(diskFolder(""))) {
    const found = /^hearth-bench-([0-9a-f]{12})-\d+$/.exec(name);
    if (found && found[1] !== made) rmSync(diskFolder(name), { recursive: true, force: true });
  }
}

async function make(folder: string, messages: number): Promise<void> {
  const random = dice(412);
  const below = (count: number) => Math.floor(random() * count);
  const subscribers: Set<number>[] = [];
  await makeOrganization(
    PEOPLE,
    (tx, users) => {
      for (let number = 0; number < CHANNELS; number += 1) {
        // Some for all, most for about half, some small and private.
        const part = number < 10 ? 1 : number < 40 ? 0.5 : 0.1;
        const chosen = users.filter(({ id }) => part === 1 || id <= 2 || random() < part);
        addChannel(tx, `channel ${number + 1}`, chosen, number >= 40);
        subscribers.push(new Set(chosen.map(({ id }) => id)));
      }
    },
    folder,
  );
  // Straight into the database in memory, past the log, which a checkpoint then makes unnecessary.
  let written: Checkpoint | undefined;
  const store = await openStore({
    folder,
    checkpoint: async ({ through }) => {
      const at = { seq: store.seq, eventId: store.lastEventId, segment: through + 1 };
      written = writeCheckpoint(realFiles, folder, database, at);
    },
  });
  const database = store.reader as Database;
  const recipients = database
    .all<{ id: number }>("SELECT recipient_id AS id FROM channels ORDER BY id")
    .map(({ id }) => id);
  const texts = Array.from({ length: 3000 }, () => {
    const length = 60 + below(240);
    let text = "";
    while (text.length < length) text += `${text ? " " : ""}${WORDS[below(WORDS.length)]}`;
    return { text, html: renderMarkdown(text).html };
  });

  database.control("BEGIN");
  for (let channel = 1; channel <= CHANNELS; channel += 1) {
    for (let topic = 1; topic <= TOPICS; topic += 1)
      database.run("INSERT INTO topics (channel_id, name_key) VALUES (?, ?)", [channel, `topic ${topic}`]);
  }
  const conversations = new Map<string, { id: number; members: number[] }>();
  while (conversations.size < CONVERSATIONS) {
    const members = Array.from({ length: random() < 0.8 ? 2 : 4 }, () => 1 + below(PEOPLE)).sort((a, b) => a - b);
    const key = members.join();
    if (new Set(members).size < members.length || conversations.has(key)) continue;
    const { rowid: id } = database.run("INSERT INTO recipients (conversation_key) VALUES (?)", [key]);
    for (const user of members)
      database.run("INSERT INTO conversation_members (user_id, recipient_id) VALUES (?, ?)", [user, id]);
    conversations.set(key, { id, members });
  }
  database.control("COMMIT");

  const direct = [...conversations.values()];
  const members = new Map(direct.map((one) => [one.id, one.members]));
  const begin = Date.now() - YEARS_MS;
  for (let first = 0; first <= messages; first += CHUNK) {
    database.control("BEGIN");
    const bits = new Map<number, Uint8Array>();
    for (let id = Math.max(first, 1); id < first + CHUNK && id <= messages; id += 1) {
      const conversation = random() < 0.05 ? direct[below(direct.length)] : undefined;
      // Few channels hold most of what is said, and so do few topics.
      const channel = conversation ? undefined : 1 + Math.floor(random() ** 2 * CHANNELS);
      const receivers = channel
        ? (subscribers[channel - 1] as Set<number>)
        : (members.get(conversation?.id ?? 0) ?? []);
      const everyone = [...receivers];
      const sender = everyone[below(everyone.length)] as number;
      const topic = 1 + Math.floor(random() ** 2 * TOPICS);
      const { text, html } = texts[below(texts.length)] as (typeof texts)[number];
      database.run(
        `INSERT INTO messages (sender_id, recipient_id, sent_channel_id, channel_id, topic_id, topic, content,
           rendered_content, renderer_version, sent_at, client) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          sender,
          channel ? (recipients[channel - 1] as number) : (conversation?.id ?? 0),
          channel ?? null,
          channel ?? null,
          channel ? (channel - 1) * TOPICS + topic : null,
          channel ? `topic ${topic}` : "",
          text,
          html,
          RENDERER_VERSION,
          begin + Math.floor((YEARS_MS * id) / messages),
          "website",
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
    database.growAhead();
  }
  database.control("BEGIN");
  database.run(
    "UPDATE channels SET first_message_id = (SELECT min(id) FROM messages WHERE messages.recipient_id = channels.recipient_id)",
    [],
  );
  database.control("COMMIT");
  await store.checkpoint();
  await store.close();
  if (!written) throw new Error("No checkpoint was made of the data set.");
}
