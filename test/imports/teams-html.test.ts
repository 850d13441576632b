import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { refer, text, toText } from "../../server/imports/document.ts";
import { type TeamsParts, teamsBlocks } from "../../server/imports/formats/teams-html.ts";
import { escapeHtml } from "../../server/markdown/plain.ts";
import { oneSpace, visibleText, written } from "./visible.ts";

const parts: TeamsParts = {
  mention: (id, label) => (id === "9" ? text(`@${label}`) : refer({ person: id })),
  attachment: (id) => [{ is: "paragraph", inside: [text(`attachment ${id}`)] }],
  picture: (url) => [text(`picture ${url}`)],
};
const markdown = (html: string): string => written(toText(teamsBlocks(html, parts)));

const CASES: readonly (readonly [html: string, markdown: string])[] = [
  ["<p>Good <span style='color:red'>question!</span></p>\n<p>&nbsp;</p>", "Good question!"],
  [
    "<p><strong>bold</strong>, <i>italic</i>, <u>line</u> and <s>gone</s></p>",
    "**bold**, *italic*, **line** and ~~gone~~",
  ],
  ["<i><s><strong>all three&nbsp;</strong></s></i>", "***~~all three~~***"],
  ["<p>a<br>\nb</p><div>c</div><div>d</div>", "a\nb\n\nc\nd"],
  ["<p>[Home](zulip.com) 1 * 2 * 3</p>", "[Home&#93;(zulip.com) 1 &#42; 2 &#42; 3"],
  ["<h2>Title</h2><p>x</p><hr>", "## Title\n\nx\n\n---"],
  ["<ul><li>a<ol><li>b</li><li><b>c</b></li></ol></li>\n<li>&nbsp;</li></ul>", "- a\n  1. b\n  2. **c**"],
  ["<blockquote><p>a</p><p>b</p></blockquote><p>c</p>", "> a\n>\n> b\n\nc"],
  ['<pre class="language-python"><code><span>print</span>("hi")<br>x</code></pre>', '```python\nprint("hi")\nx\n```'],
  ["<codeblock><code>a\n  b</code></codeblock><p>x <code>y</code></p>", "```\na\n  b\n```\n\nx `y`"],
  [
    "<table><tbody><tr><td><p>A</p></td><th>B|C</th></tr><tr><td><ul><li>i</li></ul></td></tr></tbody></table>",
    "| A | B&#124;C |\n|---|---|\n| i |  |",
  ],
  [
    '<a href="https://a.example/?x=1&amp;y=2">text</a> <a href="javascript:x">no</a>',
    "[text](https://a.example/?x=1&y=2) no",
  ],
  ['<p>hi <at id="1">Ada</at>&nbsp;<at id="1">King</at>, <at id="9">Bo</at></p>', 'hi ‹{"person":"1"}›, @Bo'],
  ['<p>x<emoji id="ghost" alt="👻" title="Ghost"></emoji><customemoji alt="blob"></customemoji></p>', "x👻blob"],
  [
    '<img src="https://x.example/hostedContents/1/$value" alt="image"><img src="data:image/png;base64,xx" alt="dot">',
    "picture https://x.example/hostedContents/1/&#36;valuedot".replace("&#36;", "$"),
  ],
  ['<p>see <b>this <attachment id="7"></attachment></b></p>', "see **this**\n\nattachment 7"],
  ["<style>p{}</style><script>alert(1)</script><systemEventMessage/>ok", "ok"],
];

test("converts the elements of the editor", () => {
  for (const [html, expected] of CASES) assert.equal(markdown(html), expected, html);
});

test("deep and unclosed elements keep their text", () => {
  assert.match(markdown(`${"<div><b>".repeat(200_000)}core`), /core/);
  assert.match(visibleText(markdown("<ul><li>a<table><tr><td>b<li>c</p></div>d")), /a.*b.*c.*d/s);
});

const word = fc.oneof(
  fc.constantFrom("*a*", "_b_", "`c`", "# d", "> e", "1. f", "- g", "~~h~~", "|", "\n", "  ", "[i](j)", "&amp;", "<b>"),
  fc.stringMatching(/^[a-z&<>"']{1,5}$/),
);

test("escaped words stay the same words", () => {
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 8 }),
      fc.constantFrom("p", "b", "li", "td", "blockquote", "h1", "x"),
      (words, name) => {
        const given = words.join(" ");
        assert.equal(visibleText(markdown(`<${name}>${escapeHtml(given)}</${name}>`)), oneSpace(given));
      },
    ),
    { numRuns: 500 },
  );
});

const tag = fc.constantFrom(
  "<p>",
  "</p>",
  "<b>",
  "</b>",
  "<ul>",
  "<li>",
  "</ul>",
  "<table>",
  "<td>",
  "<tr>",
  "<a href='https://x.example'>",
  "</a>",
  "<pre>",
  "<at id=1>",
  "<at id='__proto__'>",
  "<img src=x>",
  "<br/>",
  "<!--",
  "-->",
  "<![CDATA[",
  "&#0;",
  "&nbsp;",
  "<attachment id=constructor>",
  "a",
  "\ud800",
  "<",
);

test("never fails on malformed HTML", () => {
  fc.assert(
    fc.property(fc.array(tag, { maxLength: 40 }), (tags) => void visibleText(markdown(tags.join("")))),
    { numRuns: 500 },
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (html) => void markdown(html)));
});
