import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, watch, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { createSecret } from "../../server/host/credentials/secret-key.ts";
import type { Supervisor, SupervisorOptions, SupervisorState } from "../../server/host/supervisor/supervisor.ts";
import { openStore } from "../../server/storage/store.ts";
import { temporaryFolder } from "../support/organization.ts";
import { until } from "../support/patience.ts";
import { announced, dataFolder, endBeforeRemoval, hearth } from "../support/server-process.ts";
import { startSupervisor } from "../support/supervisor.ts";

const VENICE = {
  organization: "Venice",
  owner_name: "Desdemona",
  owner_email: "desdemona@example.com",
  password: "willow willow",
};

interface FirstRun {
  host: Supervisor;
  folder: string;
  lines: string[];
  states: SupervisorState[];
}

async function startFirstRun(t: TestContext, more: Partial<SupervisorOptions> = {}): Promise<FirstRun> {
  const folder = join(temporaryFolder(t), "data");
  const lines: string[] = [];
  const states: SupervisorState[] = [];
  const host = await startSupervisor({
    dataFolder: folder,
    port: 0,
    setup: "code",
    rateLimit: "off",
    testing: { passwordCost: 1024, hooks: true },
    report: (line) => void lines.push(line),
    onState: (state) => void states.push(state),
    ...more,
  });
  endBeforeRemoval(t, () => host.stop());
  return { host, folder, lines, states };
}

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, any>;
}

async function ask(
  url: string,
  route: string,
  params: Record<string, string | undefined> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const [method = "", path] = route.split(" ");
  const given = Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const body = method === "GET" ? {} : { body: new URLSearchParams(given) };
  const sent = { "hearth-error-reason": "1", ...headers };
  const response = await fetch(`${url}${path}`, { method, headers: sent, ...body });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, any> };
}

const setUp = (url: string, params: Record<string, string | undefined>, headers?: Record<string, string>) =>
  ask(url, "POST /host/setup", { ...VENICE, ...params }, headers);
const session = async (url: string, headers?: Record<string, string>) =>
  (await ask(url, "GET /host/session", {}, headers)).body;

/** Waits for the server after first run. Connections may be refused for a moment. */
const running = (url: string) =>
  until(
    () =>
      session(url).then(
        ({ setup }) => (setup === false ? true : undefined),
        () => undefined,
      ),
    "the server",
  );

const isOwner = async (url: string, password = VENICE.password) =>
  (await ask(url, "POST /api/v1/fetch_api_key", { username: VENICE.owner_email, password })).status === 200;

test("a local page with the code creates the organization", async (t) => {
  const { host, folder, lines, states } = await startFirstRun(t);
  const { url, setupCode: code } = host;
  assert.match(code as string, /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  assert.equal(host.state, "setup");
  assert.deepEqual(await session(url), {
    result: "success",
    msg: "",
    setup: true,
    code_needed: true,
    data_folder: folder,
    at_desktop: false,
    access: "none",
    user: null,
  });
  assert.deepEqual(
    readdirSync(folder).filter((name) => name === "secret.key" || name === "hearth.db"),
    [],
    "nothing is made before somebody makes it",
  );
  const made = await setUp(url, { code }, { origin: url });
  assert.deepEqual([made.status, made.body], [200, { result: "success", msg: "" }]);
  const cookie = made.headers.get("set-cookie")?.split(";")[0] as string;
  assert.equal(existsSync(join(folder, "hearth.db")), true);
  await running(url);
  const { user, ...rest } = await session(url, { cookie });
  assert.deepEqual([user.full_name, user.role, rest["setup"]], ["Desdemona", 100, false]);
  assert.equal((await ask(url, "GET /host/state", {}, { cookie })).body["organization"].name, "Venice");
  assert.equal(await isOwner(url), true);
  assert.equal(await isOwner(url, "another"), false);
  const again = await setUp(url, { code });
  assert.deepEqual([again.status, again.body["code"]], [409, "ALREADY_SET_UP"]);
  assert.deepEqual([host.url, host.restarts, host.state, host.setupCode], [url, 0, "running", undefined]);
  assert.deepEqual(lines, []);
  await host.stop();
  assert.deepEqual(states, ["setup", "running", "stopped"]);
  const later = await startSupervisor({ dataFolder: folder, port: 0, setup: "code", testing: { passwordCost: 1024 } });
  endBeforeRemoval(t, () => later.stop());
  assert.deepEqual([later.state, later.setupCode], ["running", undefined]);
  assert.equal(await isOwner(later.url), true);
});

test("the desktop creates an organization without a code", async (t) => {
  const { host, folder } = await startFirstRun(t, { setup: "operator" });
  const desk = { authorization: `Bearer ${host.token}` };
  assert.equal(host.setupCode, undefined);
  const { code_needed, data_folder, at_desktop, setup } = await session(host.url, desk);
  assert.deepEqual([setup, code_needed, data_folder, at_desktop], [true, false, folder, true]);
  for (const code of [undefined, "", "0000-0000"]) assert.equal((await setUp(host.url, { code })).status, 403);
  assert.equal((await setUp(host.url, {}, { authorization: "Bearer another's" })).status, 401);
  assert.equal((await setUp(host.url, {}, { authorization: "Basic YTpi" })).status, 503);
  const made = await setUp(host.url, {}, desk);
  assert.deepEqual([made.status, made.headers.get("set-cookie")], [200, null]);
  await running(host.url);
  const { user } = await session(host.url, desk);
  assert.equal(user.full_name, "Desdemona");
  assert.equal(host.state, "running");
});

test("the code tolerates case, spaces and similar letters", async (t) => {
  const { host } = await startFirstRun(t);
  const code = host.setupCode as string;
  const typed = ` ${code.toLowerCase().replace("-", "  ").replaceAll("0", "o").replaceAll("1", "l")} `;
  assert.equal((await setUp(host.url, { code: typed })).status, 200);
});

test("ten wrong codes replace the code", async (t) => {
  const { host, lines } = await startFirstRun(t);
  const first = host.setupCode as string;
  for (let guess = 0; guess < 9; guess += 1) {
    const { status, body } = await setUp(host.url, { code: `0000-000${guess}` });
    assert.deepEqual([status, body["code"], body["var_name"]], [400, "INVALID_SETUP_CODE", "code"]);
  }
  assert.equal(host.setupCode, first);
  await setUp(host.url, { code: "" });
  const second = await until(() => (host.setupCode === first ? undefined : host.setupCode), "a new code");
  assert.equal(lines.length, 1);
  assert.match(lines[0] as string, new RegExp(second));
  assert.equal((await setUp(host.url, { code: first })).body["code"], "INVALID_SETUP_CODE");
  assert.equal((await setUp(host.url, { code: second })).status, 200);
});

test("an invalid field is named and nothing is created", async (t) => {
  const { host, folder } = await startFirstRun(t);
  const code = host.setupCode;
  const wrong: [string, string | undefined][] = [
    ["organization", ""],
    ["organization", "x".repeat(41)],
    ["organization", "a\0b"],
    ["owner_name", "x"],
    ["owner_name", "a@b"],
    ["owner_email", "nobody"],
    ["owner_email", ""],
    ["password", "short"],
    ["password", "x".repeat(101)],
    ["organization", undefined],
    ["owner_name", undefined],
    ["owner_email", undefined],
    ["password", undefined],
    ["code", undefined],
  ];
  for (const [name, value] of wrong) {
    const { status, body } = await setUp(host.url, { code, [name]: value });
    assert.deepEqual([status, body["var_name"]], [400, name], `${name}: ${value}`);
    assert.equal(body["code"], value === undefined ? "REQUEST_VARIABLE_MISSING" : "BAD_REQUEST");
  }
  assert.equal(existsSync(join(folder, "secret.key")), false);
  assert.equal((await setUp(host.url, { code })).status, 200);
});

test("exactly one of several concurrent setups succeeds", async (t) => {
  const { host } = await startFirstRun(t);
  const code = host.setupCode;
  const names = ["a", "b", "c", "d"].map((name) => `${name}@example.com`);
  const answers = await Promise.all(names.map((owner_email) => setUp(host.url, { code, owner_email })));
  const made = answers.map(({ status }) => status);
  assert.deepEqual(made.toSorted(), [200, 409, 409, 409]);
  assert.ok(answers.every(({ status, body }) => status === 200 || body["code"] === "ALREADY_SET_UP"));
  await running(host.url);
  const winner = names[made.indexOf(200)] as string;
  for (const username of names) {
    const { status } = await ask(host.url, "POST /api/v1/fetch_api_key", { username, password: VENICE.password });
    assert.equal(status, username === winner ? 200 : 401);
  }
});

test("first run can start from a backup", async (t) => {
  const { folder, host } = await startFirstRun(t);
  const { path } = await dataFolder(t);
  const file = join(temporaryFolder(t), "backup.tar");
  const made = hearth(t, ["backup", "--data", path, "--to", file], { HEARTH_BACKUP_PASSPHRASE: "a horse for it" });
  assert.equal((await made.ended).code, 0);
  const code = host.setupCode;
  const preview = (params: Record<string, string | undefined>) =>
    ask(host.url, "POST /host/setup/restore/preview", { code, file, ...params });
  const restore = (params: Record<string, string | undefined>) =>
    ask(host.url, "POST /host/setup/restore", { code, file, ...params });

  const seen = await preview({});
  assert.equal(seen.status, 200, seen.body["msg"]);
  assert.deepEqual(
    [seen.body["organization"], seen.body["people"], seen.body["needs_passphrase"]],
    ["Venice", 4, true],
  );
  for (const [answer, said, field] of [
    [await preview({ code: "0000-0000" }), /code is wrong/, "code"],
    [await restore({ code: undefined }), /code is missing/, "code"],
    [await preview({ file: "backup.tar" }), /Not an absolute file path/, "file"],
    [await preview({ file: `${file}.none` }), /File not found/, "file"],
    [await preview({ file: join(path, "hearth.db") }), /not a Hearth backup/, "file"],
    [await restore({}), /Enter the passphrase/, "passphrase"],
    [await restore({ passphrase: "another horse" }), /passphrase is wrong/, "passphrase"],
  ] as const) {
    assert.equal(answer.status, 400);
    assert.match(answer.body["msg"], said);
    assert.equal(answer.body["var_name"], field);
  }
  assert.ok(!existsSync(join(folder, "hearth.db")));
  const other = await ask(host.url, "POST /host/setup/restore", { code, file }, { origin: "http://evil.example" });
  assert.equal(other.status, 403);

  const answer = await restore({ passphrase: "a horse for it" });
  assert.equal(answer.status, 200, answer.body["msg"]);
  await until(
    async () => (await session(host.url).catch(() => undefined))?.["setup"] === false || undefined,
    "the server",
  );
  const key = await ask(host.url, "POST /api/v1/fetch_api_key", {
    username: "owner@example.com",
    password: "secret-owner",
  });
  assert.equal(key.status, 200);
  const late = await restore({ passphrase: "a horse for it" });
  assert.equal(late.body["code"], "ALREADY_SET_UP");
});

test("a page of another origin cannot use the code", async (t) => {
  const { host, folder } = await startFirstRun(t);
  const code = host.setupCode;
  for (const origin of ["http://evil.example", "null"]) {
    const { status, body } = await setUp(host.url, { code }, { origin });
    assert.deepEqual([status, body["code"]], [403, "BAD_ORIGIN"]);
  }
  assert.equal(existsSync(join(folder, "secret.key")), false);
});

const lan = Object.values(networkInterfaces())
  .flat()
  .find((address) => address && !address.internal && address.family === "IPv4")?.address;

test("other machines cannot create the organization", { skip: lan ? false : "no network" }, async (t) => {
  const { host } = await startFirstRun(t, { host: "0.0.0.0" });
  const from = host.url.replace("0.0.0.0", lan as string);
  const { setup, data_folder } = await session(from);
  assert.deepEqual([setup, data_folder], [true, ""]);
  for (const headers of [{}, { authorization: `Bearer ${host.token}` }] as Record<string, string>[]) {
    const { status, body } = await setUp(from, { code: host.setupCode }, headers);
    assert.equal(status, 403);
    assert.match(body["msg"], /server's own computer/);
  }
  assert.equal((await setUp(host.url.replace("0.0.0.0", "127.0.0.1"), { code: host.setupCode })).status, 200);
});

test("early clients get 503 while pages are served", async (t) => {
  const { host } = await startFirstRun(t);
  for (const route of [
    "GET /api/v1/server_settings",
    "POST /api/v1/messages",
    "GET /api/v1/messages/7",
    "GET /host/state",
  ]) {
    const { status, body } = await ask(host.url, route, {}, { authorization: "Basic YTpi" });
    assert.deepEqual([status, body["code"]], [503, "SERVER_NOT_READY"], route);
  }
  assert.equal((await ask(host.url, "GET /api/v1/nothing")).status, 404);
  // The chat page leads to first run (test/ui/chat-sign-in.test.ts).
  const page = await fetch(`${host.url}/`);
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
});

test("a thread that fails in first run restarts with a new code", async (t) => {
  const { host, lines, states } = await startFirstRun(t);
  const { url, setupCode: first } = host;
  host.send("fail");
  const code = await until(() => (host.setupCode === first ? undefined : host.setupCode), "the next code");
  await until(() => (host.state === "setup" ? true : undefined), "first run");
  assert.ok(lines.some((line) => line.includes(code)));
  assert.equal(host.url, url);
  assert.equal((await setUp(url, { code })).status, 200);
  await running(url);
  assert.deepEqual(states, ["setup", "restarting", "setup", "running"]);
});

test("an interrupted init is completed", async (t) => {
  const folder = temporaryFolder(t);
  const complete = async () => {
    const { host } = await startFirstRun(t, { dataFolder: folder });
    assert.equal(host.state, "setup");
    await host.stop();
  };
  createSecret(folder);
  await complete();
  await (await openStore({ folder, create: true })).close();
  await complete();
  const { host } = await startFirstRun(t, { dataFolder: folder });
  assert.equal((await setUp(host.url, { code: host.setupCode })).status, 200);
  await running(host.url);
  assert.equal(await isOwner(host.url), true);
});

test("damaged data is rejected, not treated as empty", async (t) => {
  const spoilt: [RegExp, (folder: string) => void][] = [
    [/secret\.key is missing/, (folder) => rmSync(`${folder}/secret.key`)],
    [/hearth\.db/, (folder) => rmSync(`${folder}/hearth.db`)],
    [/log/, (folder) => rmSync(`${folder}/log`, { recursive: true })],
    [/hearth\.db/, (folder) => writeFileSync(`${folder}/hearth.db`, "no database")],
    [/secret\.key is damaged/, (folder) => writeFileSync(`${folder}/secret.key`, "")],
  ];
  for (const [why, spoil] of spoilt) {
    const { path } = await dataFolder(t);
    spoil(path);
    await assert.rejects(startSupervisor({ dataFolder: path, port: 0, setup: "code" }), why);
  }
  const folder = temporaryFolder(t);
  mkdirSync(`${folder}/log`);
  await assert.rejects(startSupervisor({ dataFolder: folder, port: 0 }), /no organization/, "without setup, as ever");
});

test("an unusable folder is reported", async (t) => {
  const file = join(temporaryFolder(t), "letter.txt");
  writeFileSync(file, "");
  const refused: [string, string][] = [
    [file, "it is a file."],
    [join(file, "data"), "a part of its path is a file."],
  ];
  for (const [dataFolder, why] of refused) {
    const refusal = { message: `${dataFolder} cannot be the data folder: ${why}` };
    await assert.rejects(startSupervisor({ dataFolder, port: 0, setup: "code" }), refusal);
  }
});

/** When the server is killed: milliseconds after the request, or the file whose appearance triggers it. */
const MOMENTS = [0, "secret.key", "log/", 150, "hearth.db", 300, "secret.key.new", 450, "hearth.db.new", 600] as const;

async function come(folder: string, moment: (typeof MOMENTS)[number], answer: Promise<unknown>): Promise<void> {
  if (typeof moment === "number") return void (await new Promise((resolve) => setTimeout(resolve, moment)));
  // The system reports files that exist too briefly for polling.
  const watcher = watch(folder, { recursive: moment.endsWith("/") });
  const appears = new Promise<void>((resolve) => {
    watcher.on("change", (_kind, name) => {
      if (moment.endsWith("/") ? String(name).startsWith(moment) : name === moment) resolve();
    });
  });
  await Promise.race([appears, answer]);
  watcher.close();
}

test("a kill at any moment of first run is recoverable", async (t) => {
  const folder = temporaryFolder(t);
  const start = async () => {
    const server = hearth(t, ["serve", "--data", folder, "--port", "0", "--rate-limit", "off"]);
    const url = await announced(server);
    const { setup } = await session(url);
    const code = setup ? await until(() => /code=(\S+)/.exec(server.stderr)?.[1], "the code") : undefined;
    const kill = async () => {
      server.child.kill("SIGKILL");
      await server.ended;
    };
    return { url, code, kill };
  };
  let server = await start();
  for (const moment of MOMENTS) {
    const { url, code, kill } = server;
    const answer = setUp(url, { code }).then(
      ({ status }) => status,
      () => undefined,
    );
    await come(folder, moment, answer);
    await kill();
    server = await start();
    if ((await answer) === 200) assert.equal(server.code, undefined, "what was acknowledged is there");
    if (server.code !== undefined) continue; // nothing was created
    assert.equal(await isOwner(server.url), true, "made is wholly made");
    await server.kill();
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true }); // and start again
    server = await start();
  }
  const { url, code } = server;
  assert.equal((await setUp(url, { code })).status, 200);
  await running(url);
  assert.equal(await isOwner(url), true);
});
