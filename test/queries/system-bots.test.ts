import assert from "node:assert/strict";
import test from "node:test";
import { SYSTEM_BOTS } from "../../server/queries/system-bots.ts";
import { Database } from "../../server/storage/database.ts";
import { migrations } from "../../server/storage/migrations/index.ts";
import { migrate } from "../../server/storage/recovery.ts";

const BEFORE = 7;

test("a migration adds the notification bot", async () => {
  const [old, empty] = [await Database.empty(), await Database.empty()];
  for (const database of [old, empty]) migrate(database, BEFORE);
  old.run("INSERT INTO organization (id, name, created_at) VALUES (1, 'Venice', 5000)", []);
  old.run(
    `INSERT INTO users (email, email_key, full_name, role, joined_at)
     VALUES ('o@example.com', 'o@example.com', 'Othello', 100, 6000)`,
    [],
  );
  for (const database of [old, empty]) migrate(database, migrations.length);
  const bots = (database: Database) =>
    database.all<Record<string, unknown>>(
      `SELECT id, email, email_key, full_name, role, is_bot, bot_type, bot_owner_id, is_active, password_hash, joined_at,
         system_bot FROM users WHERE is_bot = 1`,
    );
  const { email, full_name } = SYSTEM_BOTS.notification;
  assert.deepEqual(bots(old), [
    {
      id: 2,
      email,
      email_key: email,
      full_name,
      role: 400,
      is_bot: 1,
      bot_type: 1,
      bot_owner_id: null,
      is_active: 1,
      password_hash: null,
      joined_at: 5000,
      system_bot: "notification",
    },
  ]);
  assert.deepEqual(bots(empty), []);
  assert.throws(() => old.run("UPDATE users SET system_bot = 'notification' WHERE id = 1", []));
  old.close();
  empty.close();
});
