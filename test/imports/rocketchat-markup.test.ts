import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { Names } from "../../server/imports/formats/rocketchat/inline.ts";
import { parseMarkup } from "../../server/imports/formats/rocketchat/markup.ts";
import type { RenderContext } from "../../server/markdown/context.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import { written } from "./visible.ts";

const names: Names = {
  mention: (name) => (name === "bob" ? { person: "B" } : undefined),
  channel: (name) => (name === "general" ? { channel: "G" } : undefined),
  emoji: (name) => (name === "smile" ? "😄" : undefined),
  message: (url) => (url.includes("?msg=") ? { message: "1", place: "G" } : undefined),
};

const converted = (source: string): string => written(parseMarkup(source, names));

/** Text in Rocket.Chat, and in Hearth. */
const pairs: readonly (readonly [string, string])[] = [
  ["*bold* _italic_ ~gone~", "**bold** *italic* ~~gone~~"],
  ["**bold** __italic__ ~~gone~~", "**bold** *italic* ~~gone~~"],
  ["_a *b* c_ *a _b* c_", "*a **b** c* **a _b** c_"],
  ["snake_case_name 2 * 3 * 4", "snake_case_name 2 * 3 * 4"],
  ["5*3*2 \\*no\\*", "5&#42;3&#42;2 &#42;no&#42;"],
  ["`*a*` ``b`c`` lone `", "`*a*` ``b`c`` lone &#96;"],
  [
    "@bob. (@bob) a@bob.de #general, :smile: :none:",
    '‹{"person":"B"}›. (‹{"person":"B"}›) a@bob.de ‹{"channel":"G"}›, 😄 :none:',
  ],
  ["*@bob* yes", '‹{"person":"B"}› yes'],
  [
    "[a_b](https://x.example/a_b_(c)) <https://x.example|y> ![z](http://x.example/z)",
    "[a_b](https://x.example/a_b_%28c%29) [y](https://x.example) [z](http://x.example/z)",
  ],
  ["[x](javascript:alert(1)) https://x.example/_a_*b*.", "[x](javascript:alert(1)) https://x.example/_a_*b*."],
  [
    "[ ](https://x.example/channel/g?msg=1) [it](https://x.example/channel/g?msg=1)",
    '‹{"message":"1","place":"G"}› ‹{"message":"1","place":"G","label":"it"}›',
  ],
  ["\\(x^2\\) <t:1700000000:R> <t:never:R>", "$$x^2$$ <time:2023-11-14T22:13:20Z> <t:never:R>"],
];

test("markup within lines becomes Markdown", () => {
  for (const [source, expected] of pairs) assert.equal(converted(source), expected);
});

const blocks: readonly (readonly [string, string])[] = [
  ["a\n```js\nlet a = `b`;\n```\nc", "a\n```js\nlet a = `b`;\n```\nc"],
  ["```one```", "```\none\n```"],
  ["```quote\nx", "```\nx\n```"],
  ["> a *b*\n> c\nd", "> a **b**\n> c\n\nd"],
  ["* a\n- b\n  1. c\nd", "- a\n- b\n  1. c\n\nd"],
  ["# A _b_\n    not code", "# A *b*\nnot code"],
  ["\\[\nx\n\\]", "```math\nx\n```"],
  ["||hidden *a*||\nnot ||hidden||", "```spoiler\nhidden **a**\n```\nnot ||hidden||"],
];

test("blocks become Markdown", () => {
  for (const [source, expected] of blocks) assert.equal(converted(source), expected);
});

test("emphasis after @ and # mentions no one", () => {
  const context: RenderContext = {
    channelWildcard: true,
    usersByName: () => [{ id: 1, name: "x" }],
    groupByName: () => ({ id: 2, name: "x", mayMention: true }),
  };
  const mentionedBy = (text: string) => JSON.stringify(renderMarkdown(text, context).mentions);
  for (const mention of ["@**all**", "@**x**", "@*x*"]) assert.notEqual(mentionedBy(mention), mentionedBy("none"));
  for (const source of ["@*all*", "@*x*", "(@_x_)", "@__x__", "hi @**all**"])
    assert.equal(mentionedBy(converted(source)), mentionedBy("none"), source);
});

const pieces = [
  "*",
  "_",
  "~",
  "**",
  "`",
  "```",
  "\n",
  "> ",
  "- ",
  "[",
  "](",
  ")",
  "<",
  "|",
  "||",
  "\\(",
  "\\)",
  "@bob",
  "#general",
  ":smile:",
  "https://x.example/a?msg=1",
  " ",
  "\\",
  "# ",
  "<t:1:R>",
  "\\[",
  "\\]",
];

test("parses all texts and keeps their words", () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), word, fc.string()), { maxLength: 40 }), (parts) => {
      converted(parts.join(""));
    }),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(word, fc.constantFrom("*", "_", "~", "`", " ", "\n", "> ", "||", "**")), {
        minLength: 1,
        maxLength: 30,
      }),
      (parts) => {
        const text = converted(parts.map(([each, mark]) => each + mark).join(""));
        for (const [each] of parts) assert.ok(text.includes(each), `${each} in ${text}`);
      },
    ),
  );
});

test("long runs of marks are parsed", () => {
  for (const piece of [...pieces, "_a", "*a ", "[a](http://", "\\(x", "`x``"]) {
    const long = converted(piece.repeat(20_000));
    assert.ok(long.length < 40 * piece.length * 20_000, piece);
  }
});
