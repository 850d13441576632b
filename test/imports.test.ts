import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  complaint,
  cyclesIn,
  importCycles,
  importsOf,
  misplacedSql,
  sourceFiles,
  sqlComplaint,
  wrongImports,
} from "./support/import-rules.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const allowed = (from: string, text: string) => assert.deepEqual(complaints(from, text), []);
const refused = (from: string, text: string, instead: RegExp) => {
  const found = complaints(from, text);
  assert.equal(found.length, 1, `${from}: ${text}`);
  assert.match(found[0]!, instead);
};
const complaints = (from: string, text: string) =>
  importsOf(from, text)
    .map(complaint)
    .filter((sentence) => sentence !== undefined);

test("imports run in one direction", () => {
  assert.ok(sourceFiles(root).includes("server/errors.ts"));
  assert.deepEqual(wrongImports(root), []);
});

test("no files import each other in a cycle", () => {
  assert.deepEqual(importCycles(root), []);
});

test("finds a cycle with all its files", () => {
  const uses = { a: ["b"], b: ["c", "d"], c: ["a"], d: ["e"], e: ["d"], f: ["a", "f"] };
  assert.deepEqual(cyclesIn(new Map(Object.entries(uses))), [
    ["d", "e"],
    ["a", "b", "c"],
  ]);
});

test("an import in the wrong direction suggests an alternative", () => {
  const from = (specifier: string) => `import { a } from "${specifier}";`;
  refused("server/storage/store.ts", from("../api/queries/users.ts"), /storage knows no noun/);
  refused("server/http/limits.ts", from("../storage/store.ts"), /type parameter/);
  refused("server/http/limits.ts", from("../api/access/users.ts"), /no chat nouns/);
  refused("server/api/queries/users.ts", from("../actions/users.ts"), /depends on a viewer/);
  refused("server/api/queries/users.ts", from("../access/users.ts"), /depends on a viewer/);
  refused("server/api/access/users.ts", from("../presenters/users.ts"), /access only reads/);
  refused("server/api/presenters/users.ts", from("../actions/users.ts"), /presenters shape/);
  refused("server/host/credentials/passwords.ts", from("../../api/queries/users.ts"), /look up/);
  refused("server/api/access/users.ts", from("../actions/users.ts"), /access only reads/);
  refused("server/api/actions/users.ts", from("../../http/params.ts"), /plain values/);
  refused("server/api/actions/users.ts", from("../../events/queues.ts"), /tx\.emit/);
  refused("server/markdown/render.ts", from("../api/queries/users.ts"), /pure/);
  refused("server/events/queues.ts", from("../http/limits.ts"), /through presenters/);
  refused("server/api/endpoints/users.ts", from("../../storage/store.ts"), /through access/);
  refused("server/api/endpoints/users.ts", from("../../events/queues.ts"), /through access/);
  refused("server/host/supervisor/supervisor.ts", from("../../api/endpoints/users.ts"), /only server\/server\.ts/);
  refused("server/chores/chores.ts", from("../api/endpoints/users.ts"), /actions/);
  refused("server/errors.ts", from("./http/limits.ts"), /alone/);
  refused("server/server.ts", from("../test/support/chat.ts"), /tests/);
  refused("server/api/presenters/audit.ts", from("../../../ui/locales/en.ts"), /server\/locales/);
  allowed("ui/admin/main.tsx", from("../../server/locales/audit-words.ts"));
  refused("ui/api/client.ts", from("../../server/errors.ts"), /import type/);
  refused("ui/api/client.ts", from("../../test/support/chat.ts"), /talks HTTP/);
  refused("main/main.ts", from("../ui/admin/main.tsx"), /no page/);
  refused("server/host/supervisor/cli.ts", from("electron"), /only main/);
  refused("ui/admin/main.tsx", from("electron/renderer"), /only main/);
  refused("server/http/server.ts", 'import { createServer } from "node:http";', /getBuiltinModule/);
  allowed("server/http/server.ts", 'import type { Server } from "node:http";');
  refused("other/thing.ts", from("../server/errors.ts"), /no room/);
});

test("SQL is only in queries, actions and storage", () => {
  assert.deepEqual(misplacedSql(root), []);
});

test("rejects SQL anywhere else", () => {
  const statements = [
    'const row = reader.get<Row>("SELECT id FROM users WHERE id = ?", id);',
    "const sql = `\n  SELECT id FROM users`;",
    'tx.run("INSERT INTO users (id) VALUES (?)", id);',
    'tx.run("INSERT OR IGNORE INTO users (id) VALUES (?)", id);',
    'tx.run("REPLACE INTO users (id) VALUES (?)", id);',
    "tx.run('UPDATE users SET name = ?', name);",
    'tx.run(\n  "DELETE FROM users WHERE id = ?",\n  id);',
    'reader.all("WITH RECURSIVE held(id) AS (SELECT 1) SELECT id FROM held");',
    'reader.value("PRAGMA user_version");',
  ];
  for (const text of statements) {
    for (const room of [
      "api/access",
      "api/endpoints",
      "chores",
      "media",
      "host/operator",
      "integrations/outgoing",
      "http",
      "host/first-run",
    ])
      assert.match(sqlComplaint(`server/${room}/users.ts`, text) ?? "", /belongs in queries/, `${room}: ${text}`);
    for (const room of ["api/queries", "api/actions", "search", "storage"])
      assert.equal(sqlComplaint(`server/${room}/users.ts`, text), undefined);
  }
});

test("accepts text that only looks like SQL", () => {
  const texts = [
    'route: "DELETE /users/me"',
    "type === FIELD_TYPE.SELECT",
    "// SELECT id FROM users",
    '"Select a user"',
  ];
  for (const text of texts) assert.equal(sqlComplaint("server/api/access/users.ts", text), undefined, text);
});

test("accepts imports in the right direction", () => {
  const from = (specifier: string) => `import { a } from "${specifier}";`;
  allowed("server/api/endpoints/users.ts", from("../../http/params.ts") + "\n" + from("../actions/users.ts"));
  allowed("server/api/endpoints/users.ts", from("./endpoint.ts") + "\n" + from("node:path") + "\n" + from("zod"));
  allowed("server/api/queries/users.ts", from("../../storage/store.ts"));
  allowed("server/api/presenters/users.ts", from("../access/users.ts") + "\n" + from("../queries/users.ts"));
  allowed("server/http/limits.ts", from("../errors.ts"));
  allowed("server/server.ts", from("./api/endpoints/users.ts"));
  allowed("main/main.ts", from("electron") + "\n" + from("../server/host/supervisor/supervisor.ts"));
  allowed("test/api/users.test.ts", from("../../server/http/params.ts") + "\n" + from("../../ui/api/state.ts"));
});

test("types can cross where values cannot", () => {
  const type = (specifier: string) => `import type { A } from "${specifier}";`;
  allowed("server/http/endpoint.ts", type("../storage/transaction.ts"));
  allowed("server/api/endpoints/endpoint.ts", type("../../app.ts"));
  allowed("ui/api/client.ts", type("../../server/api/endpoints/users.ts"));
  refused("server/http/endpoint.ts", type("../api/access/users.ts"), /type parameter/);
  refused("ui/api/client.ts", `import { type A } from ${JSON.stringify("../../server/app.ts")};`, /import type/);
});

test("finds every form of import", () => {
  const specifier = "../queries/users.ts";
  const forms = [
    `import "${specifier}";`,
    `import a from '${specifier}';`,
    `import * as a from "${specifier}";`,
    `import a, { b as c } from "${specifier}";`,
    `import {\n  a,\n  b,\n} from "${specifier}";`,
    `import type { A } from "${specifier}";`,
    `import type A from "${specifier}";`,
    `export * from "${specifier}";`,
    `export { a } from "${specifier}";`,
    `export type { A } from "${specifier}";`,
    `const a = await import("${specifier}");`,
    `  a = require('${specifier}');`,
    `let a: typeof import("${specifier}");`,
  ];
  for (const form of forms) refused("server/storage/store.ts", form, /storage knows no noun/);
  allowed("server/storage/store.ts", `// import { a } from "${specifier}";\n * await import("${specifier}")`);
});
