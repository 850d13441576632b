import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { isAllowed } from "../../server/markdown/allow-list.ts";
import { highlightMatches, highlightText } from "../../server/markdown/matches.ts";
import { linksInTopic } from "../../server/markdown/render.ts";
import { context, render } from "./examples.ts";
import { allAttacks } from "./xss-corpus.ts";

/** Random sequences of syntax find what random letters do not. */
const piece = fc.constantFrom(
  ..."* ** *** ~~ ` `` ``` ~~~ [ ]( ) ![ < > & \" ' | - + 1. # : :: \\ _ $ $$ @ @** @_** ** @* #** > @1 <time: /me quote spoiler math js".split(
    " ",
  ),
  ..."\n|\n\n|    |  |\t| ".split("|"),
  ..."Iago|King Lear|announce|support|all|topic|:smile:|:green_tick:|👍|é|中|\u0000|\ud800|\u2028|&lt;|&#x3c;|<b>|x|0|#12".split(
    "|",
  ),
  ..."https://e.example/|javascript:alert(1)|a@b.co|www.e.co|TICKET-1|\\frac{a}{b}|\\href{|}|{|--|==|---|:-:".split(
    "|",
  ),
);
const text = fc.oneof(
  fc
    .array(fc.oneof({ weight: 8, arbitrary: piece }, { weight: 1, arbitrary: fc.string() }), { maxLength: 60 })
    .map((pieces) => pieces.join("")),
  fc.array(fc.constantFrom(...allAttacks), { maxLength: 3 }).map((attacks) => attacks.join(" ")),
  fc.string({ unit: "binary", maxLength: 200 }),
);
const textOf = (html: string) => html.replace(/<[^>]*>/g, "");

test("rendering never throws and produces only allowed HTML", () => {
  fc.assert(
    fc.property(text, (given) => {
      const { html, mentions } = render(given);
      assert.ok(isAllowed(html));
      assert.ok(!/<(?:script|iframe|style|object|form)/i.test(html));
      for (const id of [...mentions.userIds, ...mentions.silentUserIds]) assert.ok([7, 9, 10, 12].includes(id));
      // Every notified user has a visible mention.
      for (const id of mentions.userIds) assert.ok(html.includes(`class="user-mention" data-user-id="${id}"`));
    }),
    { numRuns: 3000 },
  );
});

test("only text nested too deep falls back to plain", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const given = pieces.join("");
      // A mark after a blank line keeps its stars if the whole text falls back to plain.
      const { html } = render(`${given}\n\n\n> *mark*`);
      const isInCode =
        /<code>[\s\S]*\*mark\*[\s\S]*<\/code>/.test(html) || /tex-error|timestamp-error|katex/.test(html);
      if (!isInCode) assert.ok(html.includes("<em>mark</em>"), html);
    }),
    { numRuns: 5000 },
  );
});

test("rendering is deterministic", () => {
  fc.assert(
    fc.property(text, (given) => assert.equal(render(given).html, render(given).html)),
    { numRuns: 300 },
  );
});

test("highlighting adds marks and nothing else", () => {
  fc.assert(
    fc.property(
      text,
      fc.array(
        fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom("a", "x", "span", "class", "amp", "lt", "mark*")),
        { maxLength: 4 },
      ),
      (given, terms) => {
        const { html } = render(given);
        const marked = highlightMatches(html, terms);
        assert.ok(isAllowed(marked));
        assert.equal(textOf(marked), textOf(html).replaceAll("\0", " "));
        const topic = highlightText(given, terms);
        assert.ok(isAllowed(topic));
        assert.equal(textOf(topic), textOf(highlightText(given, [])));
      },
    ),
    { numRuns: 1000 },
  );
});

test("topic links stay in order and use HTTP", () => {
  fc.assert(
    fc.property(text, (topic) => {
      let position = 0;
      for (const { text: part, url } of linksInTopic(topic, context.linkifiers ?? [])) {
        const found = topic.indexOf(part, position);
        assert.ok(found >= position);
        position = found + part.length;
        assert.match(url, /^https?:\/\/[^/]/);
      }
    }),
    { numRuns: 500 },
  );
});
