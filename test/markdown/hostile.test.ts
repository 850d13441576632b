import assert from "node:assert/strict";
import test from "node:test";
import { isAllowed } from "../../server/markdown/allow-list.ts";
import { compileLinkifiers } from "../../server/markdown/linkifiers.ts";
import { finderOf } from "../../server/markdown/matches.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import { context } from "./examples.ts";

const LENGTH = 10_000;
const BUSY = {
  ...context,
  translateEmoticons: true,
  linkifiers: compileLinkifiers(
    Array.from({ length: 20 }, (_, index) => ({
      id: index,
      pattern: `${index % 2 ? "#" : "[A-Z]{2,5}-"}(?P<id>[0-9]{1,${index + 3}})`,
      url_template: "https://t.example/{id}",
    })),
  ),
  alertWords: finderOf(Array.from({ length: 1000 }, (_, index) => `word${index}`)),
};
const PARTS = [
  ..."[ ![ *a_ > ` < - a\\ @** @*g* #** : :) 👍 👍🏽 🇺🇸 $$ $ <time: ~~ ~ * *** ** a* a _ | |- &amp; & \\ [[ ]( [a]( [` *` `` é 中文 😀a".split(
    " ",
  ),
  ..."@**Iago** @_**Iago|12** #**announce** #**announce>b** #**announce>b@1** :cat: :green_tick: :+1: $$x$$ <time:1496701800>".split(
    " ",
  ),
  ..."~~a~~ **a** #1 AB-1 x.com https://a.b/c www.a.com/b?c=d a@b.co http:// a.b. a.com/( mailto: :// a:// http://a.b* <a@b.co>".split(
    " ",
  ),
  ..."[a](b) [a](http://b.co) ![a](b) `a` [*a](b)* [a](< $$\\frac{a}{b}$$ @**all** tea word1 <b> - > "
    .trim()
    .split(" "),
  ...[
    "\n",
    "a\n",
    "- a\n",
    "1. a\n",
    "- a\n  - b\n",
    "- a\n\n",
    "> - ",
    "  - ",
    "```\n",
    "```quote\n",
    "~~~quote\n",
    "```spoiler a\n",
  ],
  ...[
    "```js\nx\n```\n",
    "```math\nx\n```\n",
    "|a|\n|-|\n",
    "a|b\n-|-\n1|2\n",
    "# a\n",
    "---\n",
    "    a\n",
    "-\n",
    "> -\n",
    "*\n",
    "\t",
    "\0",
  ],
];

/** CPU milliseconds of one rendering. */
function timed(text: string): { html: string; ms: number } {
  const before = process.threadCpuUsage();
  const { html } = renderMarkdown(text, BUSY);
  const { user, system } = process.threadCpuUsage(before);
  return { html, ms: (user + system) / 1000 };
}

test("the longest messages render within time and size limits", () => {
  renderMarkdown("*warm* :up: $$x$$", BUSY);
  const slow: string[] = [];
  for (const part of PARTS) {
    for (const text of [part, `${part} `].map((piece) =>
      piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH),
    )) {
      const { html, ms } = timed(text);
      assert.ok(isAllowed(html), part);
      // Measured: under 50 ms. A garbage collection may fall into one rendering, so only repeated slowness counts.
      if (ms > 200 && timed(text).ms > 200 && timed(text).ms > 200) slow.push(`${JSON.stringify(part)} ${ms} ms`);
    }
  }
  assert.deepEqual(slow, []);
});

test("rendering work grows about linearly with the text", () => {
  /** CPU time of one rendering. The system counts in ticks of a few milliseconds, so a single rendering can show as zero. */
  const work = (part: string, length: number) => {
    const text = part.repeat(length / part.length);
    const before = process.threadCpuUsage();
    for (let rounds = 1; ; rounds++) {
      renderMarkdown(text, BUSY);
      const { user, system } = process.threadCpuUsage(before);
      if (user + system > 50_000) return (user + system) / rounds;
    }
  };
  for (const part of ["*a_ ", "[`", "@**x", "#**a", ":a:b", "$$a ", "a. b", "- a\n"]) {
    const [one, four] = [work(part, 2000), work(part, 8000)];
    assert.ok(four < one * 4 * 3, `${part}: ${one} µs, ${four} µs`); // quadratic growth would be 16 times
  }
});

const MULTIPLIED = {
  "a long command used often": `$$\\def\\x{${"a^b_c".repeat(200)}}${"\\x".repeat(190)}$$`,
  "a command made by another name": `$$\\newcommand\\x{${"a^b_c".repeat(200)}}${"\\x".repeat(190)}$$`,
  "commands that double": `$$\\edef\\x{a'}${"\\edef\\x{\\x\\x}".repeat(14)}\\x$$`,
  "commands with parameters": `$$\\def\\x#1{${"#1".repeat(60)}}${"\\x{\\x{a'a'a'a'}}".repeat(20)}$$`,
  "short rows of a wide table": `|${"a|".repeat(1600)}\n|${"-|".repeat(1600)}\n${"a\n".repeat(1700)}`,
  "many short rows of a table": `> |${"a|".repeat(300)}\n> |${"-|".repeat(300)}\n${"> a\n".repeat(2100)}`,
};

test("short texts cannot cause much rendering", () => {
  renderMarkdown("*warm* :up: $$x$$", BUSY);
  for (const [name, text] of Object.entries(MULTIPLIED)) {
    assert.ok(text.length <= LENGTH, name);
    // Measured: under 5 ms; it was 150 ms to 2 s.
    const ms = Math.min(...[1, 2, 3].map(() => timed(text).ms));
    assert.ok(ms <= 60, `${name}: ${ms} ms`);
  }
});

test("estimates HTML length from primes, powers and indices", () => {
  /** Texts that are as short as possible, and how many scripts each contains. */
  const scripts: [text: string, count: number][] = [
    ["a^{}", 1],
    ["{}_{}", 1],
    ["{}'", 1],
    ["{}'^2", 1],
    ["x''' ", 1],
    ["a^{}_{}", 2],
    ["a^b_c", 2],
    ["\\sum_a^b", 2],
    ["\\tiny a^b", 1],
    ["\\phantom{a^b}", 1],
    ["\\mathop{}_{}^{}", 2],
  ];
  for (const [text, count] of scripts) {
    const html = (times: number) => renderMarkdown(`$$${text.repeat(times)}$$`).html.length;
    assert.ok(html(11) - html(1) >= 10 * count * 380, `${text} is less HTML`);
    assert.doesNotMatch(renderMarkdown(`$$${text.repeat(130 / count)}$$`).html, /katex/, text);
  }
  assert.match(renderMarkdown(`$$${"a'".repeat(80)}$$`).html, /class="katex"/);
  assert.match(renderMarkdown(`$$\\text{${"a\\_".repeat(200)}}$$`).html, /class="katex"/, "an underscore is none");
});

test("a formula may define short commands", () => {
  assert.match(renderMarkdown("$$\\def\\set{\\mathbb{R}} \\set^n$$").html, /class="katex"/);
  assert.match(renderMarkdown("$$\\newcommand{\\foo}{\\mathbb{R}} \\foo^n$$").html, /class="katex"/);
  assert.match(renderMarkdown("$$\\definecolor$$ $$\\lettera$$").html, /tex-error.*tex-error/);
});

test("a formula writes nothing to the server's output", (t) => {
  const written = (["log", "error", "warn"] as const).map((name) => t.mock.method(console, name, () => {}).mock);
  for (const text of ["\\message{a}", "\\errmessage{a}", "\\show\\x", "\\message  {a}"])
    assert.match(renderMarkdown(`$$${text}$$`).html, /class="tex-error"/);
  assert.deepEqual(
    written.map((mock) => mock.callCount()),
    [0, 0, 0],
  );
});

test("highlights at most three languages in a message", () => {
  const block = (language: string) => `\`\`\`${language}\nfunction a() { return "b"; }\n\`\`\`\n`;
  const { html } = renderMarkdown(["js", "ts", "js", "go", "swift", "js"].map(block).join(""));
  const highlighted = html.split("codehilite").slice(1);
  assert.deepEqual(
    highlighted.map((code) => code.includes('<span class="')),
    [true, true, true, true, false, true],
  );
  assert.match(highlighted[4] as string, /^" data-code-language="Swift">/);
});

test("depth, token count and length are limited", () => {
  for (const deep of ["> ".repeat(25), "- ".repeat(25), "```quote\n".repeat(25), "~~~spoiler\n".repeat(30)]) {
    assert.ok(!/<(?!\/?p>|br>)/.test(renderMarkdown(`${deep}x`).html), deep);
  }
  assert.ok(renderMarkdown(`${"> ".repeat(9)}x`).html.startsWith("<blockquote>"));
  assert.ok(!renderMarkdown("*a* ".repeat(9000)).html.includes("<em>"));
  assert.ok(!renderMarkdown(`*a* ${"x".repeat(50_000)}`).html.includes("<em>"));
});
