import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";

// Clients from PyPI, unmodified. The first run downloads 200 MB. zulip-term allows only Python before 3.11, but runs
// with it.
const ROOT = join(import.meta.dirname, "../../.build/python-clients");
const LIBRARIES = { name: "zulip", packages: ["zulip==0.9.1", "zulip-bots==0.9.1", "zulip-term==0.7.0"] };
const APPRISE = { name: "apprise", packages: ["apprise==2.3.0"] };
const MCP = { name: "mcp", packages: ["zulipchat-mcp==0.7.6"] };

const run = promisify(execFile);

/** The folder with the programs of the packages. */
async function installed({ name, packages }: { name: string; packages: string[] }): Promise<string> {
  const folder = join(ROOT, name);
  const done = join(folder, packages.join(" "));
  if (existsSync(done)) return join(folder, "bin");
  mkdirSync(ROOT, { recursive: true });
  await run("python3", ["-m", "venv", folder]);
  await run(join(folder, "bin/pip"), ["install", "--quiet", "--ignore-requires-python", ...packages]);
  writeFileSync(done, "");
  return join(folder, "bin");
}

const start = (t: TestContext) =>
  startChat(t, { channels: [{ name: "general", subscribers: ["desdemona", "hamlet", "othello", "bot"] }] });

/** The configuration file with which these clients sign in. */
function configOf(chat: Chat, name: string): string {
  const { email, key } = chat.as(name);
  const path = join(chat.folder, `${name}.zuliprc`);
  writeFileSync(path, `[api]\nemail=${email}\nkey=${key}\nsite=${chat.url}\n`, { mode: 0o600 });
  return path;
}

const post = (chat: Chat, content: string) =>
  chat.as("hamlet").post("/messages", { type: "stream", to: "general", topic: "castle", content });

const LIBRARY_CALLS = `
import json, sys, zulip
client = zulip.Client(config_file=sys.argv[1])
queue = client.register(event_types=["message", "update_message", "reaction"])
sent = client.send_message({"type": "stream", "to": "general", "topic": "castle", "content": "Who's there?"})
client.update_message({"message_id": sent["id"], "content": "Stand and unfold yourself."})
client.add_reaction({"message_id": sent["id"], "emoji_name": "tada"})
events, last = [], queue["last_event_id"]
while len(events) < 3:
    for event in client.get_events(queue_id=queue["queue_id"], last_event_id=last)["events"]:
        last = event["id"]
        if event["type"] != "heartbeat":
            events.append(event["type"])
with open(sys.argv[1], "rb") as file:
    upload = client.upload_file(file)
narrow = [{"operator": "topic", "operand": "castle"}]
found = client.get_messages({"anchor": "newest", "num_before": 5, "num_after": 0, "narrow": narrow, "apply_markdown": False})
print(json.dumps({"events": events, "uploaded": upload["result"], "found": [m["content"] for m in found["messages"]]}))
`;

test("the Python library sends, edits, reacts, uploads, searches and follows events", async (t) => {
  const bin = await installed(LIBRARIES);
  const chat = await start(t);
  const { stdout } = await run(join(bin, "python"), ["-c", LIBRARY_CALLS, configOf(chat, "bot")]);
  assert.deepEqual(JSON.parse(stdout), {
    events: ["message", "update_message", "reaction"],
    uploaded: "success",
    found: ["Stand and unfold yourself."],
  });
  const send = ["--stream", "general", "--subject", "castle", "--message", "Long live the king!"];
  await run(join(bin, "zulip-send"), [...send, "--config-file", configOf(chat, "othello")]);
});

test("a bot of zulip-bots answers", async (t) => {
  const bin = await installed(LIBRARIES);
  const chat = await start(t);
  const bot = spawn(join(bin, "zulip-run-bot"), ["helloworld", "--config-file", configOf(chat, "bot")]);
  t.after(() => bot.kill("SIGKILL"));
  await until(() => chat.server.app.queues.waiting > 0 || undefined, "its poll");
  await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids["bot"]], content: "hello" });
  const answer = { anchor: "newest", num_before: 1, num_after: 0, narrow: [["sender", chat.ids["bot"]]] };
  await until(async () => {
    const { messages } = await chat.as("hamlet").get("/messages", { ...answer, apply_markdown: false });
    return messages[0]?.content === "beep boop" || undefined;
  }, "its answer");
});

test("the terminal client shows a message and follows a new one", async (t) => {
  const bin = await installed(LIBRARIES);
  const chat = await start(t);
  await post(chat, "Tis now struck twelve.");
  const inTerminal = `import pty; pty.spawn(["sh", "-c", "stty rows 40 cols 160; exec '${join(bin, "zulip-term")}' --config-file '${configOf(chat, "othello")}'"])`;
  const terminal = spawn("python3", ["-c", inTerminal], { env: { ...process.env, TERM: "xterm-256color" } });
  t.after(() => terminal.kill("SIGKILL"));
  let shown = "";
  terminal.stdout.on("data", (data) => (shown += data));
  const sees = (text: string) => until(() => shown.includes(text) || undefined, text).catch(() => assert.fail(shown));
  await sees("struck");
  await post(chat, "Get thee to bed.");
  await sees("thee to bed");
});

// Apprise uses port 443 and cannot name another, so the address is set.
const APPRISE_CALLS = `
import sys, apprise
from apprise.plugins.zulip import NotifyZulip
NotifyZulip.notify_url = sys.argv[1] + "/api/v1/messages"
bell = apprise.Apprise()
bell.add(sys.argv[2])
sys.exit(not bell.notify(title="watch", body="The bell then beating one."))
`;

test("Apprise notifies a channel and a person", async (t) => {
  const bin = await installed(APPRISE);
  const chat = await start(t);
  const { user_id, api_key } = await chat.as("hamlet").post("/bots", { full_name: "Bell", short_name: "bell" });
  const { user } = await chat.as("hamlet").get(`/users/${user_id}`);
  const [name, organization] = user.email.split("@");
  const address = `zulip://${name}@${organization}/${api_key}/general/${chat.as("othello").email}`;
  await run(join(bin, "python"), ["-c", APPRISE_CALLS, chat.url, address]);
  const sent = { anchor: "newest", num_before: 9, num_after: 0, narrow: [["sender", user_id]], apply_markdown: false };
  const { messages } = await chat.as("othello").get("/messages", sent);
  const contents = messages.map(({ type, content }: Record<string, string>) => [type, content]);
  assert.deepEqual(contents, [
    ["stream", "The bell then beating one."],
    ["private", "The bell then beating one."],
  ]);
});

const MCP_CALLS = `
import asyncio, json, sys
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
async def main():
    transport = StdioTransport(sys.argv[1], ["--zulip-config-file", sys.argv[2]])
    async with Client(transport) as client:
        call = lambda name, **args: client.call_tool(name, args)
        sent = await call("send_message", type="stream", to="general", topic="castle", content="For this relief much thanks.")
        found = await call("search_messages", stream="general", topic="castle")
        print(json.dumps([sent.data, found.data], default=str))
asyncio.run(main())
`;

test("the MCP server for assistants sends and searches", async (t) => {
  const bin = await installed(MCP);
  const chat = await start(t);
  const program = join(bin, "zulipchat-mcp");
  const { stdout } = await run(join(bin, "python"), ["-c", MCP_CALLS, program, configOf(chat, "othello")]);
  const [sent, found] = JSON.parse(stdout) as Record<string, any>[];
  assert.equal(sent?.["status"], "success", stdout);
  assert.match(JSON.stringify(found), /For this relief much thanks/);
});
