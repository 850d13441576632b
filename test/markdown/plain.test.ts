import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { RenderContext } from "../../server/markdown/context.ts";
import { compileLinkifiers } from "../../server/markdown/linkifiers.ts";
import { plainHtml } from "../../server/markdown/plain.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import { context, render } from "./examples.ts";

const { linkifiers: _, ...surroundings } = context;
/** Any linkifier forces the full parser, even this one, which matches nothing. */
const never = compileLinkifiers([{ id: 1, pattern: "\\x{10fffe}", url_template: "https://never.example/" }]);
const inFull = (text: string, more: RenderContext) => renderMarkdown(text, { ...more, linkifiers: never });
const CONTEXTS: RenderContext[] = [
  surroundings,
  { ...surroundings, translateEmoticons: true, customEmoji: (name) => ({ url: `/emoji/${name}.png` }) },
  {},
];

const assertSame = (text: string) => {
  for (const each of CONTEXTS) assert.deepEqual(renderMarkdown(text, each), inFull(text, each), JSON.stringify(text));
};

const mark = fc.constantFrom(
  ...". , ; : ! ? ' \" ( ) / % = + & _ - – — ‘ ’ “ … * ** *** ~ ~~ ` # @ > < | [ ] \\ $ :: // ... // -- == :) (: ;) <3 :D :/ :p".split(
    " ",
  ),
);
const word = fc.constantFrom(
  ..."a b I word coffee über tea time 1 2 30 100 12 7 x_y well-known don't é中文 ア ñ ℹ ① Ⓜ © 1⃣ й ß www localhost http https mailto ftp com org co smile cat www. .com a.b 1.5 10:30 1.2.3.4 127.0.0.1 :) 1. 2) /me me quote js http:// &amp; &lt; &copy; amp;".split(
    " ",
  ),
);
const markup = fc.constantFrom(
  ..."~~a~~;@**Iago**;#**announce**;[a](b);$$a$$;`a`;<time:1496701800>;:smile:;|a|\n|-|;# a;> a;+ a;+;1.com;//localhost;**a***b*;[a](/b);a->b;#12;@all;<3;->;>;a**b**c;*a*_b_;\t;*;**;***;a:100;3:100:".split(
    ";",
  ),
  ";)",
);
const gap = fc.constantFrom(" ", " ", " ", "", "", "\n", "\n\n", "\n\n\n", "  ", " \n", "\n ", "\t", "\u00a0", "\r\n");
/** Words between marks and gaps, on the border between plain text and markup. */
const nearlyPlain = fc
  .array(fc.oneof({ weight: 5, arbitrary: word }, { weight: 2, arbitrary: mark }, { weight: 5, arbitrary: gap }), {
    maxLength: 14,
  })
  .map((pieces) => pieces.join(""));
const emphasis = fc.tuple(fc.constantFrom("*", "**"), nearlyPlain).map(([stars, text]) => `${stars}${text}${stars}`);
/** Separate words with an occasional mark: mostly plain. */
const sentence = fc
  .array(
    fc
      .tuple(
        fc.constantFrom("", "", "", "", "", "", "", "(", '"', "“"),
        fc.oneof(
          {
            weight: 12,
            arbitrary: fc.constantFrom("a", "Word", "don't", "x_y", "coffee", "30", "中文", "*coffee*", "**smile 1.**"),
          },
          { weight: 1, arbitrary: word },
          { weight: 1, arbitrary: markup },
        ),
        fc.constantFrom("", "", "", "", ".", ",", ":", ";", "?", ")", '"', ".)", "...", "!", "s"),
        fc.constantFrom(" ", " ", " ", "\n", "\n\n", " - ", " & ", " / ", " (", "-"),
      )
      .map((parts) => parts.join("")),
    { minLength: 1, maxLength: 8 },
  )
  .map((pieces) => pieces.join("").trim());

test("the plain path and the full parser agree", () => {
  let plain = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        { weight: 5, arbitrary: sentence },
        { weight: 2, arbitrary: nearlyPlain },
        {
          weight: 2,
          arbitrary: fc
            .array(fc.oneof(emphasis, nearlyPlain, sentence), { maxLength: 4 })
            .map((parts) => parts.join(" ")),
        },
        { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
      ),
      (text) => {
        if (plainHtml(text) === undefined) return;
        plain++;
        assertSame(text);
      },
    ),
    { numRuns: 6000 },
  );
  assert.ok(plain > 500, `only ${plain} of them were plain`);
});

test("everyday messages take the plain path", () => {
  for (const text of [
    "ok",
    "Shall we meet at 10:30, or is that too early?",
    'She said "no" (twice), and that\'s that...',
    "It costs 3.50 & takes 5-10 minutes; see the plan: it is 20% done!",
    "The new **schedule** is up: look at the *board*, please.",
    "**Note**: this is plain\nin two lines\n\nand two paragraphs",
    "Das ist gut – wirklich “gut”… Größe zählt, 中文也可以。",
  ]) {
    assert.notEqual(plainHtml(text), undefined, text);
    assertSame(text);
  }
});

test("possible markup takes the full parser", () => {
  const more =
    "*a|a*|* a|**a|a **b*|- a|+ a|1. a|# a|> a|`a`|~~a~~|@**Iago**|#**announce**|:smile:|a :)|(: a|a ;)|a:smile:|www.e.co|see e.com.|http://e.co|a@b.co|&amp;|&copy|a&b|[a](b)|$$a$$|a|b|<b>|👍|©|ℹ️|1⃣|    a|a |10:30:15|1:100:2|a\tb|a\\b|/me waves|~~~|---|".split(
      "|",
    );
  for (const text of more.filter((each) => each !== "a" && each !== "b")) {
    assert.equal(plainHtml(text), undefined, text);
    assertSame(text);
  }
  assert.equal(plainHtml("a|b"), undefined);
  assert.equal(plainHtml(`a ${"b ".repeat(2000)}c`), undefined);
});

test("linkifiers and alert words work in plain text", () => {
  assert.equal(render("TICKET-7 is done").links.length, 1);
  assert.deepEqual(renderMarkdown("Tea\ntime, *über* all", surroundings).alertWords, ["tea time", "über"]);
});

test("a numeric email address takes the full parser", () => {
  assert.equal(plainHtml("a@1.5"), undefined);
});
