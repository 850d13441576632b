import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { type CallServer, callsTo } from "../../server/host/supervisor/running-server.ts";
import { tablesIn } from "../support/imports.ts";
import { mattermostExport, post } from "../support/mattermost-export.ts";
import { until } from "../support/patience.ts";
import { call, dataFolder, type Person, type Serving, serve } from "../support/server-process.ts";

interface State {
  current: { stage: string; done: number } | null;
  imports: { id: number; state: string }[];
}

const stateOf = (operator: CallServer) => operator<State>("GET", "/host/imports");

/** Waits until the current import has left its stage. */
const stageAfter = (operator: CallServer, stage: string) =>
  until(async () => {
    const { current } = await stateOf(operator);
    return current?.stage === stage ? undefined : { stage: current?.stage };
  }, `the stage after ${stage}`);

/** Begins an import of 12,000 messages with files in all channels and conversations. */
async function beginImport(t: TestContext, operator: CallServer): Promise<void> {
  const posts = Array.from({ length: 12_000 }, (_, n) =>
    post(`message ${n}`, n, n % 50 === 0 ? { attachments: [{ path: "boat.png" }] } : {}),
  );
  await operator("POST", "/host/imports/current", new URLSearchParams({ path: mattermostExport(t, posts) }));
  assert.deepEqual(await stageAfter(operator, "reading"), { stage: "ready" });
  const { choices, channels } = await operator<any>("GET", "/host/imports/current/preview");
  const all = { channels: channels.map(({ id }: { id: string }) => id), direct_messages: true, consent: true };
  const body = new URLSearchParams({ choices: JSON.stringify({ ...choices, ...all }) });
  await operator("POST", "/host/imports/current/start", body);
}

async function end({ child, ended }: Serving, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await ended;
}

test("a crash while messages are written leaves the tables of before", async (t) => {
  const { path } = await dataFolder(t);
  const before = await tablesIn(path);
  for (const messages of [0, 3000]) {
    const server = await serve(t, path);
    const operator = callsTo(path);
    await beginImport(t, operator);
    const isWritten = ({ current }: State) => current?.stage === "writing" && current.done >= messages;
    await until(async () => isWritten(await stateOf(operator)) || undefined, `${messages} messages`);
    await end(server, "SIGKILL");
    const again = await serve(t, path);
    assert.deepEqual(await stageAfter(callsTo(path), "removing"), { stage: "ready" });
    assert.deepEqual((await stateOf(callsTo(path))).imports, []);
    await end(again, "SIGTERM");
    assert.deepEqual(await tablesIn(path), before);
  }
});

/** Waits until the removal has deleted messages. */
async function someRemoved(url: string, owner: Person): Promise<void> {
  const narrow = [{ operator: "channel", operand: "Development" }];
  const newest = async () => {
    const found = await call(url, owner, "GET /messages", { anchor: "newest", num_before: 1, num_after: 0, narrow });
    return found["messages"]?.[0]?.id ?? 0;
  };
  const first = await newest();
  await until(async () => (await newest()) < first || undefined, "a removed message");
}

test("crashes during a removal leave the tables of before", async (t) => {
  const { path, people } = await dataFolder(t);
  const before = await tablesIn(path);
  let server = await serve(t, path);
  await beginImport(t, callsTo(path));
  assert.deepEqual(await stageAfter(callsTo(path), "writing"), { stage: undefined });
  await callsTo(path)("DELETE", "/host/imports/1");
  for (let crash = 0; crash < 2; crash += 1) {
    await someRemoved(server.url, people[0] as Person);
    assert.equal((await stateOf(callsTo(path))).current?.stage, "removing");
    await end(server, "SIGKILL");
    server = await serve(t, path);
  }
  assert.deepEqual(await stageAfter(callsTo(path), "removing"), { stage: undefined });
  assert.deepEqual((await stateOf(callsTo(path))).imports, []);
  await end(server, "SIGTERM");
  assert.deepEqual(await tablesIn(path), before);
});
