import { fileURLToPath } from "node:url";
import { openStore, type Store } from "../../server/storage/store.ts";

// A process with only the storage, which test/storage/kill.test.ts kills. It prints "open <newest id> <newest event
// id>" first, then writes rows and prints the ID of each acknowledged one. Argument: the folder.

export const childSchema = [
  `CREATE TABLE rows (id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, previous INTEGER) STRICT;
   CREATE TABLE counts (name TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
];

export const bodyOf = (id: number) => `row ${id} ${"\u{1f525}".repeat(id % 50)}`;

function end(error: unknown): never {
  console.error(error);
  process.exit(1);
}

const say = (text: string) => new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));

async function serve(folder: string): Promise<void> {
  const store = await openStore({
    folder,
    create: true,
    testing: { migrations: childSchema, checkpointAfter: 300_000, segmentSize: 1 << 20 },
    onFailure: end,
    onCheckpointFailure: end,
  });
  await say(`open ${store.reader.value<number>("SELECT max(id) FROM rows") ?? 0} ${store.lastEventId}\n`);
  store.onPublish((events) => void say(events.map(({ id }) => `event ${id}\n`).join("")));
  await Promise.all(Array.from({ length: 8 }, (_, sender) => write(store, sender + 1)));
}

async function write(store: Store, sender: number): Promise<never> {
  for (;;) {
    if (!store.hasRoom) {
      await new Promise((resolve) => setTimeout(resolve, 1)); // shorter than it takes to create a small segment
      continue;
    }
    const id = store.transact({ actor: sender, action: "write" }, (tx) => {
      const previous = tx.value<number>("SELECT max(id) FROM rows") ?? 0;
      const id = tx.run("INSERT INTO rows (body, previous) VALUES (?, ?)", bodyOf(previous + 1), previous);
      tx.run("INSERT INTO counts (name, count) VALUES ('rows', 1) ON CONFLICT DO UPDATE SET count = count + 1");
      tx.emit({ type: "heartbeat" }, { users: [sender] });
      return id;
    });
    await store.durable();
    await say(`${id}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await serve(process.argv[2] as string);
}
