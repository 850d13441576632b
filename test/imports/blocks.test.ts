import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type Block, type Inline, markdownOf } from "../../server/imports/blocks.ts";
import { visible, withoutSpaces, written } from "./visible.ts";

/** Pieces of syntax, and words. */
const piece = fc.constantFrom(
  ..."* ** *** _ __ ~ ~~ ~~~ ` `` ``` [ ] ( ) ![ < > & \" ' | - + 1. 2. # ## : \\ $ $$ @ @** @* #** > >>> <time:1> & &amp; &#42; /me quote".split(
    " ",
  ),
  ..."\n|\n\n| |    |\t|--|---|:-:| - | * |+ ".split("|"),
  ..."a|Iago|word|1|x_y|é|中|<b>|https://e.example/|https://e.example/a*b~~c_(d)[e]|www.e.co|a@b.co|spoiler|math|/me ".split(
    "|",
  ),
);
const text = fc.oneof(
  { weight: 5, arbitrary: fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join("")) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }).filter((each) => !each.includes("%")) },
);
const style = fc.record({ bold: fc.boolean(), italic: fc.boolean(), strike: fc.boolean() });
const styled = fc.record({ text, style: fc.option(style, { nil: undefined }) });
const inlines = fc.array(styled, { maxLength: 5 });

const textIn = (parts: readonly { text: string }[]) => parts.map((part) => part.text).join("");
const paragraph = (...parts: readonly Inline[]): Block => ({ paragraph: parts });

test("a plain text shows as it is", () => {
  fc.assert(
    fc.property(text, (given) => assert.equal(visible(markdownOf([paragraph({ text: given })])), withoutSpaces(given))),
    { numRuns: 4000 },
  );
});

test("styled texts lose no words", () => {
  fc.assert(
    fc.property(inlines, (parts) =>
      assert.equal(
        visible(markdownOf([paragraph(...parts)])),
        withoutSpaces(textIn(parts)),
        written(markdownOf([paragraph(...parts)])),
      ),
    ),
    { numRuns: 3000 },
  );
});

test("texts in quotes, lists and headings show as they are", () => {
  fc.assert(
    fc.property(inlines, inlines, (first, second) => {
      const [one, two] = [[paragraph(...first)], [paragraph(...second)]];
      const [a, b] = [withoutSpaces(textIn(first)), withoutSpaces(textIn(second))];
      assert.equal(visible(markdownOf([{ quote: one }, ...two])), a + b);
      assert.equal(visible(markdownOf([{ list: [one, two] }, ...two])), `•${a}•${b}${b}`);
      assert.equal(visible(markdownOf([{ list: [one, [{ quote: two }]], start: 7 }, ...one])), `7.${a}8.${b}${a}`);
      assert.equal(visible(markdownOf([{ heading: first, level: 2 }, ...two])), a + b);
    }),
    { numRuns: 1500 },
  );
});

test("cells of tables show as they are", () => {
  fc.assert(
    fc.property(inlines, inlines, (first, second) => {
      const table = [
        [[{ text: "head" }], first],
        [second, [{ text: "a|b" }, { text: "x|y", style: { code: true } }]],
      ];
      const shown = visible(markdownOf([{ table }, paragraph({ text: "end" })]));
      assert.equal(shown, withoutSpaces(`head${textIn(first)}${textIn(second)}a|bx|yend`));
    }),
    { numRuns: 1000 },
  );
});

test("labels of links show as they are", () => {
  fc.assert(
    fc.property(inlines, text, (label, after) => {
      fc.pre(textIn(label).trim() !== "");
      const blocks = [paragraph({ url: "https://e.example/a(b)*c*", label }, { text: after })];
      assert.equal(visible(markdownOf(blocks)), withoutSpaces(textIn(label) + after));
    }),
    { numRuns: 2000 },
  );
});
