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

/** CPU time of one rendering, in milliseconds. */
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
      // Measured: under 50 ms. A collection of garbage may fall into one rendering: what is slow is slow again.
      if (ms > 200 && timed(text).ms > 200 && timed(text).ms > 200) slow.push(`${JSON.stringify(part)} ${ms} ms`);
    }
  }
  assert.deepEqual(slow, []);
});

test("rendering work grows about linearly with the text", () => {
  /** CPU time of one rendering. The system counts in ticks of some milliseconds, so one rendering may show as zero. */
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

test("depth, token count and length are limited", () => {
  for (const deep of ["> ".repeat(25), "- ".repeat(25), "```quote\n".repeat(25), "~~~spoiler\n".repeat(30)]) {
    assert.ok(!/<(?!\/?p>|br>)/.test(renderMarkdown(`${deep}x`).html), deep);
  }
  assert.ok(renderMarkdown(`${"> ".repeat(9)}x`).html.startsWith("<blockquote>"));
  assert.ok(!renderMarkdown("*a* ".repeat(9000)).html.includes("<em>"));
  assert.ok(!renderMarkdown(`*a* ${"x".repeat(50_000)}`).html.includes("<em>"));
});
