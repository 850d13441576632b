import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { problem } from "../../server/errors.ts";
import { keyOfPassphrase } from "../../server/host/backups/backup-key.ts";
import { restoreBackup } from "../../server/host/backups/restore.ts";
import { restoreStopped } from "../../server/host/supervisor/restore-stopped.ts";
import type { Supervisor, SupervisorTesting } from "../../server/host/supervisor/supervisor.ts";
import { backUp as backUpStore, opened, place } from "../backups/history.ts";
import { killedAt } from "../support/killed-files.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { until } from "../support/patience.ts";
import {
  call,
  dataFolder,
  endBeforeRemoval,
  type Person,
  STOPPED,
  said,
  say,
  serve,
} from "../support/server-process.ts";
import { startSupervisor } from "../support/supervisor.ts";

async function desk(folder: string, method: string, path: string, params: Record<string, string> = {}): Promise<any> {
  try {
    const { url, token } = JSON.parse(readFileSync(join(folder, "host.json"), "utf8"));
    const body = method === "GET" ? {} : { body: new URLSearchParams(params) };
    const headers = { authorization: `Bearer ${token}`, "hearth-error-reason": "1" };
    const response = await fetch(`${url}${path}`, { method, headers, ...body });
    return { status: response.status, ...((await response.json()) as object) };
  } catch {
    return undefined;
  }
}

const backups = async (folder: string) => {
  const answer = await desk(folder, "GET", "/host/backups");
  return answer?.status === 200 ? answer : undefined;
};

async function backUp(folder: string): Promise<string> {
  const { name } = await desk(folder, "POST", "/host/backups");
  await until(async () => ((await backups(folder))?.work === null ? true : undefined), "the backup is made");
  return name;
}

/** The outcome of the next restore after `before`. */
const outcomeAfter = (folder: string, before: number) =>
  until(async () => {
    const restored = (await backups(folder))?.restored;
    return restored && restored.at > before ? restored : undefined;
  }, "the server runs again, and says how it went");

/** Folders that restores set aside or left when killed. */
function removeAsides(t: TestContext, folder: string): void {
  t.after(() => {
    for (const name of readdirSync(dirname(folder)))
      if (name.startsWith(`${basename(folder)}-`))
        rmSync(join(dirname(folder), name), { recursive: true, force: true });
  });
}

async function start(t: TestContext, testing: SupervisorTesting = {}) {
  const { path: folder, people } = await dataFolder(t);
  const states: string[] = [];
  const host: Supervisor = await startSupervisor({
    dataFolder: folder,
    port: 0,
    rateLimit: "off",
    testing,
    onState: (state) => states.push(state),
  });
  endBeforeRemoval(t, () => host.stop());
  removeAsides(t, folder);
  return { folder, host, states, owner: people[0] as Person, hamlet: people[1] as Person };
}

test("a running server restores a backup, keeps the current data, and continues at its URL", async (t) => {
  const { folder, host, states, owner, hamlet } = await start(t);
  const { url } = host;
  await say(url, hamlet, "before");
  const name = await backUp(folder);
  await say(url, hamlet, "after");
  await call(url, owner, "POST /users/me/api_key/regenerate");
  const registered = await call(url, hamlet, "POST /register", { event_types: ["message"] });
  const held = call(url, hamlet, "GET /events", {
    queue_id: registered["queue_id"],
    last_event_id: registered["last_event_id"],
  }).catch(() => undefined);

  const preview = await desk(folder, "POST", `/host/backups/${name}/restore/preview`);
  assert.deepEqual(
    [preview.today.messages, preview.today.people, preview.today.key_rotations, preview.needs_passphrase],
    [1, 0, 1, false],
  );
  assert.deepEqual(await said(url, hamlet), ["before", "after"], "a preview changes nothing");
  const begun = await desk(folder, "POST", `/host/backups/${name}/restore`);
  assert.equal(begun.status, 200, begun.msg);
  const restored = await outcomeAfter(folder, 0);
  await held;
  assert.deepEqual([restored.name, restored.failure], [name, null]);
  assert.ok(existsSync(join(restored.aside, "hearth.db")) && dirname(restored.aside) === dirname(folder));
  assert.equal(host.url, url);
  assert.deepEqual(states, ["running", "restarting", "running"]);
  assert.deepEqual(await said(url, hamlet), ["before"]);
  const poll = { queue_id: registered["queue_id"], last_event_id: registered["last_event_id"], dont_block: true };
  assert.equal((await call(url, hamlet, "GET /events", poll))["code"], "BAD_EVENT_QUEUE_ID");
  const anew = await call(url, hamlet, "POST /register", { event_types: ["message"] });
  assert.ok(anew["last_event_id"] >= registered["last_event_id"]);

  // After all keys are revoked, no old key works.
  await desk(folder, "POST", `/host/backups/${name}/restore`, { end_all_keys: "true" });
  const again = await outcomeAfter(folder, restored.at);
  assert.notEqual(again.aside, restored.aside);
  assert.equal((await call(url, hamlet, "GET /users/me")).status, 401);
  assert.equal((await backups(folder)).backups[0].name, name, "the backups stay");
});

test("a backup replaced after the preview changes nothing", async (t) => {
  const { folder, host, states, hamlet } = await start(t);
  const name = await backUp(folder);
  await say(host.url, hamlet, "after");
  const path = join(folder, "backups", name);
  writeFileSync(path, readFileSync(path).subarray(0, 9000));
  const refused = await desk(folder, "POST", `/host/backups/${name}/restore`);
  assert.deepEqual([refused.status, states], [400, ["running"]]);
  assert.match(refused.msg, /is damaged: it is cut short/);
  assert.deepEqual(await said(host.url, hamlet), ["after"]);
});

test("a restore that dies at any step leaves all of the current data or all of the backup", async (t) => {
  let step = 0;
  let steps = 0;
  const restore: typeof restoreStopped = (how) =>
    restoreStopped(how, async (task) => {
      const { files, calls } = killedAt(step);
      try {
        if (!("options" in task)) throw new Error("it is a restore");
        return (await restoreBackup({ ...task.options, testing: { files } })) as never;
      } finally {
        steps = calls();
      }
    });
  const { folder, host, hamlet } = await start(t, { restore });
  await say(host.url, hamlet, "before");
  const name = await backUp(folder);
  let at = 0;
  const attempt = async (dies: number) => {
    step = dies;
    await say(host.url, hamlet, `after ${dies}`);
    const begun = await desk(folder, "POST", `/host/backups/${name}/restore`);
    assert.equal(begun.status, 200, begun.msg);
    const outcome = await outcomeAfter(folder, at);
    at = outcome.at;
    const isToday = (await said(host.url, hamlet)).includes(`after ${dies}`);
    assert.equal(isToday, outcome.failure !== null, `step ${dies} of ${steps}: ${outcome.failure}`);
    return isToday;
  };
  assert.equal(await attempt(Number.POSITIVE_INFINITY), false);
  const whole = steps;
  const outcomes = { today: 0, backup: 0 };
  // Only the last steps move files.
  for (let dies = 0; dies < whole; dies += IS_LONG_RUN ? 1 : dies < whole - 40 ? Math.ceil(whole / 4) : 5)
    outcomes[(await attempt(dies)) ? "today" : "backup"] += 1;
  for (let dies = whole - 1; !IS_LONG_RUN && dies > whole - 31; dies -= 6)
    outcomes[(await attempt(dies)) ? "today" : "backup"] += 1;
  assert.ok(outcomes.today >= 2 && outcomes.backup >= 2, JSON.stringify(outcomes));
});

test("killing the process during a restore leaves one complete folder", async (t) => {
  const { path: folder, people } = await dataFolder(t);
  removeAsides(t, folder);
  const hamlet = people[1] as Person;
  let server = await serve(t, folder);
  await say(server.url, hamlet, "before");
  const name = await backUp(folder);
  const port = Number(new URL(server.url).port);
  for (const wait of IS_LONG_RUN ? Array.from({ length: 40 }, (_, index) => index * 25) : [0, 120, 400, 800]) {
    await say(server.url, hamlet, `after ${wait}`);
    const begun = await desk(folder, "POST", `/host/backups/${name}/restore`);
    assert.equal(begun.status, 200, begun.msg);
    await pause(wait);
    server.child.kill("SIGKILL");
    await server.ended;
    server = await serve(t, folder, port);
    const found = await said(server.url, hamlet);
    assert.ok(found.length === 1 || found.at(-1) === `after ${wait}`, found.join());
    assert.equal(found[0], "before");
    assert.ok(!existsSync(join(folder, "restore.json")));
    const unfinished = readdirSync(dirname(folder)).filter((one) => one.startsWith(`${basename(folder)}-restored-`));
    assert.deepEqual(unfinished, [], "what was built in vain is removed");
  }
  server.child.kill("SIGTERM");
  assert.deepEqual(await server.ended, STOPPED);
});

test("another organization's backup needs its passphrase, and a wrong one restarts nothing", async (t) => {
  const { folder, host, states, owner } = await start(t);
  const other = await place(t);
  const passphrase = "a horse for my kingdom";
  const store = await opened(other.folder);
  const name = "hearth-2026-01-01T00-00-00Z.tar";
  mkdirSync(join(folder, "backups"), { recursive: true });
  await backUpStore(store, other.folder, join(folder, "backups", name), {
    key: await keyOfPassphrase(passphrase, 1024),
  });
  await store.close();
  const ask = (path: string, params = {}) => desk(folder, "POST", `/host/backups/${name}/${path}`, params);
  const preview = await ask("restore/preview");
  assert.deepEqual([preview.today.is_other_organization, preview.needs_passphrase], [true, true]);
  const missing = await ask("restore");
  assert.deepEqual([missing.status, missing.var_name], [400, "passphrase"]);
  assert.match(missing.msg, /Enter the passphrase, or choose to revoke all keys/);
  const wrong = await ask("restore", { passphrase: "a kingdom for my horse" });
  assert.deepEqual([wrong.status, wrong.var_name], [400, "passphrase"]);
  assert.deepEqual(states, ["running"]);
  assert.equal((await call(host.url, owner, "GET /users/me")).status, 200);
  assert.equal((await ask("restore", { passphrase })).status, 200);
  const { failure, aside } = await outcomeAfter(folder, 0);
  assert.equal(failure, null);
  assert.deepEqual(readFileSync(join(folder, "secret.key")), readFileSync(join(other.folder, "secret.key")));
  assert.ok(existsSync(join(aside, "hearth.db")));
});

test("explains why nothing was restored", async (t) => {
  const { path: folder } = await dataFolder(t);
  const full = () => Promise.reject(Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" }));
  const request = { name: "one.tar", path: resolve("/nowhere/one.tar"), endAllKeys: false };
  const how = { folder, request, segmentSize: undefined, signal: new AbortController().signal };
  const told: unknown[] = [];
  const reporting = { ...how, advanced: (progress: unknown) => told.push(progress) };
  const { failure, aside } = await restoreStopped(reporting, (_task, meanwhile) => {
    meanwhile?.on?.({ type: "advanced", phase: "writing", done: 1, total: 2 });
    return full();
  });
  assert.deepEqual(told, [{ phase: "writing", done: 1, total: 2 }]);
  assert.deepEqual(failure, problem("restore_failed", { folder, cause: problem("cause_disk_full") }));
  assert.equal(aside, null);
  const gone = await restoreStopped(how);
  const cause = problem("cause_not_found");
  assert.deepEqual(
    gone.failure,
    problem("restore_source_failed", { folder, path: resolve("/nowhere/one.tar"), cause }),
  );
});
