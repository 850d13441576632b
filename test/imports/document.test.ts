import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import {
  type Block,
  type Inline,
  link,
  paragraph,
  refer,
  styled,
  text,
  toText,
} from "../../server/imports/document.ts";
import { html } from "../markdown/examples.ts";
import { oneSpace, visible, withoutSpaces, written } from "./visible.ts";

/** Markdown syntax and words. */
const piece = fc.oneof(
  fc.constantFrom(
    ..."* ** *** _ __ ~ ~~ ~~~ ` `` ``` $ $$ [ ] ( ) ]( ![ < > >>> # ## - + -- --- 1. 2. 2) | |- |-|- --|---| :-: : & && \" '".split(
      " ",
    ),
  ),
  fc.constantFrom(
    ..."&amp; &#42; \\ ! @ @** @* #** <time:1> <b> quote spoiler math é 中 x_y 1 www.e.co a@b.co".split(" "),
  ),
  fc.constantFrom(..."@**Iago** @*support* #**announce** <time:2026-01-01> mailto:a@b.example".split(" ")),
  fc.constantFrom(..."https://a.example/b*c* http://x.example https://e.example/a*b~~c_(d)[e]".split(" ")),
  fc.constantFrom(" ", "  ", "    ", "\n", "\n\n", "\t", "/me ", "www.a.example/*b*", "[a](http://b.example)"),
  fc.stringMatching(/^[a-zäß0-9.,]{1,6}$/),
);
const words = fc.oneof(
  { weight: 5, arbitrary: fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join("")) },
  // The renderer decodes percent signs in URLs.
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }).filter((each) => !each.includes("%")) },
);
const shown = (blocks: readonly Block[]): string => visible(toText(blocks));

test("words stay the same words", () => {
  fc.assert(
    fc.property(words, (given) => assert.equal(shown([paragraph(text(given))]), oneSpace(given))),
    { numRuns: 4000 },
  );
});

const inline: fc.Arbitrary<Inline> = fc.letrec<{ inline: Inline }>((tie) => ({
  inline: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    words.map(text),
    fc
      .stringMatching(/^[a-z`~*| ]{1,6}$/)
      .filter((code) => code.trim() !== "")
      .map((code): Inline => ({ is: "code", text: code })),
    fc
      .tuple(
        fc.constantFrom("bold" as const, "italic" as const, "strike" as const),
        fc.array(tie("inline"), { maxLength: 3 }),
      )
      .map(([style, inside]) => styled(style, inside)),
    fc
      .array(tie("inline"), { minLength: 1, maxLength: 2 })
      .map((inside): Inline => ({ is: "link", url: "https://l.example/~a(b)", inside })),
  ),
})).inline;

const plain = (inside: readonly Inline[]): string =>
  inside
    .map((part) => {
      if (part.is === "link" && withoutSpaces(plain(part.inside)) === "") return part.url;
      return "inside" in part ? plain(part.inside) : "text" in part ? part.text : " ";
    })
    .join("");
const letters = (content: string): string => withoutSpaces(content.replace(/https:..l.example.~a\(b\)/g, ""));

test("formatting does not change the words", () => {
  fc.assert(
    fc.property(fc.array(inline, { maxLength: 5 }), (inside) =>
      assert.equal(letters(shown([paragraph(...inside)])), letters(plain(inside))),
    ),
    { numRuns: 3000 },
  );
});

const inlines = fc.array(inline, { maxLength: 3 });
const block: fc.Arbitrary<Block> = fc.letrec<{ block: Block; blocks: Block[] }>((tie) => ({
  blocks: fc.array(tie("block"), { maxLength: 3 }),
  block: fc.oneof(
    { maxDepth: 3, depthSize: "small", withCrossShrink: true },
    inlines.map((inside) => paragraph(...inside)),
    inlines.map((inside): Block => ({ is: "heading", level: 2, inside })),
    tie("blocks").map((blocks): Block => ({ is: "quote", blocks })),
    tie("blocks").map((blocks): Block => ({ is: "spoiler", blocks })),
    fc.record({
      is: fc.constant("list" as const),
      start: fc.option(fc.nat(99), { nil: undefined }),
      items: fc.array(tie("blocks"), { maxLength: 3 }),
    }),
    fc.array(fc.array(inlines, { maxLength: 3 }), { maxLength: 3 }).map((rows): Block => ({ is: "table", rows })),
    fc
      .constantFrom("a `b`", "```js\nx\n```", "> *a*\n\n  b", "#!python\nx", ":::js y")
      .map((code): Block => ({ is: "code", text: code })),
  ),
})).block;

/** The text with the marks of lists. Empty bullets are not shown. */
function plainBlock(given: Block): string {
  if ("blocks" in given) return given.blocks.map(plainBlock).join("");
  if (given.is === "table") return given.rows.flat().map(plain).join("");
  if (given.is !== "list") return "inside" in given ? plain(given.inside) : "text" in given ? given.text : "";
  const items = given.items.map((item) => withoutSpaces(item.map(plainBlock).join("")));
  if (given.start === undefined) return items.map((item) => (item === "" ? "" : `•${item}`)).join("");
  return items.map((item, index) => `${Number(given.start) + index}.${item}`).join("");
}

test("blocks do not change the words", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 4 }), (blocks) =>
      assert.equal(letters(shown(blocks)), letters(blocks.map(plainBlock).join("")), written(toText(blocks))),
    ),
    { numRuns: 3000 },
  );
});

test("formats text, links and code", () => {
  const bold = styled("bold", [text("a "), styled("italic", [text("b")]), text(" c ")]);
  const inside = [bold, link("https://a.example/x(1)", "[label]"), text(" "), { is: "code", text: "a`b" } as const];
  const markdown = written(toText([paragraph(...inside)]));
  assert.equal(markdown, "**a *b* c** [&#91;label&#93;](https://a.example/x%281%29) ``a`b``");
  assert.match(html(markdown), /<strong>a <em>b<\/em> c<\/strong> <a href="https:\/\/a.example/);
});

const table: Block = {
  is: "table",
  rows: [
    [[text("a|b")], []],
    [[text("c")], [text("d")]],
  ],
};

test("lists, quotes, code and tables nest", () => {
  const list: Block = {
    is: "list",
    start: 3,
    items: [[paragraph(text("a")), { is: "code", text: "x" }], [paragraph(text("b"))]],
  };
  assert.deepEqual(written(toText([{ is: "quote", blocks: [list, table] }])).split("\n"), [
    "> 3. a",
    ">",
    ">   ```",
    ">   x",
    ">   ```",
    "> 4. b",
    ">",
    "> | a&#124;b |  |",
    "> |---|---|",
    "> | c | d |",
  ]);
});

test("a reference begins a word, without formatting", () => {
  const person = refer({ person: "1" });
  const result = toText([paragraph(text("hi"), styled("bold", [person, text("you")]), person, text("!"))]);
  assert.deepEqual(result, ["hi ", { person: "1" }, "\u2060**you** ", { person: "1" }, "!"]);
});

test("spoilers are blocks, and hidden code stays hidden", () => {
  const inside: Inline[] = [text("a "), { is: "spoiler", inside: [text("b")] }, text(" c")];
  assert.deepEqual(toText([paragraph(...inside)]), ["a\n\n```spoiler\nb\n```\n\nc"]);
  const code: Block = { is: "code", text: "x", language: "spoiler" };
  assert.deepEqual(toText([{ is: "spoiler", blocks: [code] }]), ["````spoiler\n```\nx\n```\n````"]);
});

test("unsafe links are only text", () => {
  for (const url of [
    "javascript:alert(1)",
    "data:text/html,x",
    "//evil.example",
    "https:///x",
    "\u0001javascript:x",
    `https://a.example/${"a".repeat(3000)}`,
  ])
    assert.deepEqual(toText([paragraph(link(url, "label"))]), ["label"], url);
});

test("deep and large blocks stay within the renderer's limits", () => {
  let deep: Block = paragraph(text("core"));
  for (let level = 0; level < 200; level++)
    deep = level % 2 === 0 ? { is: "quote", blocks: [deep] } : { is: "list", items: [[deep]] };
  assert.match(html(written(toText([deep]))), /<blockquote>[\s\S]*core/);
  const rows = Array.from({ length: 100 }, () => Array.from({ length: 50 }, () => [text("x")]));
  assert.doesNotMatch(written(toText([{ is: "table", rows }])), /\|/);
});
