import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type Block, toText } from "../../server/imports/document.ts";
import { readAttachments, readBlocks, type SlackTexts } from "../../server/imports/formats/slack-blocks.ts";
import { parseMrkdwn } from "../../server/imports/formats/slack-markup.ts";
import { LeftOut } from "../../server/imports/model.ts";
import { oneSpace, visible, written } from "./visible.ts";

const leftOut = new LeftOut();
const names: SlackTexts = {
  person: (id) => ({ person: id }),
  channel: (id) => (id === "C1" ? { channel: id } : undefined),
  isPlace: (id) => id === "C1" || id === "D1",
  leftOut,
};

const mrkdwn = (text: string) => toText(parseMrkdwn(text, names));
const assertTexts = (read: (text: string) => unknown, examples: readonly (readonly [string, ...unknown[]])[]) => {
  for (const [given, ...expected] of examples) assert.deepEqual(read(given), expected, given);
};

test("styles of mrkdwn become Markdown", () => {
  assertTexts(mrkdwn, [
    ["*bold* _italic_ ~gone~ `co*de`", "**bold** *italic* ~~gone~~ `co*de`"],
    ["*_both_* and _~*all*~_", "***both*** and ***~~all~~***"],
    ["*not bold * and 2*3*4, snake_case_name", "&#42;not bold &#42; and 2&#42;3&#42;4, snake_case_name"],
    ["*two\nlines*", "&#42;two\nlines&#42;"],
    ["**word** ~~word~~", "&#42;&#42;word&#42;&#42; &#126;&#126;word&#126;&#126;"],
    ["(*a*), _b_.", "(**a**), *b*."],
    ["```let a = `b`;\nc &lt; d```", "```\nlet a = `b`;\nc < d\n```"],
    ["before ```x``` after", "before\n\n```\nx\n```\n\nafter"],
    ["``` no end", "&#96;&#96;&#96; no end"],
  ]);
});

test("quotes and lists of mrkdwn become Markdown", () => {
  assertTexts(mrkdwn, [
    ["&gt; a *b*\n&gt; c\nd", "> a **b**\n> c\n\nd"],
    ["a\n&gt;&gt;&gt;b\nc", "a\n\n> b\n> c"],
    ["• a\n    ◦ b\n• c", "- a\n  - b\n- c"],
    ["3. a\n4. b\n6. c", "3. a\n4. b\n\n6&#46; c"],
    ["- a\n# b\n+ c", "&#45; a\n&#35; b\n&#43; c"],
  ]);
});

test("references of mrkdwn become references", () => {
  assertTexts(mrkdwn, [
    ["<@U1> and <@U2|bob>", { person: "U1" }, " and ", { person: "U2" }],
    ["cc<@U1>", "cc ", { person: "U1" }],
    ["<#C1|general> <#C2|other> <#C3>", { channel: "C1" }, " #other #C3"],
    ["<!here> <!channel|@channel>", { everyone: true }, " ", { everyone: true }],
    ["<!subteam^S1|@devs> <!subteam^S2>", { group: "devs" }, " ", { group: "S2" }],
    ["*<@U1>*", { person: "U1" }],
    ["<!date^1700000000^{date}|Nov> <!date^x^{date}|never>", "<time:2023-11-14T22:13:20Z> never"],
  ]);
});

test("links of mrkdwn become links", () => {
  const link = "https://x.slack.com/archives/C1/p1500000000000123?thread_ts=1&cid=C1";
  assertTexts(mrkdwn, [
    ["<https://e.example/a?b=1&amp;c=2>", "https://e.example/a?b=1&c=2"],
    ["<https://e.example/|see *this* [1]>", "[see &#42;this&#42; &#91;1&#93;](https://e.example/)"],
    ["<https://e.example/a_(b)|https://e.example/a_(b)>", "[https://e.example/a_(b)](https://e.example/a_%28b%29)"],
    ["<mailto:a@b.co|a@b.co> <tel:+491|call>", "a@b.co [call](tel:+491)"],
    [`<${link}>`, { message: "1500000000.000123", place: "C1" }],
    [`<${link}|here>`, { message: "1500000000.000123", place: "C1", label: "here" }],
    ["<https://x.slack.com/archives/C1>", { channel: "C1" }],
    ["<javascript:alert(1)|x> <b>", "x (javascript:alert(1)) <b>"],
  ]);
});

test("emoji of mrkdwn become characters", () => {
  assertTexts(mrkdwn, [
    [":tada: :wave::skin-tone-4: :simple_smile:", "🎉 👋🏽 🙂"],
    ["*:tada:* 10:30:20 :party_parrot: :tada", "**🎉** 10:30:20 :party_parrot: :tada"],
    ["&amp;lt; &lt;b&gt; a &amp; b", "&amp;lt; <b> a & b"],
  ]);
});

const syntax = fc.constantFrom(
  ..."* _ ~ ` ``` &gt; &gt;&gt;&gt; > • 1. 2. &amp; &lt; &amp;lt; : :x: | # - + [ ]( ) $$ @** < \\".split(" "),
  ..."\n| |    |word|Iago|a1|é|https://e.example/x*|\n• |".split("|"),
);

test("all mrkdwn keeps its words", () => {
  fc.assert(
    fc.property(fc.array(syntax, { maxLength: 40 }), (pieces) => {
      const shown = visible(mrkdwn(pieces.join("")));
      const words = (text: string) => text.match(/word|Iago|a1|é|https:..e.example.x/g) ?? [];
      assert.deepEqual(words(shown), words(pieces.join("")));
    }),
    { numRuns: 3000 },
  );
});

test("texts without mrkdwn stay unchanged", () => {
  const harmless = fc.constantFrom(
    ..."** # ## - + [ ]( ) ![ $$ | \\ @ @** #** > 7. \n word a_b 1 http://e.example/".split(" "),
    " ",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(harmless, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("").replaceAll(/^>+/gm, "");
      assert.equal(visible(mrkdwn(text)), oneSpace(text));
    }),
    { numRuns: 2000 },
  );
});

test("long runs of marks are read", () => {
  for (const piece of [
    "*a ",
    "_*~",
    "<",
    "<a|",
    "`",
    "&gt;&gt;&gt;",
    ":a",
    "```",
    "• ",
    "1. ",
    "-",
    "|",
    "http://",
    ").",
    "\n> ",
  ])
    assert.equal(typeof written(mrkdwn(piece.repeat(40_000 / piece.length))), "string", piece);
});

const rich = (...elements: object[]) => readBlocks([{ type: "rich_text", elements }], names);
const section = (...elements: object[]) => ({ type: "rich_text_section", elements });
const leaf = (text: string, style?: object) => ({ type: "text", text, style });
const list = (style: string, indent: number, ...items: string[]) => ({
  ...{ type: "rich_text_list", style, indent },
  elements: items.map((text) => section(leaf(text))),
});
const read = (blocks: readonly Block[] | undefined) => toText(blocks ?? []);

const inLine = (blocks: readonly Block[] | undefined) => written(read(blocks)).replaceAll("\u2060", "");

test("styled leaves and references of rich text become Markdown", () => {
  const bold = { bold: true };
  const blocks = rich(
    section(
      leaf("a "),
      leaf("b ", bold),
      { type: "user", user_id: "U1", style: bold },
      leaf("c", { italic: true, strike: true }),
      { type: "link", url: "https://e.example/", text: "d" },
      { type: "channel", channel_id: "C1" },
      { type: "broadcast", range: "here" },
      { type: "usergroup", usergroup_id: "S1" },
    ),
  );
  const [person, channel, all, group] = [{ person: "U1" }, { channel: "C1" }, { everyone: true }, { group: "S1" }].map(
    (reference) => `‹${JSON.stringify(reference)}›`,
  );
  assert.equal(inLine(blocks), `a **b** ${person}*~~c~~*[d](https://e.example/) ${channel} ${all} ${group}`);
});

test("emoji, dates and colors of rich text become Markdown", () => {
  const blocks = rich(
    section(
      { type: "emoji", name: "wave", unicode: "1f44b-1f3fb", skin_tone: 2 },
      { type: "emoji", name: "new_one", unicode: "1f600" },
      { type: "emoji", name: "parrot_2" },
      { type: "date", timestamp: 1_700_000_000, format: "{date}" },
      { type: "color", value: "#fff" },
    ),
  );
  assert.equal(inLine(blocks), "👋🏻😀:parrot_2:<time:2023-11-14T22:13:20Z>#fff");
});

test("lists, quotes and code of rich text become Markdown", () => {
  const blocks = rich(
    section(leaf("list:\n")),
    list("bullet", 0, "a", "b"),
    list("ordered", 1, "c", "d"),
    list("bullet", 0, "e"),
    { ...list("ordered", 0, "f"), offset: 4 },
    { type: "rich_text_quote", elements: [leaf("q\nr")] },
    { type: "rich_text_preformatted", elements: [leaf("x = *1*\n")] },
    section(leaf("- end")),
  );
  assert.deepEqual(read(blocks), [
    "list:\n\n- a\n- b\n  1. c\n  2. d\n- e\n\n5. f\n\n> q\n> r\n\n```\nx = *1*\n```\n\n&#45; end",
  ]);
});

test("blocks of apps become Markdown", () => {
  const plain = (text: string) => ({ type: "plain_text", text });
  const cell = (text: string) => ({ type: "rich_text", elements: [section(leaf(text))] });
  const blocks = readBlocks(
    [
      { type: "header", text: plain("Head :tada: *x*") },
      { type: "section", text: { type: "mrkdwn", text: "*a*" }, fields: [{ type: "mrkdwn", text: "*K:*\nv" }] },
      { type: "divider" },
      { type: "section", text: plain("b"), accessory: { type: "button" } },
      { type: "context", elements: [{ type: "image", image_url: "https://e.example/i.png" }, plain("c")] },
      { type: "image", image_url: "https://e.example/p.png", title: plain("P"), alt_text: "p" },
      { type: "table", rows: [[cell("h"), { type: "raw_text", text: "i|j" }], [cell("1")]] },
      { type: "video", title: plain("V"), title_url: "https://e.example/v" },
      { type: "actions", elements: [] },
    ],
    names,
  );
  const image = "https://e.example/i.png\n\nc\n\n[P](https://e.example/p.png)";
  const table = "| h | i&#124;j |\n|---|---|\n| 1 |  |";
  const start = "## Head 🎉 &#42;x&#42;\n\n**a**\n\n**K:**\nv\n\n---\n\nb";
  assert.deepEqual(read(blocks), [`${start}\n\n${image}\n\n${table}\n\n[V](https://e.example/v)`]);
  assert.equal(leftOut.toJSON()["buttons and forms"], 2);
});

test("unknown blocks are not read", () => {
  assert.equal(readBlocks([{ type: "divider" }, { type: "call" }], names), undefined);
  assert.equal(readBlocks([{}], names), undefined);
  assert.deepEqual(readBlocks(null, names), []);
});

test("attachments become quotes", () => {
  const attachment = {
    ...{ pretext: "New *build*", author_name: "Ann", author_link: "https://e.example/ann", title: "Build [1]" },
    ...{ title_link: "https://e.example/1", text: "It <https://e.example/2|works>", footer: "CI", ts: 1_700_000_000 },
    fields: [
      { title: "Branch", value: "main", short: true },
      { title: "List", value: "• a" },
    ],
    actions: [{ type: "button" }],
  };
  assert.deepEqual(read(readAttachments([attachment, { fallback: "only *this*" }], "", names)), [
    [
      "New **build**\n",
      "> [Ann](https://e.example/ann)\n>\n> [**Build &#91;1&#93;**](https://e.example/1)\n>",
      "> It [works](https://e.example/2)\n>\n> **Branch:** main\n>\n> **List:**\n>\n> - a\n>",
      "> CI <time:2023-11-14T22:13:20Z>\n",
      "> only **this**",
    ].join("\n"),
  ]);
});

test("previews of links are left out, and shared messages are quoted", () => {
  const text = "see <https://e.example/?a=1&amp;b=2>";
  assert.deepEqual(readAttachments([{ from_url: "https://e.example/?a=1&b=2", title: "E" }], text, names), []);
  assert.equal(leftOut.toJSON()["link previews"], 1);
  const shared = { is_share: true, author_name: "Bob", text: "*hi*", channel_id: "C1", ts: "1500000000.000123" };
  const message = { message: "1500000000.000123", place: "C1" };
  assert.deepEqual(read(readAttachments([shared], "", names)), [
    message,
    "\n\n> Bob\n>\n> **hi**\n>\n> <time:2017-07-14T02:40:00Z>",
  ]);
  const better = { ...shared, channel_id: "C9", message_blocks: [{ message: { blocks: [{ type: "divider" }] } }] };
  assert.deepEqual(read(readAttachments([better], "", names)), ["> Bob\n>\n> ---\n>\n> <time:2017-07-14T02:40:00Z>"]);
});
