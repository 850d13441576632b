import assert from "node:assert/strict";
import test from "node:test";
import { holdsOf, htmlOf, storedHtml } from "../../server/queries/message-contents.ts";
import { Database } from "../../server/storage/database.ts";
import { migrations } from "../../server/storage/migrations/index.ts";
import { migrate } from "../../server/storage/recovery.ts";
import { render } from "../markdown/examples.ts";

const BEFORE = 6;

test("a migration derives old messages' contents from their HTML", async () => {
  const texts = [
    "no link",
    "#**announce** @**Iago** :smile: :green_tick: `https://e.example`",
    "https://e.example/page",
    "someone@e.example",
    "[text](/#narrow/channel/9-announce/topic/updates/near/214)",
    "https://e.example/a.png",
    "https://e.example/a.JPG?size=2#top",
    "[report](/user_uploads/2/ab/report.pdf)",
    "[photo](/user_uploads/2/ab/photo.jpeg) and https://e.example",
    "written.png is no link",
    "#12",
  ];
  const database = await Database.empty();
  migrate(database, BEFORE);
  const rendered = texts.map((text) => render(text));
  database.script("PRAGMA foreign_keys=OFF");
  for (const [index, { html }] of rendered.entries()) {
    database.run(
      `INSERT INTO messages (id, sender_id, recipient_id, topic, content, rendered_content, renderer_version, sent_at,
         client) VALUES (?, 1, 1, '', ?, ?, 2, 0, '')`,
      [index + 1, texts[index] as string, html],
    );
  }
  migrate(database, migrations.length);
  const stored = database.all<{ holds: number }>("SELECT holds FROM messages ORDER BY id").map(({ holds }) => holds);
  assert.deepEqual(stored, rendered.map(holdsOf));
  assert.deepEqual([...new Set(stored)].sort(), [0, 1, 3, 5, 7]);
  database.close();
});

test("the HTML of plain text is not stored", () => {
  const plain = ["hello", "two\nlines", `a < b & "c" > d`, "=", "", "3 = 4", "naïve 🙂"];
  for (const text of plain) {
    const html = `<p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("\n", "<br>\n")}</p>`;
    assert.equal(storedHtml(text, html), "=", text);
    assert.equal(htmlOf(text, "="), html, text);
  }
  for (const text of ["hello", "two\nlines"]) assert.equal(storedHtml(text, render(text).html), "=", text);
});

test("other HTML is stored as it is", () => {
  for (const text of ["**bold**", "two\n\nparagraphs", "https://e.example", "@**Iago**", "> quoted", "    code"]) {
    const { html } = render(text);
    assert.equal(storedHtml(text, html), html, text);
    assert.equal(htmlOf(text, html), html, text);
  }
});
