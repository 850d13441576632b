import assert from "node:assert/strict";
import test from "node:test";
import { isAllowed } from "../../server/markdown/allow-list.ts";
import { highlightedLanguages, renderCode } from "../../server/markdown/code.ts";

/** Pygments' short class names. Strict clients know no others, and drop code with any other class. */
const KNOWN_CLASSES = new Set(
  (
    "w esc err x k kc kd kn kp kr kt n na nb bp nc no nd ni ne nf fm py nl nn nx nt nv vc vg vi vm l ld s sa sb sc dl " +
    "sd s2 se sh si sx sr s1 ss m mb mf mh mi il mo o ow p pm c ch cm cp cpf c1 cs g gd ge gr gh gi go gp gs gu ges gt"
  ).split(" "),
);
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: code in other languages
const SAMPLE = [
  "#!/usr/bin/env x",
  "/* block */ // line # hash -- dash ; semi",
  "@decorator import a.b; package c; use strict;",
  "class Foo extends Bar { static int x = 0x1f + 1.5e3 + 0b1; }",
  "def f(a, b='s\\n', *c): return self.a[\"k\"] == None and true",
  "const g = (x) => `t${x}` + /re+/g.test(y);",
  "<a href='x' b>t &amp; u</a> {{ v | w }} {% if x %} $var ${v} %(x)s",
  "[section] key = value: 1 - item *em* **st** # Title ~~~",
  "SELECT * FROM t WHERE a = 'b'; +added -removed @@ 1 @@",
  "\\begin{x} \\alpha :symbol 'quoted (fn [x] (+ x 1))",
  "@@ -1 +1 @@",
  "-removed",
  "<b class='x'>html</b>",
  ">>> print('x')",
  "GET /x HTTP/1.1",
].join("\n");
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: samples in other languages

test("highlighting uses known classes and preserves the text", () => {
  const languages = highlightedLanguages();
  assert.ok(languages.length > 100);
  let coloured = 0;
  for (const language of languages) {
    const html = renderCode(SAMPLE, language, "");
    assert.ok(isAllowed(html), language);
    const [, code = ""] = /<code>(.*)<\/code>/s.exec(html) ?? [];
    const spans = [...code.matchAll(/<span class="([^"]*)">([^<]*)<\/span>/g)];
    for (const [, name] of spans) assert.ok(KNOWN_CLASSES.has(name!), `${language}: ${name}`);
    assert.doesNotMatch(
      code.replace(/<span class="[^"]*">([^<]*)<\/span>/g, "$1"),
      /</,
      `${language}: spans within spans`,
    );
    const text = code
      .replace(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&");
    assert.equal(text, `${SAMPLE}\n`, language);
    if (spans.length > 0) coloured++;
  }
  assert.equal(coloured, languages.length);
});

test("code may name its language in its first line", () => {
  const plain = (text: string) => `<div class="codehilite"><pre><span></span><code>${text}\n</code></pre></div>`;
  const print = '<span class="nb">print</span>(<span class="mi">1</span>)';
  for (const line of [":::python", "::PYTHON", "#!python", ':::python hl_lines="1"', "#!py hl_lines='1 2'"])
    assert.equal(renderCode(`${line}\nprint(1)`, "", ""), plain(print), line);
  // A program's path is part of the code.
  for (const line of ["#!/usr/bin/python", "#!/usr/bin/env python"])
    assert.equal(renderCode(`${line}\nprint(1)`, "", ""), plain(`<span class="c1">${line}</span>\n${print}`), line);
  assert.equal(renderCode(":::text\nx", "", ""), plain("x"));
  for (const line of [
    "::std::swap(a, b);",
    "::c d",
    ":::nosuch",
    "#!nosuch",
    "#!/bin/nosuch",
    ":python",
    "#",
    "x :::python",
  ])
    assert.equal(renderCode(`${line}\nx`, "", ""), plain(`${line}\nx`), line);
  assert.match(renderCode("x\n:::python\nprint(1)", "", ""), /x\n:::python\nprint/);
  // An explicit language, or the organization's, takes precedence.
  assert.match(renderCode("#!python\nx", "text", ""), /="Text only".*#!python/);
  assert.match(renderCode(":::python\nx", "", "text"), /="Text only".*:::python/);
});

test("code without a fast grammar has no colors", () => {
  for (const text of [
    "a".repeat(500),
    "word ".repeat(200),
    "\n".repeat(200) + "x\n" + "\n".repeat(200) + "y",
    "${".repeat(300),
    "x".repeat(25_000),
    `let x = 1;\n${"y = 2;".repeat(200)}`,
  ]) {
    assert.doesNotMatch(renderCode(text, "js", ""), /<span class/);
  }
  assert.match(
    renderCode("let x = 1;\n// a comment that is long enough to be read\n".slice(0, 40), "js", ""),
    /<span class="k">let/,
  );
});
