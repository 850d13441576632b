import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { type Problem, problem, problemText } from "../../server/errors.ts";
import { isLocked } from "../../server/host/supervisor/lock.ts";
import { ServerThread } from "../../server/host/supervisor/server-thread.ts";
import type { Supervisor, SupervisorOptions, SupervisorState } from "../../server/host/supervisor/supervisor.ts";
import { until } from "../support/patience.ts";
import {
  type Answer,
  call,
  type DataFolder,
  dataFolder,
  endBeforeRemoval,
  type Person,
} from "../support/server-process.ts";
import { startSupervisor } from "../support/supervisor.ts";

interface Hosted {
  host: Supervisor;
  folder: DataFolder;
  owner: Person;
  lines: string[];
}

async function startHosted(t: TestContext, more: Partial<SupervisorOptions> = {}): Promise<Hosted> {
  const folder = await dataFolder(t);
  const lines: string[] = [];
  const report = (line: string) => void lines.push(line);
  const host = await startSupervisor({ ...options(folder), testing: { hooks: true }, report, ...more });
  endBeforeRemoval(t, () => host.stop());
  return { host, folder, owner: folder.people[0] as Person, lines };
}

const options = (folder: DataFolder) => ({ dataFolder: folder.path, port: 0, rateLimit: "off" as const });
/** Windows has no modes. */
const assertMode = (path: string, mode: number) => {
  if (process.platform !== "win32") assert.equal(statSync(path).mode & 0o777, mode, path);
};

const send = (url: string, person: Person, content: string, more: Record<string, unknown> = {}): Promise<Answer> =>
  call(url, person, "POST /messages", { type: "direct", to: [person.id], content, ...more });

interface Listener {
  readonly queueId: string;
  readonly heard: string[];
  readonly done: Promise<void>;
}

/** Polls like a client, across failures, until the message `last` arrives. */
async function listen(url: string, person: Person, last: string): Promise<Listener> {
  const registration = { event_types: ["message"], apply_markdown: false };
  const { queue_id, last_event_id } = await call(url, person, "POST /register", registration);
  const heard: string[] = [];
  const loop = async () => {
    let seen = last_event_id as number;
    while (heard.at(-1) !== last) {
      const got = await call(url, person, "GET /events", { queue_id, last_event_id: seen }).catch(() => undefined);
      if (got === undefined || got.status === 503) {
        await until(() => isUp(url, person), "the server to be back");
        continue;
      }
      assert.equal(got["result"], "success", JSON.stringify(got));
      for (const event of got["events"]) {
        assert.ok(event.id > seen);
        seen = event.id;
        if (event.type === "message") heard.push(event.message.content);
      }
    }
  };
  return { queueId: queue_id, heard, done: loop() };
}

const isUp = (url: string, person: Person): Promise<true | undefined> =>
  call(url, person, "GET /users/me").then(
    ({ status }) => (status === 200 ? true : undefined),
    () => undefined,
  );

for (const { message, problem } of [
  { message: "hang", problem: /has not responded for/ },
  { message: "fail", problem: /a test asked the thread to fail/ },
  { message: "break disk", problem: undefined },
] as const) {
  const what = { hang: "an endless loop", fail: "an uncaught error", "break disk": "a disk that fails" }[message];
  test(`after ${what}, the server returns with all acknowledged messages`, async (t) => {
    // A busy machine may silence a thread for seconds. That is a failure only for the thread that hangs.
    const timing = message === "hang" ? { ping: 50, silence: 2_000 } : {};
    const { host, owner, lines } = await startHosted(t, { testing: { hooks: true, timing } });
    const { url, token } = host;
    const listener = await listen(url, owner, "after");
    const before = await send(url, owner, "before");
    assert.equal(before.status, 200);
    await until(() => (listener.heard.length > 0 ? true : undefined), "the first message");
    host.send(message);
    if (message === "break disk") {
      let count = 0;
      const refused = await until(async () => {
        count += 1;
        const answer = await send(url, owner, `perhaps ${count}`);
        return answer.status === 200 ? undefined : answer;
      }, "a send that the disk does not take");
      assert.deepEqual([refused.status, refused["code"]], [503, "SERVER_NOT_READY"]);
    }
    await until(() => (host.restarts > 0 ? true : undefined), "a restart");
    await until(() => isUp(url, owner), "the server to be back");
    assert.equal(host.url, url);
    // Another program may have taken the port and received it.
    assert.notEqual(host.token, token);
    const asHost = (credential: string) =>
      fetch(`${url}/host/state`, { headers: { authorization: `Bearer ${credential}` } }).then(({ status }) => status);
    assert.deepEqual([await asHost(token), await asHost(host.token)], [401, 200]);
    const repeated = { queue_id: listener.queueId, local_id: "1" };
    const after = await until(
      () => send(url, owner, "after", repeated).then((answer) => (answer.status === 200 ? answer : undefined)),
      "a send",
    );
    assert.ok(after["id"] > before["id"]);
    await listener.done;
    assert.equal(listener.heard[0], "before");
    assert.equal(new Set(listener.heard).size, listener.heard.length, "nothing twice");
    if (problem) assert.match(lines.join("\n"), problem);
  });
}

test("a folder with other files is rejected and keeps its mode", async (t) => {
  const { path } = await dataFolder(t);
  const folder = join(path, "Documents");
  mkdirSync(folder, { mode: 0o755 });
  writeFileSync(join(folder, "letter.txt"), "Dear Sir");
  const started = startSupervisor({ dataFolder: folder, port: 0, setup: "code" });
  await assert.rejects(started, /Documents contains files that don't belong to Hearth\. Choose an empty folder/);
  assert.deepEqual(readdirSync(folder), ["letter.txt"]);
  assertMode(folder, 0o755);
});

test("a thread that fails repeatedly is restarted each time", async (t) => {
  const { host, owner, folder } = await startHosted(t);
  for (let time = 1; time <= 3; time += 1) {
    host.send("fail");
    await until(() => (host.restarts === time ? true : undefined), `restart ${time}`);
    await until(() => isUp(host.url, owner), "the server to be back");
  }
  // The server's own log has the reason, although no thread was left to write it.
  const diagnostics = join(folder.path, "diagnostics");
  await until(() => {
    const log = readdirSync(diagnostics).map((name) => readFileSync(join(diagnostics, name), "utf8"));
    return (log.join("").match(/a test asked the thread to fail/g)?.length ?? 0) >= 3 || undefined;
  }, "three reports in the log");
});

/** Reports how often garbage was collected while it allocated 4 MB that stay, then ends. */
const COUNTING_THREAD = `
  import { GCProfiler } from "node:v8";
  import { parentPort } from "node:worker_threads";
  const collections = new GCProfiler();
  collections.start();
  const made = Array.from({ length: 50_000 }, (_, at) => ({ at, more: [at] }));
  const { length } = collections.stop().statistics;
  const problem = { reason: "unknown", params: { cause: made.length && length } };
  parentPort.postMessage({ type: "not started", problem, retryable: false });
`;

test("the thread starts with enough memory for startup data", async () => {
  const file = new URL(`data:text/javascript,${encodeURIComponent(COUNTING_THREAD)}`);
  const ignored = () => {};
  const listeners = { onReady: ignored, onSummary: ignored, onSetupCode: ignored, onRestore: ignored };
  const thread = new ServerThread(
    file,
    { dataFolder: "" },
    { ping: 2000, silence: 20_000 },
    { ...listeners, onProblem: ignored, onEnd: ignored },
  );
  await assert.rejects(thread.ready, { message: "0" });
});

test("test hooks are off by default", async (t) => {
  const { host, owner } = await startHosted(t, { testing: {} });
  host.send("fail");
  host.send("hang");
  assert.equal((await send(host.url, owner, "x")).status, 200);
  assert.equal(host.restarts, 0);
});

test("host.json exists only while the server runs", async (t) => {
  const { host, folder } = await startHosted(t);
  const file = `${folder.path}/host.json`;
  assertMode(file, 0o600);
  assertMode(folder.path, 0o700);
  assertMode(`${folder.path}/secret.key`, 0o600);
  const { url, token, pid } = JSON.parse(readFileSync(file, "utf8"));
  assert.deepEqual({ url, token, pid }, { url: host.url, token: host.token, pid: process.pid });
  const settings = (bearer: string) =>
    fetch(`${url}/host/settings`, { headers: { authorization: `Bearer ${bearer}` } });
  assert.equal((await settings(token)).status, 200);
  assert.equal((await settings(`${token}x`)).status, 401);
  await host.stop();
  assert.equal(existsSync(file), false);
  assert.equal(isLocked(folder.path), false);
});

test("the token changes with every start", async (t) => {
  const { host, folder } = await startHosted(t);
  await host.stop();
  const again = await startSupervisor(options(folder));
  endBeforeRemoval(t, () => again.stop());
  assert.notEqual(again.token, host.token);
});

test("a locked folder is refused with its server's URL", async (t) => {
  const { host, folder, owner } = await startHosted(t);
  await assert.rejects(startSupervisor(options(folder)), new RegExp(`in use.*${host.url}`));
  assert.equal(existsSync(`${folder.path}/host.json`), true);
  assert.equal(await isUp(host.url, owner), true);
});

test("a start waits for a stopping server", async (t) => {
  const { host, folder, owner } = await startHosted(t);
  const lines: string[] = [];
  const stopping = host.stop();
  const again = await startSupervisor({ ...options(folder), report: (line) => void lines.push(line) });
  endBeforeRemoval(t, () => again.stop());
  await stopping;
  assert.match(lines.join("\n"), /waiting for another Hearth/);
  assert.equal(await isUp(again.url, owner), true);
});

test("a stop ends held polls, and can be repeated", async (t) => {
  const { host, owner } = await startHosted(t);
  const { queue_id, last_event_id } = await call(host.url, owner, "POST /register", { event_types: ["message"] });
  let answered = 0;
  const polls = [1, 2, 3].map(async () => {
    const { events } = await call(host.url, owner, "GET /events", { queue_id, last_event_id });
    answered += 1;
    return events;
  });
  // A new poll replaces the previous one, so the newest is held now.
  await until(() => answered === 2 || undefined, "two polls to be replaced");
  await Promise.all([host.stop(), host.stop()]);
  assert.deepEqual(await Promise.all(polls), [[], [], []]);
  await host.stop();
});

test("a stop does not wait for a hanging thread", async (t) => {
  const { host, folder, lines } = await startHosted(t, {
    testing: { hooks: true, timing: { silence: Number.POSITIVE_INFINITY } },
  });
  host.send("hang");
  await host.stop();
  assert.deepEqual(lines, []);
  assert.equal(isLocked(folder.path), false);
});

test("an aborted start releases the folder immediately", async (t) => {
  const folder = await dataFolder(t);
  const ended = new AbortController();
  const starting = startSupervisor({ ...options(folder), signal: ended.signal });
  ended.abort();
  await assert.rejects(starting);
  assert.equal(isLocked(folder.path), false);
  const host = await startSupervisor(options(folder));
  await host.stop();
});

test("a failed first start releases the folder", async (t) => {
  const folder = await dataFolder(t);
  const refused = async (why: RegExp, more: Partial<SupervisorOptions> = {}) => {
    await assert.rejects(startSupervisor({ ...options(folder), ...more }), why);
    assert.equal(isLocked(folder.path), false);
    assert.equal(existsSync(`${folder.path}/host.json`), false);
  };
  const taken = createServer().listen(0, "127.0.0.1");
  t.after(() => taken.close());
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as { port: number };
  await refused(/Port \d+ on 127\.0\.0\.1 is in use/, { port });
  await assert.rejects(startSupervisor({ ...options(folder), port }), { name: "NotStarted", code: "EADDRINUSE" });
  await assert.rejects(startSupervisor({ ...options(folder), setup: "operator", port }), { code: "EADDRINUSE" });
  const secret = readFileSync(`${folder.path}/secret.key`);
  rmSync(`${folder.path}/secret.key`);
  await refused(/secret\.key is missing/);
  writeFileSync(`${folder.path}/secret.key`, secret);
  writeFileSync(`${folder.path}/host.json`, "{}"); // a killed supervisor leaves such a file
  rmSync(`${folder.path}/hearth.db`);
  await refused(/hearth\.db|organization/);
});

test("a failed restart is reported once and not retried", async (t) => {
  const given: Problem[] = [];
  const { host, folder, lines } = await startHosted(t, { onGivenUp: (problem) => void given.push(problem) });
  rmSync(`${folder.path}/secret.key`);
  host.send("fail");
  await until(() => (given.length > 0 ? true : undefined), "the host to give up");
  assert.match(problemText(given[0] as Problem), /secret\.key is missing/);
  assert.equal(lines.filter((line) => line.includes("secret.key")).length, 1);
  await host.stop();
  assert.equal(given.length, 1);
  assert.equal(existsSync(`${folder.path}/host.json`), false);
});

test("a folder that disappears does not become a first run", async (t) => {
  const given: Problem[] = [];
  const onGivenUp = (problem: Problem) => void given.push(problem);
  const { host, folder } = await startHosted(t, { setup: "operator", onGivenUp });
  renameSync(folder.path, `${folder.path}.moved`);
  t.after(() => rmSync(`${folder.path}.moved`, { recursive: true }));
  host.send("fail");
  await until(() => (given.length > 0 ? true : undefined), "the host to give up");
  assert.match(problemText(given[0] as Problem), /there is no organization here/);
  assert.deepEqual([host.state, existsSync(folder.path)], ["stopped", false]);
  await host.stop();
});

const deletable = { skip: process.platform === "win32" && "Windows does not delete or replace open files" };

test("a deleted data folder stops the server before it acknowledges more", deletable, async (t) => {
  const given: Problem[] = [];
  const onGivenUp = (problem: Problem) => void given.push(problem);
  const { host, folder, owner, lines } = await startHosted(t, { onGivenUp });
  assert.equal((await send(host.url, owner, "before")).status, 200);
  rmSync(folder.path, { recursive: true, maxRetries: 5 });
  const lost = await send(host.url, owner, "lost");
  assert.deepEqual([lost.status, lost["code"]], [503, "SERVER_NOT_READY"]);
  await until(() => (given.length > 0 ? true : undefined), "the host to give up");
  assert.match(lines.join("\n"), /hearth-process-.* was deleted while Hearth was running/);
  assert.deepEqual([host.state, existsSync(folder.path)], ["stopped", false]);
  await host.stop();
});

for (const [how, change] of [
  ["deleted", (lock: string) => rmSync(lock)],
  ["replaced", (lock: string) => renameSync(lock.replace(/lock$/, "other"), lock)],
  ["taken on another machine", (lock: string) => utimesSync(lock, 1, 1)],
] as const) {
  const platforms = how === "taken on another machine" ? {} : deletable;
  test(`a ${how} lock stops the server before it writes more`, platforms, async (t) => {
    const given: Problem[] = [];
    const { host, folder, owner } = await startHosted(t, { onGivenUp: (problem) => void given.push(problem) });
    assert.equal((await send(host.url, owner, "before")).status, 200);
    writeFileSync(`${folder.path}/other`, "");
    const { token } = JSON.parse(readFileSync(`${folder.path}/host.json`, "utf8"));
    change(`${folder.path}/lock`);
    const lost = await send(host.url, owner, "unwritten");
    assert.deepEqual([lost.status, lost["code"]], [503, "SERVER_NOT_READY"]);
    await until(() => (given.length > 0 ? true : undefined), "the host to give up");
    assert.deepEqual(given, [problem("data_folder_taken_over", { folder: folder.path })]);
    await host.stop();
    assert.equal(JSON.parse(readFileSync(`${folder.path}/host.json`, "utf8")).token, token, "it may be the other's");
    const log = readdirSync(`${folder.path}/log`).map((name) => readFileSync(`${folder.path}/log/${name}`, "latin1"));
    assert.deepEqual([log.join().includes("before"), log.join().includes("unwritten")], [true, false]);
  });
}

test("an unwritable host.json is reported, not fatal", async (t) => {
  const { host, folder, owner, lines } = await startHosted(t);
  const file = `${folder.path}/host.json`;
  rmSync(file);
  mkdirSync(file);
  host.send("fail");
  await until(() => (host.restarts > 0 && host.state === "running" ? true : undefined), "a restart");
  assert.equal(await isUp(host.url, owner), true);
  assert.match(lines.join("\n"), /host\.json cannot be written yet: /);
  await host.stop();
  assert.match(lines.at(-1) as string, /host\.json.* left behind/);
  assert.equal(isLocked(folder.path), false);
});

test("a restart on a failing disk is retried", async (t) => {
  const given: Problem[] = [];
  const { host, folder, owner, lines } = await startHosted(t, { onGivenUp: (problem) => void given.push(problem) });
  const { id } = await send(host.url, owner, "kept");
  const log = `${folder.path}/log`;
  renameSync(log, `${log}.away`);
  writeFileSync(log, "in the way");
  host.send("fail");
  await until(() => (lines.filter((line) => line.includes("EEXIST")).length > 1 ? true : undefined), "two refusals");
  rmSync(log);
  renameSync(`${log}.away`, log);
  await until(() => isUp(host.url, owner), "the server to be back");
  assert.equal((await call(host.url, owner, `GET /messages/${id}`)).status, 200);
  assert.deepEqual(given, []);
});

/** Takes the port as soon as the server has released it. */
async function takePort(port: number): Promise<Server> {
  for (;;) {
    const server = createServer();
    const listening = new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (await listening) return server;
  }
}

test("a restart waits for a port that is briefly taken", async (t) => {
  const states: SupervisorState[] = [];
  const given: Problem[] = [];
  const { host, owner, lines } = await startHosted(t, {
    onState: (state) => void states.push(state),
    onGivenUp: (problem) => void given.push(problem),
  });
  host.send("fail");
  const taken = await takePort(Number(new URL(host.url).port));
  await until(() => (lines.filter((line) => line.includes("in use")).length > 1 ? true : undefined), "two refusals");
  assert.equal(host.state, "restarting");
  taken.close();
  await until(() => isUp(host.url, owner), "the server to be back");
  assert.deepEqual(given, []);
  assert.deepEqual(states, ["running", "restarting", "running"]);
});

test("a restart gives up on a port that stays taken", async (t) => {
  const states: SupervisorState[] = [];
  const given: Problem[] = [];
  const { host } = await startHosted(t, {
    onState: (state) => void states.push(state),
    onGivenUp: (problem) => void given.push(problem),
    testing: { hooks: true, timing: { portPatience: 600 } },
  });
  host.send("fail");
  const taken = await takePort(Number(new URL(host.url).port));
  t.after(() => taken.close());
  await until(() => (given.length > 0 ? true : undefined), "the host to give up");
  assert.match(problemText(given[0] as Problem), /in use/);
  assert.equal(host.state, "stopped");
  await host.stop();
  assert.deepEqual(states, ["running", "restarting", "stopped"]);
});
