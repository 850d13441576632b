import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { FormData, request } from "undici";
import { type Chat, startChat } from "../support/chat.ts";

// n8n's node, unmodified. Its package has hundreds of nodes with their dependencies, so only this node is unpacked.
const NODES = "n8n-nodes-base@2.41.2";
const DEPENDENCIES = ["n8n-workflow@2.41.0", "change-case@5.4.4"];
const ROOT = join(import.meta.dirname, "../../.build/n8n-node");

type Items = Record<string, any>;

const run = promisify(execFile);

async function installed(): Promise<new () => Items> {
  const done = join(ROOT, NODES);
  if (!existsSync(done)) {
    mkdirSync(ROOT, { recursive: true });
    await run("npm", ["install", "--prefix", ROOT, "--ignore-scripts", "--no-audit", ...DEPENDENCIES]);
    const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", ROOT, NODES]);
    await run("tar", ["xzf", stdout.trim(), "package/dist/nodes/Zulip"], { cwd: ROOT });
    writeFileSync(done, "");
  }
  return createRequire(import.meta.url)(join(ROOT, "package/dist/nodes/Zulip/Zulip.node.js")).Zulip;
}

/** The HTTP client that n8n gives to its nodes. It sends a form also with GET. */
async function sent({ auth, method, uri, form, qs, formData }: Items): Promise<Items> {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(qs ?? {})) url.searchParams.set(name, String(value));
  const authorization = `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString("base64")}`;
  const headers: Record<string, string> = { authorization };
  let body: string | FormData | null = null;
  if (formData) {
    body = new FormData();
    for (const [name, { value, options }] of Object.entries<Items>(formData))
      body.set(name, new Blob([new Uint8Array(value)], { type: options.contentType }), options.filename);
  } else if (form) {
    body = new URLSearchParams(form).toString();
    headers["content-type"] = "application/x-www-form-urlencoded";
  }
  const response = await request(url, { method, headers, body });
  const answer = (await response.body.json()) as Items;
  assert.equal(response.statusCode, 200, `${method} ${uri}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Runs an operation of the node as `name`, and returns its items. */
async function operate(chat: Chat, name: string, parameters: Items): Promise<Items[]> {
  const Node = await installed();
  const { email, key } = chat.as(name);
  const context = {
    getInputData: () => [{ json: {} }],
    getNodeParameter: (parameter: string) => parameters[parameter],
    getCredentials: async () => ({ url: chat.url, email, apiKey: key }),
    getNode: () => ({ name: "Zulip" }),
    continueOnFail: () => false,
    helpers: {
      request: sent,
      returnJsonArray: (found: Items | Items[]) => [found].flat().map((json) => ({ json })),
      constructExecutionMetaData: (items: Items[]) => items,
      assertBinaryData: () => ({ fileName: "castle.txt", mimeType: "text/plain" }),
      getBinaryDataBuffer: async () => Buffer.from("Elsinore"),
    },
  };
  const [items] = await new Node()["execute"].call(context);
  return items.map(({ json }: Items) => json);
}

const message = (operation: string, parameters: Items) => ({ resource: "message", operation, ...parameters });

test("n8n sends, edits, uploads and deletes", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general", subscribers: ["desdemona", "hamlet", "othello"] }] });
  const act = async (operation: string, parameters: Items) =>
    (await operate(chat, "desdemona", message(operation, parameters)))[0] as Items;
  const { streams } = await chat.as("desdemona").get("/streams");
  const stream = streams.find(({ name }: Items) => name === "general").stream_id;
  const { id } = await act("sendStream", { stream, topic: "castle", content: "Who's there?" });
  await act("sendPrivate", { to: [chat.as("othello").email], content: "Nay, answer me." });
  await act("update", { messageId: id, updateFields: { content: "Unfold yourself.", propagateMode: "changeOne" } });
  assert.equal((await act("get", { messageId: id }))["raw_content"], "Unfold yourself.");
  const { uri } = await act("updateFile", { dataBinaryProperty: "data" });
  assert.match(uri, /\/user_uploads\/.*castle\.txt$/);
  assert.equal((await act("delete", { messageId: id }))["result"], "success");
});

test("n8n manages channels and users", async (t) => {
  const chat = await startChat(t);
  const act = (resource: string, operation: string, parameters: Items) =>
    operate(chat, "desdemona", { resource, operation, additionalFields: {}, ...parameters });
  const subscriptions = { properties: [{ name: "ramparts", description: "A platform before the castle" }] };
  await act("stream", "create", { subscriptions });
  const [ramparts] = (await act("stream", "getSubscribed", {})).filter(({ name }) => name === "ramparts");
  const streamId = ramparts?.["stream_id"];
  await act("stream", "update", { streamId, additionalFields: { newName: "walls", description: "High ones" } });
  const [walls] = (await act("stream", "getAll", {})).filter(({ stream_id }) => stream_id === streamId);
  // The node encodes both as JSON. The protocol has not done so since level 64, so the quotes stay.
  assert.deepEqual([walls?.["name"], walls?.["description"]], ['"walls"', '"High ones"']);
  await act("stream", "delete", { streamId });

  const person = {
    email: "yorick@example.com",
    password: "alas, poor jester",
    fullName: "Yorick",
    shortName: "yorick",
  };
  const [created] = await act("user", "create", person);
  const userId = created?.["user_id"];
  await act("user", "update", { userId, additionalFields: { role: 600 } });
  const [{ user }] = (await act("user", "get", { userId })) as [Items];
  assert.equal(user.role, 600);
  await act("user", "deactivate", { userId });
  const [yorick] = (await act("user", "getAll", {})).filter(({ user_id }) => user_id === userId);
  assert.equal(yorick?.["is_active"], false);
});
