import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { refer, text, toText } from "../../server/imports/document.ts";
import { type DiscordNames, discordBlocks } from "../../server/imports/formats/discord-markup.ts";
import { oneSpace, visibleText, written } from "./visible.ts";

const names: DiscordNames = {
  person: (id) => (id === "1" ? { person: id } : undefined),
  channel: (id) => (id === "2" ? [refer({ channel: id }), text(" > topic")] : undefined),
  role: (id) => ({ group: `role ${id}` }),
  mentioned: (rest) => (rest.startsWith("Ada K") ? { reference: { person: "1" }, length: 5 } : undefined),
  channelNamed: (name) => (name === "rowing" ? { channel: "2" } : undefined),
  emoji: (name) => name.toLowerCase(),
};
const markdown = (content: string): string => written(toText(discordBlocks(content, names)));

const CASES: readonly (readonly [discord: string, markdown: string])[] = [
  ["**Bold** *italic* _too_ __under__ ~~gone~~", "**Bold** *italic too* **under** ~~gone~~"],
  ["***both*** **a *b* c** snake_case_name 2 * 3 * 4", "***both* a *b* c** snake_case_name 2 &#42; 3 &#42; 4"],
  ["\\*no\\* \\\\ ** open", "&#42;no&#42; \\ &#42;&#42; open"],
  ["`a *b*` ``c`d`` ```js\nx\n``` after", "`a *b*` ``c`d``\n\n```js\nx\n```\n\nafter"],
  ["```one line```", "```\none line\n```"],
  ["> a\n> b\nc\n>>> d\n\ne", "> a\n> b\n\nc\n\n> d\n>\n> e"],
  ["# T\n## U\n-# small\n#no\n#### x", "# T\n\n## U\n\nsmall\n#no\n&#35;### x"],
  ["- a\n  - b\n- c\n1. d\n2. e", "- a\n  - b\n- c\n\n1. d\n2. e"],
  ["a ||b **c**|| d", "a\n\n```spoiler\nb **c**\n```\n\nd"],
  ["||```\ncode\n```||", "````spoiler\n```\ncode\n```\n````"],
  [
    "[t](https://a.example/(x)) <https://b.example> https://c.example/a_b_c.",
    "[t](https://a.example/%28x%29) https://b.example https://c.example/a_b_c.",
  ],
  ["[not](a link) [x](javascript:y)", "[not&#93;(a link) [x&#93;(javascript:y)"],
  [
    "<t:1700000000:R> <t:99999999999999> </cmd:1> <id:guide>",
    "<time:2023-11-14T22:13:20Z> <t:99999999999999> `/cmd` <id:guide>",
  ],
  ["<:Blob:12> <a:Wave:13> :Blob:", ":blob: :wave: :blob:"],
  [
    "@Ada King hi @here, #rowing! <#2>",
    '‹{"person":"1"}›ing hi ‹{"everyone":true}›, ‹{"channel":"2"}›! ‹{"channel":"2"}› > topic',
  ],
  ["line\n\n\nother\n   indented", "line\n\nother\n&nbsp;&nbsp;&nbsp;indented"],
];

test("converts Discord's Markdown", () => {
  for (const [discord, expected] of CASES) assert.equal(markdown(discord), expected, discord);
});

const piece = fc.oneof(
  fc.constantFrom(..."* ** *** _ __ ~~ || ` `` ``` \\ [ ]( ) < > # -# - 1. >>> @ : | $$ & &amp; ~ + | |-|".split(" ")),
  fc.constantFrom(
    "\n",
    " ",
    "  ",
    "\n\n",
    "> ",
    "- ",
    "# ",
    "<@1>",
    "<#2>",
    "<t:1>",
    "@everyone",
    "https://a.example/b*c",
    "[a](https://b.example)",
    "\ud800",
  ),
  fc.stringMatching(/^[a-z]{1,5}$/),
);
const content = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(""));

test("keeps the words of all texts", () => {
  const wordsIn = (given: string): string[] =>
    given.replace(/<[^>]*>|https?:\S+|@everyone|&amp;/g, " ").match(/[a-z]+/g) ?? [];
  fc.assert(
    fc.property(content, (given) => {
      const seen = visibleText(markdown(given));
      for (const word of wordsIn(given.replace(/```[\s\S]*?```/g, " "))) assert.ok(seen.includes(word), word);
    }),
    { numRuns: 1500 },
  );
});

const plain = fc.stringMatching(/^[a-zäö0-9 .,!?'"()&;=+/%-]{1,40}$/);
test("plain words stay the same words", () => {
  fc.assert(
    fc.property(plain, (given) => assert.equal(visibleText(markdown(`x ${given}`)), oneSpace(`x ${given}`))),
    { numRuns: 1000 },
  );
});

test("takes linear time for long hostile texts", () => {
  for (const part of [
    "**a *b ",
    "||",
    "_a_ __",
    "`",
    "``` ",
    "[a](",
    "> ",
    "- a\n",
    "<@",
    "\\",
    "~~~~a",
    "*a**",
    "https://",
    ":a:",
    "@a",
    "h",
  ]) {
    const size = 400_000;
    assert.ok(discordBlocks(part.repeat(size / part.length), names).length > 0, part);
  }
});
