import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import test from "node:test";
import { LogFiles } from "../../server/host/logging/log-files.ts";
import { redacted } from "../../server/host/logging/redaction.ts";
import { ServerLog } from "../../server/host/logging/server-log.ts";
import { temporaryFolder } from "../support/organization.ts";

const all = { matches: () => true, limit: 1000 };
const namesIn = (folder: string) => readdirSync(`${folder}/diagnostics`).sort();
const written = async (files: LogFiles, query: Partial<Parameters<LogFiles["read"]>[0]> = {}) =>
  (await files.read({ ...all, ...query })).lines.map(({ msg }) => msg);

function write(files: LogFiles, messages: readonly string[]): void {
  for (const msg of messages)
    files.write(`${JSON.stringify({ id: files.nextId(), level: "info", msg, filling: "x".repeat(50) })}\n`);
}

test("reads lines newest first, in pages", async (t) => {
  const files = new LogFiles(temporaryFolder(t));
  const messages = Array.from({ length: 2000 }, (_, number) => `line ${number} – ü`);
  write(files, messages);
  const read: unknown[] = [];
  for (let before: number | undefined; ; ) {
    const { lines, next } = await files.read({ ...all, limit: 300, before });
    read.push(...lines.map(({ msg }) => msg));
    if (next === null) break;
    before = next;
  }
  assert.deepEqual(read, messages.toReversed());
  const [newest, second] = (await files.read({ ...all, limit: 2 })).lines as { id: number; msg: string }[];
  assert.deepEqual(await written(files, { after: second?.id }), [newest?.msg]);
  assert.deepEqual(await written(files, { text: "line 1999" }), ["line 1999 – ü"]);
  await files.close();
});

test("a full file starts another and the oldest is deleted", async (t) => {
  const folder = temporaryFolder(t);
  const files = new LogFiles(folder, { limits: { fileBytes: 1000, files: 3 } });
  for (let number = 0; number < 40; number += 1) {
    write(files, [`line ${number}`]);
    await files.flush();
  }
  const names = namesIn(folder);
  assert.equal(names.length, 3);
  for (const name of names) assert.ok(statSync(`${folder}/diagnostics/${name}`).size <= 1000, name);
  const kept = await written(files);
  assert.equal(kept[0], "line 39");
  assert.deepEqual(
    kept,
    Array.from({ length: kept.length }, (_, number) => `line ${39 - number}`),
  );
  await files.close();
});

test("a log continues after a restart, a crash and a clock set back", async (t) => {
  const folder = temporaryFolder(t);
  const first = new LogFiles(folder, { now: () => Date.now() });
  write(first, ["before"]);
  await first.close();
  const [name = ""] = namesIn(folder);
  appendFileSync(`${folder}/diagnostics/${name}`, '{"id":1,"msg":"cut sh');
  appendFileSync(`${folder}/diagnostics/${name}`, "\n");
  const second = new LogFiles(folder, { now: () => 1_000_000_000_000 });
  write(second, ["after"]);
  assert.deepEqual(await written(second), ["after", "before"]);
  assert.deepEqual(namesIn(folder), [name]);
  await second.close();
});

test("counts lines that the disk rejects, without failing", async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(`${folder}/diagnostics`, "a file where the folder should be");
  const files = new LogFiles(folder, { limits: { waitingBytes: 500 } });
  write(files, ["lost 1", "lost 2"]);
  await files.flush();
  write(
    files,
    Array.from({ length: 10 }, (_, number) => `more than may wait ${number}`),
  );
  rmSync(`${folder}/diagnostics`);
  mkdirSync(`${folder}/diagnostics`);
  const lines = await written(files);
  assert.match(lines[0] as string, /^\d+ lines before this one could not be written$/);
  const dropped = Number(/^\d+/.exec(lines[0] as string)?.[0]);
  assert.equal(dropped + lines.length - 1, 12);
  assert.equal(lines.at(-1), "more than may wait 0");
  await files.close();
});

test("levels filter lines, and fields are included", async (t) => {
  const log = new ServerLog(temporaryFolder(t));
  t.mock.method(console, "error", () => {});
  log.debug("not written");
  log.info("written", { user_id: 7 });
  log.level = () => "error";
  log.warn("not written either");
  log.error("failed", new Error("because", { cause: new TypeError("of this") }));
  const { lines } = await log.read({ level: "debug", limit: 10 });
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      ["error", "failed"],
      ["info", "written"],
    ],
  );
  assert.equal(lines[1]?.["user_id"], 7);
  const error = lines[0]?.["err"] as { type: string; message: string; stack: string; cause: { message: string } };
  assert.deepEqual([error.type, error.message, error.cause.message], ["Error", "because", "of this"]);
  assert.match(error.stack, /log-files\.test\.ts/);
  assert.deepEqual((await log.read({ level: "error", limit: 10 })).lines.length, 1);
  await log.close();
});

test("redacts secrets and keeps useful values", () => {
  const hidden: [string, string][] = [
    ["Authorization: Basic aGFtbGV0OmtleQ==", "aGFtbGV0"],
    ['{"authorization":"Bearer 0a1b2c"}', "0a1b2c"],
    ["cookie: session=s3cr3t", "s3cr3t"],
    ["POST https://hooks.example/in?api_key=hunter2&stream=3 failed", "hunter2"],
    ["https://chat.example/reset/#hunter2", "hunter2"],
    ["https://joe:hunter2@example.com/x", "hunter2"],
    ['{"password":"hunter2","new_password":"hunter3"}', "hunter2"],
    ['{"password":"hunter2","new_password":"hunter3"}', "hunter3"],
    ['{\\"token\\":\\"hunter2\\"}', "hunter2"],
    ["the key Q1w2E3r4T5y6U7i8O9p0A1s2D3f4G5h6 is wrong", "Q1w2E3r4"],
  ];
  for (const [text, secret] of hidden) assert.ok(!redacted(text).includes(secret), redacted(text));
  assert.deepEqual(JSON.parse(redacted('{"password":"hunter2","n":1}')), { password: "[hidden]", n: 1 });
  const shown = [
    "GET /users/{user_id} failed: Cannot read properties of undefined (reading 'id')",
    "at Store.transact (file:///opt/hearth/server/storage/store.ts:231:17)",
    "Port 9400 of 127.0.0.1 is in use by another program.",
  ];
  for (const text of shown) assert.equal(redacted(text), text);
  assert.equal(redacted('no "quoted" one', ['"quoted"']), "no [hidden] one");
  assert.equal(redacted(JSON.stringify({ it: 'a "quoted" one' }), ['"quoted"']), '{"it":"a [hidden] one"}');
});
