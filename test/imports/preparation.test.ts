import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import fc from "fast-check";
import { markdownOf, type Names, plainTextOf } from "../../server/imports/markdown.ts";
import type { Text } from "../../server/imports/model.ts";
import { SortedMessages } from "../../server/imports/sorted-messages.ts";
import { surveyOf } from "../../server/imports/survey.ts";
import { Topics } from "../../server/imports/topics.ts";
import { collected } from "../support/collected.ts";
import { importedMessage, importedPerson, readerOf } from "../support/imported.ts";

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "hearth-sorted-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("messages are sorted by time with files, and keep the order of the source at equal times", async (t) => {
  const path = folder(t);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(20), { maxLength: 60 }),
      fc.integer({ min: 1, max: 2000 }),
      async (times, size) => {
        const sorted = new SortedMessages(path, { runCharacters: size });
        const messages = times.map((sentAt, at) => importedMessage(`line\n${at}`, { sentAt }));
        for (const message of messages) await sorted.add(message);
        await sorted.flush();
        const expected = [...messages].sort((a, b) => a.sentAt - b.sentAt);
        assert.deepEqual(await collected(new SortedMessages(path, { runs: sorted.runs }).read()), expected);
        await sorted.remove();
      },
    ),
    { numRuns: 30 },
  );
  assert.deepEqual(readdirSync(path), []);
});

test("an interrupted reading closes its files", async (t) => {
  const sorted = new SortedMessages(folder(t), { runCharacters: 1 });
  for (const sentAt of [3, 1, 2]) await sorted.add(importedMessage("x", { sentAt }));
  const [first] = [await sorted.read().next()];
  assert.equal(first?.value?.sentAt, 1);
  for await (const { sentAt } of sorted.read()) if (sentAt === 2) break;
});

test("a survey counts messages, reactions and files by place and month", async () => {
  const gridfs = { bucket: "uploads", id: "4" };
  const files = (
    ["missing", { url: "https://files.example.com" }, { path: "a.png" }, { path: "none" }, { gridfs }] as const
  ).map((source, at) => ({ id: String(at), name: "file", size: 30, source }));
  const messages = [
    importedMessage("2019", { sentAt: Date.UTC(2019, 5), files }),
    importedMessage("2020", { sentAt: Date.UTC(2020, 5), text: [{ message: "7", place: "general" }] }),
    importedMessage("direct", {
      sentAt: Date.UTC(2020, 6),
      place: "D1",
      reactions: [{ emoji: { character: "👍" }, personIds: ["a", "b"] }],
    }),
  ];
  const reader = readerOf({ people: [importedPerson("ada")], messages });
  const survey = await surveyOf(reader, { files: new Map([["a.png", 12]]) });
  const none = { messages: 1, reactions: 0, files: 0, bytes: 0, elsewhere: 0, missing: 0 };
  assert.deepEqual(survey.places, {
    general: { "2019-06": { ...none, files: 2, bytes: 42, elsewhere: 1, missing: 2 }, "2020-06": none },
    D1: { "2020-07": { ...none, reactions: 2 } },
  });
  assert.deepEqual(survey.linked, [["general", "7"]]);
});

test("a survey stops when it is cancelled", async () => {
  const cancelled = new AbortController();
  const messages = [importedMessage("one"), importedMessage("two")];
  const seen: string[] = [];
  const survey = surveyOf(
    readerOf({ messages }),
    { files: new Map() },
    {
      onMessage: ({ text }) => {
        seen.push(String(text[0]));
        cancelled.abort();
      },
      signal: cancelled.signal,
    },
  );
  await assert.rejects(survey, { name: "AbortError" });
  assert.deepEqual(seen, ["one"]);
});

const MAY = Date.UTC(2024, 4, 9);

test("a thread is a topic with the first words of its first message", () => {
  const topics = new Topics({ unthreaded: "month", locale: "en-GB" });
  const root = importedMessage("", { threadId: "1", sentAt: MAY });
  assert.equal(topics.of(root, "**Who** rows on `Sunday`?\nI do"), "Who rows on Sunday ? I do");
  assert.equal(topics.of({ ...root, id: "2" }, "an answer"), "Who rows on Sunday ? I do");
  assert.equal(topics.of({ ...root, threadId: "2" }, "Who rows on Sunday? I do"), "Who rows on Sunday? I do");
  assert.equal(topics.of({ ...root, threadId: "3" }, "WHO ROWS on Sunday? I do"), "WHO ROWS on Sunday? I do (2)");
  assert.equal(topics.of({ ...root, threadId: "3", place: "other" }, "who"), "who");
  assert.equal(topics.of({ ...root, threadId: "4" }, ""), "May 2024");
  assert.equal(topics.of({ ...root, threadId: "6" }, "2 &#42; 3 &amp; 1&#46; x"), "2 3 & 1. x");
  assert.equal([...topics.of({ ...root, threadId: "5" }, "ü".repeat(90))].length, 60);
});

test("messages outside of threads share a topic per month, or a single one", () => {
  const message = importedMessage("", { sentAt: MAY });
  assert.equal(new Topics({ unthreaded: "month", locale: "de" }).of(message, "x"), "Mai 2024");
  assert.equal(new Topics({ unthreaded: { topic: "From Slack" }, locale: "en" }).of(message, "x"), "From Slack");
  assert.equal(new Topics({ unthreaded: "month", locale: "en" }).of({ ...message, topic: " Boats " }, "x"), "Boats");
});

test("references become mentions and links, or their names", () => {
  const names: Names = {
    person: (id) => (id === "U1" ? { id: 7, name: "Ada" } : undefined),
    channel: (id) => (id === "C1" ? { id: 3, name: "rowing" } : undefined),
    message: (place, id) => (place === "C1" && id === "9" ? "/#narrow/channel/3-rowing/topic/x/near/12" : undefined),
  };
  const text: Text = [
    "Hi ",
    { person: "U1" },
    { person: "U2" },
    " in ",
    { channel: "C1" },
    " ",
    { group: "crew" },
    " ",
    { everyone: true },
    " ",
    { message: "9", place: "C1", label: "this" },
    { message: "8", place: "C1" },
  ];
  assert.equal(
    markdownOf(text, names),
    "Hi @**Ada|7** in #**rowing** @crew @**all** [this](/#narrow/channel/3-rowing/topic/x/near/12)",
  );
  assert.equal(plainTextOf(text, names), "Hi Ada in rowing crew  this");
});

test("references to topics and files become links, and silent mentions stay silent", () => {
  const names: Names = {
    person: () => ({ id: 7, name: "Ada" }),
    channel: () => ({ id: 3, name: "rowing" }),
    message: () => undefined,
    file: (id) => (id === "F1" ? "/user_uploads/1/a.png" : undefined),
  };
  const text: Text = [
    { person: "U1", silent: true },
    " ",
    { everyone: true, silent: true },
    " ",
    { channel: "C1", topic: " big *boats* " },
    { channel: "C1", topic: "x".repeat(61) },
    " ",
    { file: "F1", label: "plan" },
    { file: "F2", label: " gone" },
  ];
  const topic = `${"x".repeat(59)}…`;
  assert.equal(
    markdownOf(text, names),
    `@_**Ada|7** @_**all** #**rowing>big &#42;boats&#42;**#**rowing>${topic}** [plan](/user_uploads/1/a.png) gone`,
  );
  assert.equal(plainTextOf(text, names), "Ada  rowingrowing plan gone");
});
