import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { Retention } from "../../server/chores/retention.ts";
import { openStore, type Store } from "../../server/storage/store.ts";
import { type Chat, type Registered, startChat } from "../support/chat.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { design, general, settings } from "../support/message-edits.ts";
import { seeded } from "../support/recording-files.ts";

const DAY = 86_400_000;
const ROUNDS = IS_LONG_RUN ? 20 : 2;
const about = { actor: null, action: "test" };
const ORGANIZATION_DAYS = 10;

interface Sent {
  conversation: string;
  topic: string;
  sentAt: number;
}

const ids = (store: Store) =>
  store.reader.all<{ id: number }>("SELECT id FROM messages ORDER BY id").map(({ id }) => id);

/** Deleted messages leave no rows behind, and derived facts of channels are correct. */
function assertConsistent({ reader }: Store): void {
  for (const table of ["message_flags", "reactions", "submessages", "message_edits"]) {
    const sql = `SELECT COUNT(*) FROM ${table} WHERE message_id NOT IN (SELECT id FROM messages)`;
    assert.equal(reader.value(sql), 0, table);
  }
  const wrong = reader.all(
    `SELECT name FROM channels
     WHERE first_message_id IS NOT (SELECT MIN(id) FROM messages WHERE messages.recipient_id = channels.recipient_id)`,
  );
  assert.deepEqual(wrong, [], "first_message_id");
}

function runRound(store: Store, now: number): void {
  const retention = new Retention(store, () => now);
  do retention.work();
  while (retention.isAtWork);
}

/** Opens a copy of the folder in its state after a kill, and finishes the round there. */
async function afterKill(chat: Chat, now: number, check: (store: Store, isOver: boolean) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-killed-"));
  try {
    cpSync(chat.folder, folder, { recursive: true });
    const store = await openStore({ folder });
    try {
      check(store, false);
      runRound(store, now);
      check(store, true);
    } finally {
      await store.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("retention deletes exactly the expired messages, however often killed", async (t) => {
  // Each stopwatch reading takes 15 ms, so slices shrink.
  let watch = 0;
  const stopwatch = performance.now.bind(performance);
  t.mock.method(performance, "now", () => {
    watch += 15;
    return watch + stopwatch();
  });
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    await t.test(`seed ${seed}`, async (t) => {
      const random = seeded(seed);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
      const chat = await startChat(t, {
        watchAll: true,
        channels: [general, design],
        ...settings({ message_retention_days: ORGANIZATION_DAYS }),
      });
      const days: Record<string, number> = {
        general: 10,
        design: 10,
        brief: 3,
        kept: Number.POSITIVE_INFINITY,
        direct: 10,
      };
      for (const [name, message_retention_days] of [
        ["brief", 3],
        ["kept", "unlimited"],
      ] as const) {
        const principals = ["desdemona", "hamlet", "iago", "othello"].map((who) => chat.ids[who]);
        const request = { subscriptions: [{ name }], principals, message_retention_days };
        assert.equal((await chat.as("desdemona").post("/users/me/subscriptions", request)).result, "success");
      }
      const { store } = chat.server.app;
      const now = Date.now();
      chat.server.runChores(); // runs this hour's round
      const notices = new Set(ids(store));
      const sent = new Map<number, Sent>();
      for (let count = 0; count < 90; count += 1) {
        const conversation = pick(["general", "design", "brief", "kept", "direct"]);
        const topic = conversation === "direct" ? "" : pick(["a", "b", "c"]);
        const message =
          conversation === "direct"
            ? { type: "direct", to: [chat.ids["othello"]], content: `direct ${count}` }
            : { type: "channel", to: conversation, topic, content: `message ${count}` };
        const { id, msg } = await chat.as("hamlet").post("/messages", message);
        assert.ok(id, msg);
        const flag = pick(["starred", "read", undefined]);
        if (flag)
          await chat
            .as(pick(conversation === "design" ? ["hamlet"] : ["hamlet", "othello"]))
            .post("/messages/flags", { messages: [id], op: "add", flag });
        if (random() < 0.2) await chat.as("hamlet").post(`/messages/${id}/reactions`, { emoji_name: "tada" });
        const limit = Number.isFinite(days[conversation]) ? (days[conversation] as number) : ORGANIZATION_DAYS;
        // Ages are within minutes of the limit, or random.
        const age = random() < 0.4 ? limit + (random() - 0.5) / 300 : random() * 20;
        sent.set(id, { conversation, topic, sentAt: Math.round(now - age * DAY) });
      }
      store.transact(about, (tx) => {
        for (const [id, { sentAt }] of sent) tx.run("UPDATE messages SET sent_at = ? WHERE id = ?", sentAt, id);
        tx.run("DELETE FROM retention_marks");
      });
      const isOver = ({ conversation, sentAt }: Sent) => sentAt < now - (days[conversation] as number) * DAY;
      const young = [...notices, ...[...sent].filter(([, one]) => !isOver(one)).map(([id]) => id)].sort(
        (a, b) => a - b,
      );
      const check = (killed: Store, isDone: boolean) => {
        const left = ids(killed);
        if (isDone) assert.deepEqual(left, young);
        else for (const id of young) assert.ok(left.includes(id), `message ${id} is gone too early`);
        assertConsistent(killed);
      };
      const readers: Record<string, Registered> = {};
      for (const name of ["hamlet", "othello", "cordelia", "polonius"]) readers[name] = await chat.register(name);

      const retention = new Retention(store, () => now);
      let kills = 0;
      do {
        retention.work();
        await store.durable();
        if (random() < 0.5) {
          kills += 1;
          await afterKill(chat, now, check);
        }
      } while (retention.isAtWork);
      t.diagnostic(`${sent.size} messages, ${young.length - notices.size} young, ${kills} kills`);
      check(store, true);

      const reads: Record<string, string[]> = {
        hamlet: ["general", "design", "brief", "kept", "direct"],
        othello: ["general", "brief", "kept", "direct"],
        cordelia: ["general", "brief", "kept"],
        polonius: [],
      };
      const gone = [...sent].filter(([, one]) => isOver(one));
      for (const [name, conversations] of Object.entries(reads)) {
        const events = (await (readers[name] as Registered).events()) as Record<string, any>[];
        const notified = events
          .filter(({ type }) => type === "delete_message")
          .flatMap((event) => event["message_ids"]);
        const expected = gone.filter(([, { conversation }]) => conversations.includes(conversation)).map(([id]) => id);
        assert.deepEqual(
          notified.sort((a, b) => a - b),
          expected,
          name,
        );
        if (conversations.length === 0) assert.deepEqual(events, []);
      }
      await chat.checkEvents();
      await chat.restart();
      check(chat.server.app.store, true);
    });
  }
});
