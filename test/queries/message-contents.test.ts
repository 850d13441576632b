import assert from "node:assert/strict";
import test from "node:test";
import { htmlOf, storedHtml } from "../../server/api/queries/messages.ts";
import { render } from "../markdown/examples.ts";

test("does not store the HTML of plain text", () => {
  const plain = ["hello", "two\nlines", `a < b & "c" > d`, "=", "", "3 = 4", "naïve 🙂"];
  for (const text of plain) {
    const html = `<p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("\n", "<br>\n")}</p>`;
    assert.equal(storedHtml(text, html), "=", text);
    assert.equal(htmlOf(text, "="), html, text);
  }
  for (const text of ["hello", "two\nlines"]) assert.equal(storedHtml(text, render(text).html), "=", text);
});

test("stores other HTML unchanged", () => {
  for (const text of ["**bold**", "two\n\nparagraphs", "https://e.example", "@**Iago**", "> quoted", "    code"]) {
    const { html } = render(text);
    assert.equal(storedHtml(text, html), html, text);
    assert.equal(htmlOf(text, html), html, text);
  }
});
