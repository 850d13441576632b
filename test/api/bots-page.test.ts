import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";

// The snippets of docs/bots.md, as they stand.

const page = readFileSync(fileURLToPath(new URL("../../docs/bots.md", import.meta.url)), "utf8");

function snippet(language: string): string {
  const found = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))];
  assert.equal(found.length, 1, language);
  return found[0]?.[1] as string;
}

const without = (program: string) =>
  spawnSync(program, ["--version"]).error === undefined ? false : `${program} is not installed`;

async function startWithBot(t: TestContext): Promise<{ chat: Chat; botId: number; env: NodeJS.ProcessEnv }> {
  const chat = await startChat(t, { unwatched: true });
  const made = await chat.as("hamlet").post("/bots", { full_name: "Echo", short_name: "echo", bot_type: 1 });
  const { bots } = await chat.as("hamlet").get("/bots");
  const bot = bots.find(({ full_name }: { full_name: string }) => full_name === "Echo");
  const env = {
    ...process.env,
    no_proxy: "*",
    HEARTH_SITE: chat.url,
    HEARTH_EMAIL: bot.username,
    HEARTH_KEY: made["api_key"],
  };
  return { chat, botId: made["user_id"], env };
}

const newestFor = async (
  chat: Chat,
  who: string,
): Promise<{ sender_full_name: string; content: string } | undefined> => {
  const narrow = [{ operator: "is", operand: "dm" }];
  const { messages } = await chat.as(who).get("/messages", { anchor: "newest", num_before: 1, num_after: 0, narrow });
  return messages[0];
};

test("docs/bots.md: curl sends the first message", { skip: without("curl") }, async (t) => {
  const { chat, env } = await startWithBot(t);
  await promisify(execFile)("sh", ["-ec", snippet("sh")], { env });
  const message = await newestFor(chat, "hamlet");
  assert.deepEqual([message?.sender_full_name, message?.content], ["Echo", "<p>Hello from <strong>curl</strong></p>"]);
});

for (const [language, file, program] of [
  ["python", "bot.py", "python3"],
  ["js", "bot.mjs", process.execPath],
] as const)
  test(`docs/bots.md: ${file} responds`, { skip: without(program) }, async (t) => {
    const { chat, botId, env } = await startWithBot(t);
    const folder = mkdtempSync(join(tmpdir(), "hearth-bot-"));
    writeFileSync(join(folder, file), snippet(language));
    const bot = spawn(program, [file], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => {
      bot.kill();
      rmSync(folder, { recursive: true });
    });
    await new Promise((resolve, reject) => {
      bot.stdout.once("data", resolve);
      bot.once("exit", () => reject(new Error("The bot has ended.")));
    });
    await chat.as("hamlet").post("/messages", { type: "direct", to: [botId], content: "to be" });
    const content = await until(async () => {
      const message = await newestFor(chat, "hamlet");
      return message?.sender_full_name === "Echo" ? message.content : undefined;
    }, "its response");
    assert.match(content, /You said: .*to be/s);
  });
