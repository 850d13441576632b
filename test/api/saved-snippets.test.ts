import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

test("saved snippets are created, changed and deleted with events", async (t) => {
  const now = 1_800_000_000_900;
  const chat = await startChat(t, { now: () => now });
  const hamlet = chat.as("hamlet");
  const [own, other] = [await chat.register("hamlet"), await chat.register("othello")];
  const created = await hamlet.post("/saved_snippets", { title: "  Greeting ", content: "\nHello **all**\n" });
  assert.equal(created.status, 200, created.msg);
  const id = created.saved_snippet_id;
  const second = (await hamlet.post("/saved_snippets", { title: "Bye", content: "Good night" })).saved_snippet_id;
  const greeting = { id, title: "Greeting", content: "Hello **all**", date_created: 1_800_000_000 };
  const bye = { id: second, title: "Bye", content: "Good night", date_created: 1_800_000_000 };
  const listed = async () => (await hamlet.get("/saved_snippets")).saved_snippets;
  assert.deepEqual(await listed(), [greeting, bye]);
  assert.equal((await hamlet.patch(`/saved_snippets/${id}`, { title: "Hi" })).status, 200);
  assert.equal((await hamlet.patch(`/saved_snippets/${id}`, { content: "Hi all" })).status, 200);
  const hi = { ...greeting, title: "Hi" };
  assert.deepEqual(await listed(), [{ ...hi, content: "Hi all" }, bye]);
  assert.deepEqual((await chat.register("hamlet")).state.saved_snippets, await listed());
  assert.equal((await hamlet.delete(`/saved_snippets/${second}`)).status, 200);
  assert.deepEqual(await listed(), [{ ...hi, content: "Hi all" }]);
  assert.deepEqual(
    (await own.events()).map(({ id: _, ...event }) => event),
    [
      { type: "saved_snippets", op: "add", saved_snippet: greeting },
      { type: "saved_snippets", op: "add", saved_snippet: bye },
      { type: "saved_snippets", op: "update", saved_snippet: hi },
      { type: "saved_snippets", op: "update", saved_snippet: { ...hi, content: "Hi all" } },
      { type: "saved_snippets", op: "remove", saved_snippet_id: second },
    ],
  );
  assert.deepEqual(await other.events(), []);
});

test("another person's saved snippet looks like a missing one", async (t) => {
  const chat = await startChat(t);
  const { saved_snippet_id: id } = await chat.as("hamlet").post("/saved_snippets", { title: "mine", content: "x" });
  const othello = chat.as("othello");
  for (const path of [`/saved_snippets/${id}`, "/saved_snippets/999"]) {
    for (const answer of [await othello.delete(path), await othello.patch(path, { title: "theirs" })]) {
      const expected = [404, "BAD_REQUEST", "Saved snippet not found."];
      assert.deepEqual([answer.status, answer.code, answer.msg], expected);
    }
  }
  assert.deepEqual((await othello.get("/saved_snippets")).saved_snippets, []);
  assert.deepEqual((await chat.register("othello")).state.saved_snippets, []);
  assert.equal((await chat.as("hamlet").get("/saved_snippets")).saved_snippets[0].title, "mine");
});

test("title and content have length limits", async (t) => {
  const chat = await startChat(t);
  const hamlet = chat.as("hamlet");
  const longest = { title: "𝄞".repeat(60), content: "𝄞".repeat(10_000) };
  const padded = { title: `${longest.title} `, content: `${longest.content} \n` };
  const { saved_snippet_id: id, status } = await hamlet.post("/saved_snippets", padded);
  assert.equal(status, 200);
  for (const [bad, word] of [
    [{ title: "x".repeat(61) }, "60"],
    [{ content: "x".repeat(10_001) }, "10000"],
    [{ title: " " }, "title"],
    [{ content: "\n" }, "content"],
  ] as const) {
    for (const answer of [
      await hamlet.post("/saved_snippets", { title: "t", content: "c", ...bad }),
      await hamlet.patch(`/saved_snippets/${id}`, bad),
    ]) {
      assert.deepEqual([answer.status, answer.code, answer.msg.includes(word)], [400, "BAD_REQUEST", true], answer.msg);
    }
  }
  assert.equal((await hamlet.post("/saved_snippets", { content: "c" })).code, "REQUEST_VARIABLE_MISSING");
  assert.equal((await hamlet.post("/saved_snippets", { title: "t" })).code, "REQUEST_VARIABLE_MISSING");
  const unchanged = await hamlet.patch(`/saved_snippets/${id}`);
  assert.deepEqual([unchanged.status, unchanged.code], [400, "BAD_REQUEST"]);
  const { saved_snippets } = await hamlet.get("/saved_snippets");
  assert.deepEqual(
    saved_snippets.map(({ title, content }: Record<string, string>) => ({ title, content })),
    [longest],
  );
});

test("one person's saved snippets are limited together", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const hamlet = chat.as("hamlet");
  const content = "é".repeat(10_000);
  const short = await hamlet.post("/saved_snippets", { title: "Short", content: "Hi" });
  for (let at = 0; at < 99; at++) {
    const kept = await hamlet.post("/saved_snippets", { title: "Long", content });
    assert.equal(kept.result, "success", kept.msg);
  }
  const refused = await hamlet.post("/saved_snippets", { title: "One more", content });
  assert.deepEqual([refused.status, refused["code"]], [400, "BAD_REQUEST"]);
  const id = short["saved_snippet_id"];
  assert.equal((await hamlet.patch(`/saved_snippets/${id}`, { content: `${content.slice(1)}x` })).status, 200);
  assert.equal((await hamlet.patch(`/saved_snippets/${id}`, { content: "shorter" })).status, 200);
  assert.equal((await chat.as("othello").post("/saved_snippets", { title: "His own", content })).status, 200);
});
