import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

test("commands change the caller's settings only", async (t) => {
  const chat = await startChat(t);
  const [own, other] = [await chat.register("polonius"), await chat.register("hamlet")];
  const run = (command: string, name = "polonius") => chat.as(name).post("/zcommand", { command });
  for (const command of ["/ping", "/dark", "/night", "/light", " /day ", "/fluid-width", "/fixed-width"]) {
    const answer = await run(command);
    assert.deepEqual([answer.status, answer.result, answer.msg], [200, "success", ""], command);
  }
  assert.deepEqual(
    (await own.events()).map(({ type, property, value }) => [type, property, value]),
    [
      ["user_settings", "color_scheme", 2],
      ["user_settings", "color_scheme", 3],
      ["user_settings", "fluid_layout_width", true],
      ["user_settings", "fluid_layout_width", false],
    ],
  );
  assert.deepEqual(await other.events(), []);
  assert.equal((await run("/ping", "bot")).status, 200);
});

test("rejects unknown commands", async (t) => {
  const chat = await startChat(t);
  const queue = await chat.register("hamlet");
  for (const [command, msg] of [
    ["ping", /slash/],
    ["", /slash/],
    ["/", /Unknown command: ""/],
    ["/dance", /Unknown command: "dance"/],
    ["/constructor", /Unknown command/],
    ["/PING", /Unknown command/],
  ] as const) {
    const answer = await chat.as("hamlet").post("/zcommand", { command });
    assert.deepEqual([answer.status, answer["code"]], [400, "BAD_REQUEST"], command);
    assert.match(answer.msg, msg);
  }
  assert.equal((await chat.as("hamlet").post("/zcommand"))["var_name"], "command");
  assert.equal((await chat.anonymous("POST", "/zcommand", { command: "/ping" })).status, 401);
  assert.deepEqual(await queue.events(), []);
});
