import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { aboutBackup, verifyBackup } from "../../server/host/backups/backup-file.ts";
import { realFiles } from "../../server/storage/files.ts";
import { type Body, type Chat, type ChatOptions, startChat } from "../support/chat.ts";

const OPERATOR = { authorization: "Bearer operator" };
const PASSPHRASE = "a horse for my kingdom";
const DAY = 86_400_000;

async function start(t: TestContext, options: ChatOptions = {}) {
  const chat = await startChat(t, { operatorToken: "operator", unwatched: true, ...options });
  const operator = (method: string, path: string, params = {}) => chat.anonymous(method, path, params, OPERATOR);
  return { chat, operator, owner: chat.as("desdemona"), folder: join(chat.folder, "backups") };
}

/** The list after all work has ended. */
async function idle(chat: Chat): Promise<Body> {
  for (;;) {
    const answer = await chat.as("desdemona").get("/host/backups");
    assert.equal(answer.status, 200, answer.msg);
    if (answer["work"] === null) return answer;
    await pause(20);
  }
}

const namesIn = (answer: Body): string[] => answer["backups"].map(({ name }: { name: string }) => name);

test("an owner creates, verifies and deletes a backup", async (t) => {
  const { chat, owner, folder } = await start(t);
  const empty = await idle(chat);
  assert.deepEqual([empty["folder"], empty["backups"], empty["last_at"]], [folder, [], null]);
  assert.deepEqual([empty["daily"], empty["is_default_folder"], empty["has_passphrase"]], [true, true, false]);
  await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids["othello"]], content: "to be" });
  const made = await owner.post("/host/backups");
  assert.equal(made.status, 200, made.msg);
  const { name } = made as unknown as { name: string };
  assert.match(name, /^hearth-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar$/);
  const again = await owner.post("/host/backups");
  if (again.status !== 200) assert.equal(again.reason, "backup_in_progress");
  const listed = await idle(chat);
  const backup = listed["backups"].find((one: { name: string }) => one.name === name);
  assert.equal(backup.bytes, readFileSync(join(folder, name)).length);
  assert.equal(backup.about.made_by, "request");
  assert.equal(backup.about.is_own, true);
  assert.equal(backup.about.has_secret, false);
  assert.equal(backup.check, null);
  assert.ok(backup.about.messages >= 1);
  assert.equal(listed["last_at"], listed["backups"][0].about.created_at);
  assert.equal(listed["failure"], null);

  assert.equal((await owner.post(`/host/backups/${name}/verify`)).status, 200);
  const checkOf = (answer: Body) => answer["backups"].find((one: { name: string }) => one.name === name).check;
  assert.equal(checkOf(await idle(chat)).problem, null);
  const bytes = readFileSync(join(folder, name));
  bytes[bytes.length - 3000] = (bytes[bytes.length - 3000] as number) ^ 1;
  writeFileSync(join(folder, name), bytes);
  await owner.post(`/host/backups/${name}/verify`);
  assert.match(checkOf(await idle(chat)).problem.msg, /is damaged: /);

  assert.equal((await owner.delete(`/host/backups/${name}`)).status, 200);
  assert.ok(!namesIn(await idle(chat)).includes(name));
  assert.ok(!existsSync(join(folder, name)));
  for (const [call, path] of [
    [owner.delete, name],
    [owner.delete, "..%2Fsecret.key"],
    [owner.post, `${name}/verify`],
    [owner.post, "..%2F..%2Fsecret.key/verify"],
  ] as const) {
    const refused = await call(`/host/backups/${path}`);
    assert.equal(refused.status, 404, path);
    assert.equal(refused.reason, "backup_not_found");
  }
  assert.ok(existsSync(join(chat.folder, "secret.key")));
  const { entries } = (await owner.get("/host/audit")) as unknown as { entries: { action: string; target: string }[] };
  const audited = entries.map(({ action, target }) => [action, target]);
  for (const action of ["make backup", "delete backup"])
    assert.ok(
      audited.some(([found, target]) => found === action && target === `backup ${name}`),
      action,
    );
});

test("administrators and members have no access to backups", async (t) => {
  const { chat, owner, operator } = await start(t);
  const calls = [
    ["get", "/host/backups", {}],
    ["post", "/host/backups", {}],
    ["post", "/host/backups/hearth-2026-01-01T00-00-00Z.tar/verify", {}],
    ["post", "/host/backups/hearth-2026-01-01T00-00-00Z.tar/restore/preview", {}],
    ["post", "/host/backups/hearth-2026-01-01T00-00-00Z.tar/restore", {}],
    ["delete", "/host/backups/hearth-2026-01-01T00-00-00Z.tar", {}],
    ["put", "/host/backups/passphrase", { passphrase: PASSPHRASE }],
    ["delete", "/host/backups/passphrase", {}],
  ] as const;
  const refusals = {
    iago: "Only owners can do this.",
    hamlet: "Only owners can do this.",
    polonius: "Guests cannot do this.",
    bot: "Bots cannot do this.",
  };
  for (const [name, words] of Object.entries(refusals))
    for (const [method, path, params] of calls) {
      const refused = await chat.as(name)[method](path, params);
      assert.deepEqual([refused.status, refused.msg], [400, words], `${name} ${method} ${path}`);
    }
  for (const headers of [{}, { authorization: "Bearer wrong" }])
    assert.equal((await chat.anonymous("GET", "/host/backups", {}, headers)).status, 401);
  const put = await chat.anonymous("PUT", "/host/backups/passphrase", { passphrase: PASSPHRASE });
  assert.equal(put.status, 401);
  const state = await chat.as("iago").get("/host/state");
  assert.equal(state["host"], null, "an administrator does not see how backups are");
  assert.equal((await operator("GET", "/host/backups")).status, 200);
  const chosen = await owner.post("/host/backups", { file: "/tmp/x.tar" });
  assert.equal(chosen.reason, "backup_options_operator_only");
  const relative = await operator("POST", "/host/backups", { file: "x.tar" });
  assert.equal(relative.reason, "file_path_not_absolute");
});

test("backups contain the keys if there is a passphrase", async (t) => {
  const { chat, operator, owner, folder } = await start(t);
  const put = (passphrase: string) => operator("PUT", "/host/backups/passphrase", { passphrase });
  const short = await put("eleven char");
  assert.deepEqual([short.status, short["var_name"]], [400, "passphrase"]);
  assert.equal((await put(PASSPHRASE)).status, 200);
  const kept = readFileSync(join(chat.folder, "backup.key"), "utf8");
  assert.ok(!kept.includes(PASSPHRASE));
  const { name } = (await owner.post("/host/backups")) as unknown as { name: string };
  const listed = await idle(chat);
  assert.equal(listed["has_passphrase"], true);
  assert.equal(listed["backups"][0].about.has_secret, true);
  assert.ok(!readFileSync(join(folder, name)).includes(readFileSync(join(chat.folder, "secret.key"))));
  assert.equal((await owner.delete("/host/backups/passphrase")).status, 200);
  assert.equal((await idle(chat))["has_passphrase"], false);
  // The command line names file and passphrase.
  const file = join(chat.folder, "named.tar");
  assert.equal((await operator("POST", "/host/backups", { file, passphrase: PASSPHRASE })).status, 200);
  await idle(chat);
  assert.equal(aboutBackup(realFiles, file).about.has_secret, true);
  await operator("POST", "/host/backups", { file });
  assert.equal((await idle(chat))["failure"].problem.reason, "path_already_exists");
  const { entries } = (await owner.get("/host/audit")) as unknown as { entries: { action: string }[] };
  const actions = entries.map(({ action }) => action);
  assert.ok(actions.includes("set backup passphrase") && actions.includes("remove backup passphrase"));
});

test("backups are created daily and thinned, failures are explained", async (t) => {
  let now = Date.UTC(2026, 0, 5, 12);
  const { chat, owner, folder } = await start(t, { now: () => now });
  const { backups } = chat.server.app;
  await backups.runDue();
  const first = await idle(chat);
  assert.equal(first["backups"].length, 1);
  assert.equal(first["backups"][0].about.made_by, "schedule");
  assert.equal(first["next_at"], now + DAY);
  await backups.runDue();
  assert.equal((await idle(chat))["backups"].length, 1, "none is due");
  // Backdates by nine days. The list does not verify a backup's own date.
  const bytes = readFileSync(join(folder, namesIn(first)[0] as string));
  for (let day = 1; day <= 9; day += 1) {
    const name = `hearth-${new Date(now - day * DAY).toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar`;
    const copy = Buffer.from(bytes);
    copy.write(String(now - day * DAY), copy.indexOf(String(now)));
    writeFileSync(join(folder, name), copy);
  }
  now += DAY;
  await backups.runDue();
  const thinned = await idle(chat);
  const ago = thinned["backups"].map(({ about }: Body) => (now - about["created_at"]) / DAY);
  assert.deepEqual(ago, [0, 1, 2, 3, 4, 5, 6, 9], "7 days, and the Sunday before them");

  // The folder becomes a file, so the next backup fails.
  const chosen = join(chat.folder, "elsewhere");
  assert.equal((await owner.patch("/host/settings", { BACKUP_FOLDER: "relative" })).status, 400);
  assert.equal((await owner.patch("/host/settings", { BACKUP_FOLDER: JSON.stringify(chosen) })).status, 200);
  now += DAY;
  await backups.runDue();
  const failed = await idle(chat);
  assert.match(failed["failure"].problem.msg, /could not be written to .*elsewhere: it doesn't exist\.$/);
  assert.equal(failed["next_at"], now + DAY / 24);
  assert.equal(failed["is_default_folder"], false);
  const host = async () => ((await owner.get("/host/state"))["host"] as Body)["backups"];
  assert.equal((await host()).failure.problem.reason, "backup_write_failed");
  mkdirSync(chosen);
  writeFileSync(join(chosen, "hearth-2026-01-01T00-00-00Z.tar"), "not a backup");
  writeFileSync(join(chosen, "hearth-2026-01-01T00-00-00Z.tar.partial"), "left by a crash");
  await backups.runDue();
  assert.equal((await host()).failure.problem.reason, "backup_write_failed", "it is tried again after an hour");
  now += DAY / 24;
  await backups.runDue();
  const succeeded = await idle(chat);
  assert.equal(succeeded["failure"], null);
  assert.deepEqual(
    succeeded["backups"].map(({ problem }: { problem: object | null }) => problem !== null),
    [false, true],
  );
  assert.equal(succeeded["backups"][1].problem.reason, "not_a_backup");
  assert.ok(!readdirSync(chosen).some((name) => name.endsWith(".partial")));
  assert.equal(readdirSync(folder).length, ago.length, "what is elsewhere stays");

  assert.equal((await idle(chat))["is_old"], false);
  now += 3 * DAY + 1;
  assert.equal((await idle(chat))["is_old"], true);
  await owner.patch("/host/settings", { BACKUPS_DAILY: false });
  const off = await idle(chat);
  assert.deepEqual([off["is_old"], off["next_at"]], [false, null]);
  await backups.runDue();
  assert.equal((await idle(chat))["backups"].length, 2, "off is off");
});

test("a backup keeps an upload deleted while it runs", async (t) => {
  const { chat } = await start(t);
  const { files } = chat.server.app;
  const release = files.hold();
  const [stored] = await files.store([{ kind: "attachments", content: Buffer.from("short lived") }], (all) => all);
  assert.ok(stored);
  await files.remove([stored]);
  assert.equal(await files.sweep(Number.POSITIVE_INFINITY, () => new Set()), 0);
  assert.ok(existsSync(files.pathOf(stored)));
  const second = files.hold();
  await release();
  await release();
  assert.ok(existsSync(files.pathOf(stored)), "another backup still needs it");
  await second();
  assert.ok(!existsSync(files.pathOf(stored)));
});

test("a server stop cancels a backup and leaves nothing behind", async (t) => {
  const { chat, folder } = await start(t);
  const making = chat.server.app.backups.make("request");
  making.catch(() => {});
  await chat.server.close();
  const left = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of left) {
    assert.match(name, /\.tar$/, "no part of one");
    verifyBackup(realFiles, join(folder, name));
  }
  await assert.rejects(chat.server.app.backups.make("request"), { message: "The server is shutting down." });
});

test("only the operator previews a restore, if the server can restart", async (t) => {
  const { chat, owner, operator } = await start(t);
  const { name } = (await owner.post("/host/backups")) as unknown as { name: string };
  assert.equal((await idle(chat))["restored"], null);
  for (const path of [`${name}/restore/preview`, `${name}/restore`]) {
    const refused = await owner.post(`/host/backups/${path}`);
    assert.deepEqual([refused.status, refused["code"]], [400, "BAD_REQUEST"], path);
    assert.equal(refused.reason, "restore_operator_only");
  }
  await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids["othello"]], content: "since" });
  const preview = await operator("POST", `/host/backups/${name}/restore/preview`);
  assert.equal(preview.status, 200, preview.msg);
  assert.deepEqual([preview["today"].messages, preview["today"].people], [1, 0]);
  assert.equal(preview["today"].is_other_organization, false);
  assert.equal(preview["needs_passphrase"], false);
  assert.equal(preview["organization"], preview["today"].organization);
  assert.equal(preview["bytes"], readFileSync(join(chat.folder, "backups", name)).length);
  const alone = await operator("POST", `/host/backups/${name}/restore`);
  assert.equal(alone.reason, "restart_not_supported");
  for (const missing of ["hearth-2026-01-01T00-00-00Z.tar", "..%2Fsecret.key"])
    assert.equal((await operator("POST", `/host/backups/${missing}/restore/preview`)).status, 404, missing);
  const file = join(chat.folder, "backups", name);
  const bytes = readFileSync(file);
  bytes[bytes.length - 3000] = (bytes[bytes.length - 3000] as number) ^ 1;
  writeFileSync(file, bytes);
  const damaged = await operator("POST", `/host/backups/${name}/restore/preview`);
  assert.equal(damaged.status, 400);
  assert.match(damaged.msg, /is damaged: .* Use another backup\.$/);
});
