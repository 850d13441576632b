import assert from "node:assert/strict";
import test from "node:test";
import { Database } from "../../server/storage/database.ts";
import { migrations } from "../../server/storage/migrations/index.ts";
import { migrate } from "../../server/storage/recovery.ts";

const BEFORE = 18;

test("a migration leaves read receipts as they were", async () => {
  const [silent, chosen, empty] = [await Database.empty(), await Database.empty(), await Database.empty()];
  for (const database of [silent, chosen, empty]) migrate(database, BEFORE);
  for (const database of [silent, chosen])
    database.run("INSERT INTO organization (id, name, created_at) VALUES (1, 'Venice', 5000)", []);
  chosen.run("INSERT INTO organization_settings (name, value) VALUES ('enable_read_receipts', 'true')", []);
  for (const database of [silent, chosen, empty]) migrate(database, migrations.length);
  const stored = (database: Database) =>
    database.all("SELECT value FROM organization_settings WHERE name = 'enable_read_receipts'");
  assert.deepEqual(stored(silent), [{ value: "false" }]);
  assert.deepEqual(stored(chosen), [{ value: "true" }]);
  assert.deepEqual(stored(empty), []);
  for (const database of [silent, chosen, empty]) database.close();
});
