import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { htmlDiff, newDiffBudget } from "../../server/api/presenters/html-diff.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";

const came = (text: string) => `<span class="highlight_text_inserted">${text}</span>`;
const went = (text: string) => `<span class="highlight_text_deleted">${text}</span>`;

test("added and removed words are marked", () => {
  assert.equal(htmlDiff("<p>one</p>", "<p>one</p>"), "<p>one</p>");
  assert.equal(htmlDiff("<p>one two</p>", "<p>one three</p>"), `<p>one ${went("two")}${came("three")}</p>`);
  assert.equal(htmlDiff("<p>one</p>", "<p>one two</p>"), `<p>one${came(" two")}</p>`);
  assert.equal(htmlDiff("<p>one two</p>", "<p>two</p>"), `<p>${went("one ")}two</p>`);
  assert.equal(htmlDiff("<p>a &amp; b</p>", "<p>a &lt; b</p>"), `<p>a ${went("&amp;")}${came("&lt;")} b</p>`);
  assert.equal(htmlDiff("", "<p>a</p>"), `<p>${came("a")}</p>`);
});

test("the newer version's markup is kept", () => {
  assert.equal(htmlDiff("<p>big</p>", "<p><strong>big</strong></p>"), "<p><strong>big</strong></p>");
  assert.equal(
    htmlDiff("<p><strong>big</strong> one</p>", "<p>small one</p>"),
    `<p>${went("big")}${came("small")} one</p>`,
  );
  assert.equal(
    htmlDiff("<p>a <em>b</em></p>", "<p>a</p>\n<p><em>c</em></p>"),
    `<p>a</p>\n<p><em>${went("b")}${came("c")}</em></p>`,
  );
});

test("no text ends up between table rows or list items", () => {
  const list = htmlDiff("<ul>\n<li>a</li>\n<li>b</li>\n</ul>", "<ul>\n<li>b</li>\n</ul>");
  assert.ok(!/<ul>\s*<span/.test(list), list);
  assert.ok(list.includes("highlight_text_deleted"), list);
  assert.equal(
    htmlDiff("<ul>\n<li>a</li>\n</ul>", "<ul>\n<li>b</li>\n</ul>"),
    `<ul>\n<li>${went("a")}${came("b")}</li>\n</ul>`,
  );
});

test("emoji, mentions and formulas are replaced whole", () => {
  const [tada, heart] = ["<p>:tada:</p>", ":heart:"].map((text) => renderMarkdown(text).html) as [string, string];
  const emoji = heart.replaceAll(/<\/?p>/g, "");
  assert.ok(emoji.startsWith("<span"));
  assert.ok(htmlDiff(renderMarkdown("x").html, heart).includes(came(emoji)), tada);
  const formula = (source: string) => renderMarkdown(`$$${source}$$`).html;
  assert.equal(
    htmlDiff(formula("a+b"), formula("a+c")),
    `<p>${went(formula("a+b").slice(3, -4))}${came(formula("a+c").slice(3, -4))}</p>`,
  );
});

test("never cuts an attribute", () => {
  const link = (title: string) => `<p><a href="http://h.i" title="${title}">x</a> y</p>`;
  assert.equal(htmlDiff(link("a"), link("b > c")), link("b > c"));
  assert.equal(htmlDiff(link("a > onclick"), link("b")), link("b"));
});

const TAGS = /<[^>]*>/g;
const without = (name: string, html: string) =>
  html.replaceAll(new RegExp(`<span class="${name}">(.*?)</span>`, "gs"), "");
const unwrapped = (name: string, html: string) =>
  html.replaceAll(new RegExp(`<span class="${name}">(.*?)</span>`, "gs"), "$1");

test("removing either side's marks restores a version", () => {
  const word = fc.constantFrom(
    "a",
    "b",
    "c",
    "**d**",
    "*e*",
    "\n\n",
    "\n",
    "&",
    "<",
    "1",
    ".",
    "`f`",
    "[g](http://h.i)",
  );
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(" ").trim());
  fc.assert(
    fc.property(text, text, fc.boolean(), (older, newer, poor) => {
      const [before, after] = [renderMarkdown(older).html, renderMarkdown(newer).html];
      const budget = poor ? { comparisons: 0 } : newDiffBudget();
      const html = htmlDiff(before, after, budget);
      assert.equal(unwrapped("highlight_text_inserted", without("highlight_text_deleted", html)), after);
      const read = (it: string) => it.replaceAll(TAGS, "").replaceAll(/\s+/g, "");
      assert.equal(read(unwrapped("highlight_text_deleted", without("highlight_text_inserted", html))), read(before));
    }),
    { seed: 77, numRuns: 500 },
  );
});

test("unrelated texts are compared in milliseconds", () => {
  const words = (from: number) => `<p>${Array.from({ length: 5000 }, (_, n) => `w${from + n}`).join(" ")}</p>`;
  const budget = newDiffBudget();
  const before = process.threadCpuUsage();
  for (let n = 0; n < 20; n += 1) htmlDiff(words(n * 5000), words((n + 1) * 5000), budget);
  const { user, system } = process.threadCpuUsage(before);
  assert.ok(user + system < 2_000_000, `${user + system} µs`);
});
