import assert from "node:assert/strict";
import test from "node:test";
import { isMeMessage } from "../../server/api/queries/messages.ts";
import { messageText, renderMarkdown } from "../../server/markdown/render.ts";

const html = (text: string) => renderMarkdown(text).html;

test("text that looks like HTML is escaped", () => {
  assert.equal(html("<script>alert(1)</script>"), "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>");
  assert.equal(html("`<b>`"), "<p><code>&lt;b&gt;</code></p>");
});

test("line breaks become <br>, URLs and email addresses become links", () => {
  assert.equal(html("a\nb"), "<p>a<br>\nb</p>");
  assert.equal(
    html("see https://example.com/x."),
    '<p>see <a href="https://example.com/x">https://example.com/x</a>.</p>',
  );
});

test("links lead to web, mail and phones, without images", () => {
  for (const target of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "//evil.example",
  ]) {
    assert.ok(!html(`[x](${target})`).includes("<a"), target);
  }
  assert.ok(html("[x](mailto:a@example.com)").includes("<a"));
  assert.ok(!html("![x](https://example.com/a.png)").includes("<img"));
});

test("text nested too deep appears as typed", () => {
  const deep = `${">".repeat(40)} <b>`;
  assert.equal(html(deep), `<p>${"&gt;".repeat(40)} &lt;b&gt;</p>`);
  const much = "*a* ".repeat(12_000);
  assert.ok(html(much).startsWith("<p>*a* *a*"));
  assert.ok(html("> > > fine").includes("<blockquote>"));
});

test("the longest message renders fast, whatever its content", () => {
  for (const part of ["[", "![", "*a_", "> ", "`", "<", "- ", "a\\", "(https://", "|a|\n|-|\n"]) {
    const text = part.repeat(Math.ceil(10_000 / part.length)).slice(0, 10_000);
    const before = process.threadCpuUsage();
    html(text);
    const { user, system } = process.threadCpuUsage(before);
    assert.ok(user + system < 1_000_000, part);
  }
});

test("a message keeps indentation and loses surrounding blank lines", () => {
  assert.equal(messageText("\r\n  \n    code\r\nmore  \n\n"), "    code\nmore");
  assert.equal(messageText(" \n\t"), "");
});

test("a status message is one /me line", () => {
  assert.ok(isMeMessage("/me waves"));
  assert.ok(!isMeMessage("/meow"));
  assert.ok(!isMeMessage("/me waves\nand goes"));
});

test("autolinks are limited to the length of real URLs", () => {
  const address = `https://example.com/${"x".repeat(1900)}`;
  assert.ok(html(`see ${address} there`).includes(`href="${address}"`));
  assert.ok(!html(`see ${address}${"x".repeat(200)}`).includes("<a"));
  assert.ok(!html("ftp://a.b?".repeat(1000)).includes("<a"));
});
