import assert from "node:assert/strict";
import test from "node:test";
import {
  bold,
  code,
  codeBlock,
  cut,
  link,
  oneLine,
  plain,
  quote,
  time,
  webAddress,
} from "../../server/integrations/incoming/markdown.ts";
import { html } from "../markdown/examples.ts";

test("external text shows literally", () => {
  for (const line of [
    "**bold** and *more* @**all** @*support* @_**Iago**",
    "`code` ``more`` [name](https://evil.example) [a] [b]: x",
    "~~gone~~ $$x^2$$ <time:2025-01-01> &amp; &#42; <b>",
    "[[unbalanced](https://evil.example) ]( x",
    "# heading",
    "> quote",
    "- item",
    "+ item",
    "1. item",
    "---",
    "___",
    "~~~ fence",
    "#**announce**",
    "/me waves",
    "$$$$ ~~~~",
  ]) {
    const shown = html(plain(line)).replace(/<\/?p>/g, "");
    // Only addresses may become links.
    const text = shown.replace(/<a href="[^"]*">([^<]*)<\/a>/g, "$1");
    const decoded = text
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&")
      .replaceAll("&quot;", '"');
    assert.equal(decoded, line);
  }
});

test("leaves ordinary names and titles unchanged", () => {
  for (const line of ["[WIP] Fix #12: don't crash", "a < b & c > d", "snake_case_name", "$5 – 10%", "e@mail.example"]) {
    assert.equal(plain(line), line);
  }
});

test("a link stays inside its brackets", () => {
  assert.equal(
    link("a] [b](x", 'https://h.example/a(b) c"d'),
    "[a&#93; &#91;b&#93;(x](https://h.example/a%28b%29%20c%22d)",
  );
  assert.equal(link("Name", "javascript:alert(1)"), "Name");
  assert.equal(link("Name", undefined), "Name");
  assert.equal(webAddress("https://"), undefined);
  assert.equal(bold("a\n**b**"), "**a &#42;&#42;b&#42;&#42;**");
  assert.equal(code("a`b\nc"), "`a'b c`");
});

test("quotes every line, whatever fences it contains", () => {
  const quoted = quote("```\nopen\n\n~~~~quote\n@**all**") ?? "";
  assert.equal(html(`${quoted}\n\nafter`).split("</blockquote>").at(-1)?.trim(), "<p>after</p>");
  assert.equal(quote("<!-- hidden -->"), undefined);
  assert.equal(quote("a\r\n\r\nb<!-- cut off"), "> a\n>\n> b");
});

test("a code block's fences exceed any inside and survive truncation", () => {
  assert.equal(codeBlock("```\nx", "js"), "````js\n```\nx\n````");
  assert.equal(codeBlock("abcdef", "", 4), "```\nab\n…\n```");
});

test("truncation counts code points and splits none", () => {
  assert.equal(cut("🔥".repeat(5), 5), "🔥".repeat(5));
  assert.equal(cut("🔥".repeat(6), 5), `${"🔥".repeat(4)}…`);
  assert.equal(oneLine("a\u0000\n\t b\u2028c"), "a b c");
});

test("times use the reader's zone and hide Go's zero time", () => {
  assert.equal(time("2025-01-01T01:00:00.123+01:00"), "<time:2025-01-01T00:00:00Z>");
  assert.equal(time(1_735_689_600), "<time:2025-01-01T00:00:00Z>");
  assert.deepEqual(
    [time("0001-01-01T00:00:00Z"), time("soon"), time(Number.NaN), time(1e300)],
    Array(4).fill(undefined),
  );
});
