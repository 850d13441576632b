import assert from "node:assert/strict";
import test from "node:test";
import { html } from "./examples.ts";

test("lists nest by two spaces and items close correctly", () => {
  assert.equal(
    html("1. A\n2. B\n  3. C\n  3. D\n1. E"),
    '<ol>\n<li>A</li>\n<li>B<ol start="3">\n<li>C</li>\n<li>D</li>\n</ol>\n</li>\n<li>E</li>\n</ol>',
  );
  assert.equal(
    html("* a\n  * b\n    * c"),
    "<ul>\n<li>a<ul>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n</ul>",
  );
  assert.equal(html("- - a\n  - b\n- c").match(/<li>/g)?.length, 4);
});

test("all bullets make one list, numbers keep their start", () => {
  assert.equal(html("* 1\n- 2\n+ 3"), "<ul>\n<li>1</li>\n<li>2</li>\n<li>3</li>\n</ul>");
  assert.equal(html("3. a\n3. b"), '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>');
  assert.equal(html("1000. a\n1001. b"), '<ol start="1000">\n<li>a</li>\n<li>b</li>\n</ol>');
  assert.equal(html("1) a"), "<p>1) a</p>");
});

test("lists need no blank line before them", () => {
  assert.equal(html("x\n* a\n* b\n\ny"), "<p>x</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>y</p>");
  assert.equal(html("* a\n\n* b"), "<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>");
  assert.equal(html("* a\n  b"), "<ul>\n<li>a<br>\nb</li>\n</ul>");
  assert.equal(html("-\n- a\n-"), "<ul>\n<li></li>\n<li>a</li>\n<li></li>\n</ul>");
  assert.equal(html("-\n  a"), "<ul>\n<li>a</li>\n</ul>");
});

test("lone marks are text", () => {
  for (const mark of ["-", "+", "*", "1.", "27.", "#", "######", "# #"]) {
    const text = `<p>${mark}</p>`;
    assert.equal(html(mark), text);
    assert.equal(html(`${mark} `), text);
    assert.equal(html(`${mark}\n${mark}\nb`), `<p>${mark}<br>\n${mark}<br>\nb</p>`);
    assert.equal(html(`a\n\n${mark}\n\n- b`), `<p>a</p>\n${text}\n<ul>\n<li>b</li>\n</ul>`);
    assert.equal(html(`> ${mark}`), `<blockquote>\n${text}\n</blockquote>`);
    assert.equal(html(`1. ${mark}`), `<ol>\n<li>${mark}</li>\n</ol>`);
  }
  assert.equal(html("- a\n  #\n- b"), "<ul>\n<li>a<br>\n#</li>\n<li>b</li>\n</ul>");
  assert.equal(html("```quote"), "<p>```quote</p>");
  assert.equal(html("# # a"), "<h1># a</h1>");
});

test("quotes include their continuation lines", () => {
  assert.equal(
    html("> a\nb\n\n> c"),
    "<blockquote>\n<p>a<br>\nb</p>\n</blockquote>\n<blockquote>\n<p>c</p>\n</blockquote>",
  );
  assert.equal(html(">"), "<p>&gt;</p>");
  assert.equal(html(">\n>"), "<p>&gt;<br>\n&gt;</p>");
  assert.equal(html(">\n\ntext"), "<p>&gt;</p>\n<p>text</p>");
});

test("an empty quoted line quotes the text below it", () => {
  const quote = (inside: string) => `<blockquote>\n${inside}\n</blockquote>`;
  for (const text of [">\ntext", ">\n>\ntext", "> \ntext", ">\n> text"])
    assert.equal(html(text), quote("<p>text</p>"), text);
  assert.equal(html("> a\n>\nb\nc\n\nd"), `${quote("<p>a</p>\n<p>b<br>\nc</p>")}\n<p>d</p>`);
  assert.equal(html("a\n>\nb"), `<p>a</p>\n${quote("<p>b</p>")}`);
  assert.equal(html(">\na\n>\nb\n>\n\nc"), `${quote("<p>a</p>\n<p>b</p>")}\n<p>c</p>`);
  assert.equal(html("- x\n  >\n  y\n- z"), `<ul>\n<li>x${quote("<p>y</p>")}\n</li>\n<li>z</li>\n</ul>`);
  assert.equal(html("> >\ntext\nmore"), quote(quote("<p>text<br>\nmore</p>")));
  // Other blocks end the quote, because they are not text.
  assert.equal(html(">\n- a\n- b"), "<ul>\n<li>a</li>\n<li>b</li>\n</ul>");
  assert.match(html(">\n```\ncode\n```\nafter"), /^<div class="codehilite">.*\n<p>after<\/p>$/s);
});

test("a fenced quote contains nested blocks", () => {
  assert.equal(
    html("a\n~~~ quote\nb:\n``` quote\nc\n```\n- d\n~~~\ne"),
    "<p>a</p>\n<blockquote>\n<p>b:</p>\n<blockquote>\n<p>c</p>\n</blockquote>\n<ul>\n<li>d</li>\n</ul>\n</blockquote>\n<p>e</p>",
  );
  const code = '<div class="codehilite"><pre><span></span><code>~~~\n</code></pre></div>';
  assert.equal(html("~~~quote\n```\n~~~\n```\n~~~\nx"), `<blockquote>\n${code}\n</blockquote>\n<p>x</p>`);
  assert.equal(html("```quote\nopen"), "<blockquote>\n<p>open</p>\n</blockquote>");
});

test("spoilers have a Markdown heading and Markdown contents", () => {
  const spoiler = (heading: string, content: string) =>
    `<div class="spoiler-block"><div class="spoiler-header">\n${heading}</div><div class="spoiler-content" aria-hidden="true">\n${content}</div></div>`;
  assert.equal(
    html("```spoiler *who* did it\nthe **butler**\n\nagain\n```\nx"),
    `${spoiler("<p><em>who</em> did it</p>\n", "<p>the <strong>butler</strong></p>\n<p>again</p>\n")}\n<p>x</p>`,
  );
  assert.equal(html("```spoiler\nx\n```"), spoiler("", "<p>x</p>\n"));
  assert.equal(
    html("~~~quote\n```spoiler a\nb\n```\n~~~"),
    `<blockquote>\n${spoiler("<p>a</p>\n", "<p>b</p>\n")}\n</blockquote>`,
  );
});

test("code keeps its text and names its language", () => {
  assert.equal(
    html("```\na  \n\n  b\n```"),
    '<div class="codehilite"><pre><span></span><code>a\n\n  b\n</code></pre></div>',
  );
  assert.equal(
    html("~~~~.python \nx = 1\n~~~~"),
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code>x = <span class="mi">1</span>\n</code></pre></div>',
  );
  assert.equal(html("    x"), '<div class="codehilite"><pre><span></span><code>x\n</code></pre></div>');
  assert.match(html("```invented\nx\n```"), /^<div class="codehilite" data-code-language="invented"><pre>/);
  assert.match(html("```js"), /data-code-language="JavaScript"><pre><span><\/span><code>\n<\/code>/);
});

test("code without a language uses the organization's default", () => {
  const defaultCodeLanguage = "python";
  assert.match(html("```\nx = 1\n```", { defaultCodeLanguage }), /data-code-language="Python"/);
  assert.match(html("```text\nx = 1\n```", { defaultCodeLanguage }), /data-code-language="Text only"/);
  assert.doesNotMatch(html("    x = 1", { defaultCodeLanguage }), /data-code-language/);
});

test("tables are aligned and have the expected body", () => {
  assert.equal(
    html("a | b | c\n:- | :-: | -:\n1 | *2*"),
    '<table>\n<thead>\n<tr>\n<th style="text-align: left;">a</th>\n<th style="text-align: center;">b</th>\n' +
      '<th style="text-align: right;">c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td style="text-align: left;">1</td>\n' +
      '<td style="text-align: center;"><em>2</em></td>\n<td style="text-align: right;"></td>\n</tr>\n</tbody>\n</table>',
  );
  assert.match(html("|a|b|\n|-|-|"), /<tbody>\n<tr>\n<td><\/td>\n<td><\/td>\n<\/tr>\n<\/tbody>\n<\/table>$/);
});

test("code, formulas and mentions in cells keep their pipes", () => {
  const cells = (text: string) => [...html(text).matchAll(/<t[dh]>(.*?)<\/t[dh]>/gs)].map(([, cell]) => cell);
  const code = "<code>x|y</code>";
  assert.deepEqual(cells("| a | b |\n|---|---|\n| `x|y` | z |"), ["a", "b", code, "z"]);
  assert.deepEqual(cells("`x|y` | b\n-|-\n``a`|b`` | `x\\|y`"), [code, "b", "<code>a`|b</code>", code]);
  assert.deepEqual(cells("a|b\n-|-\n`|c\nd|e\\|`f`"), ["a", "b", "`", "c", "d", "e|<code>f</code>"]);
  for (const text of ["> |a|\n> |-|\n> |`x|y`|", "- |a|\n  |-|\n  |`x|y`|", "text\n|a|\n|-|\n|`x|y`|\n\n`x|y`"])
    assert.deepEqual(cells(text), ["a", code], text);
  assert.match(cells("|a|b|\n|-|-|\n|@**Iago|7**|$$|x|$$|")[2]!, /data-user-id="7"/);
  assert.match(cells("|a|b|\n|-|-|\n|@**Iago|7**|$$\\|x\\|$$|")[3]!, />\\\|x\\\|<\/annotation>/);
  assert.equal(html("`x|y` | a\n-|-|-\n\nb"), `<p>${code} | a<br>\n-|-|-</p>\n<p>b</p>`);
});

test("headings and rules render, underlines and references do not", () => {
  assert.equal(html("# a\n###### b\n#c"), "<h1>a</h1>\n<h6>b</h6>\n<p>#c</p>");
  assert.equal(html("a\n---\nb"), "<p>a</p>\n<hr>\n<p>b</p>");
  assert.equal(html("a\n==="), "<p>a<br>\n===</p>");
  assert.equal(html("[a]\n\n[a]: b"), "<p>[a]</p>\n<p>[a]: b</p>");
});

test("display formulas have a paragraph of their own", () => {
  const formula = html("```math\nx^2\n```");
  assert.ok(formula.startsWith('<p><span class="katex-display"><span class="katex"><span class="katex-mathml"><math'));
  assert.ok(formula.includes('<annotation encoding="application/x-tex">x^2</annotation>'));
  assert.equal(html("~~~math\n\\error{**a**}\n~~~"), '<p><span class="tex-error">\\error{**a**}</span></p>');
});
