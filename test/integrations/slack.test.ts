import assert from "node:assert/strict";
import test from "node:test";
import { slack } from "./payloads.ts";
import { fate, messageOf, outcome } from "./requests.ts";

const text = (value: string): string => messageOf("slack_incoming", { text: value }).content;
const blocks = (...list: object[]): string => messageOf("slack_incoming", { blocks: list }).content;

test("converts Slack's markup to Markdown", () => {
  for (const [mrkdwn, markdown] of [
    ["*bold* _it_ ~gone~", "**bold** *it* ~~gone~~"],
    ["*foo*a*bar*", "*foo*a*bar*"],
    ["* not * bold*", "* not * bold*"],
    ["snake_case_name 2*3*4", "snake_case_name 2*3*4"],
    ["(*bold*), _it_!", "(**bold**), *it*!"],
    ["*_both_*", "***both***"],
    [
      "<https://x.example|a name> <https://x.example/?a=1&amp;b=2>",
      "[a name](https://x.example) https://x.example/?a=1&b=2",
    ],
    ["*<https://x.example|a *name*>*", "**[a &#42;name&#42;](https://x.example)**"],
    ["<mailto:a@b.example|a@b.example>", "a@b.example"],
    ["<@U1> <@U1|iago> <#C1|fire> <!here> <!subteam^S1|@stokers>", "@U1 @iago #fire @here @stokers"],
    ["<!date^1735689600^{date}|then>", "<time:2025-01-01T00:00:00Z>"],
    ["a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"],
    ["`*code* &lt;a&gt; <@U1>`", "`*code* <a> <@U1>`"],
    ["x ```*code*\n_more_``` y", "x \n```\n*code*\n_more_\n```\n y"],
    ["<javascript:alert(1)|click>", "click"],
  ] as const) {
    assert.equal(text(mrkdwn), markdown);
  }
});

test("external wildcards notify nobody", () => {
  assert.equal(text("@**all** @*everyone* <!channel> @**Iago**"), "@_**all** @_**everyone** @channel @**Iago**");
  assert.equal(blocks({ type: "markdown", text: "# Hi @**all**" }), "# Hi @_**all**");
});

test("shows blocks and attachments without buttons", () => {
  const { topic, content } = messageOf("slack_incoming", slack);
  assert.equal(topic, "fire");
  assert.equal(
    content,
    `## Head

A *section*

| | |
|---|---|
| **a** | b c |
| &#42;d&#42; |  |

[Pic](https://x.example/i.png)

----

[Photo](https://x.example/j.png)

~~old~~
[Image](https://x.example/k.png)

**bold** [link](https://x.example):fire:@U1@channel

- one

\`\`\`
code
\`\`\`

> said

of **it**

Before

Iago

## [Title](https://x.example/t)

Text

**Heat**: 451
alone

[Image](https://x.example/l.png)

Foot
<time:2025-01-01T00:00:00Z>`,
  );
});

test("falls back to the text and its icon", () => {
  assert.equal(
    messageOf("slack_incoming", { text: "hi", icon_emoji: ":fire:", blocks: [{ type: "actions" }] }).content,
    ":fire: hi",
  );
  assert.equal(messageOf("slack_incoming", { attachments: [{ fallback: "Only *this*" }] }).content, "Only **this**");
  assert.equal(fate("slack_incoming", { text: null, blocks: null }), "ignored");
});

test("shows the text before the attachments", () => {
  const of = (payload: object) => messageOf("slack_incoming", payload).content;
  const attachments = [{ color: "danger", text: "abc: *Fix*", fields: [{ title: "Branch", value: "main" }] }];
  assert.equal(of({ text: "Build *5*", attachments }), "Build **5**\n\nabc: **Fix**\n\n**Branch**: main");
  assert.equal(of({ text: "Done", attachments: [{ fallback: "Done" }, { text: "Done" }] }), "Done");
  const blocks = [{ type: "section", text: { type: "mrkdwn", text: "Body" } }];
  assert.equal(of({ text: "Summary", blocks, attachments: [{ text: "More" }] }), "Body\n\nMore");
});

test("numbers ordered lists and nests by indent", () => {
  const list = (style: string, texts: string[], more: object = {}) => ({
    type: "rich_text_list",
    style,
    elements: texts.map((each) => ({ type: "rich_text_section", elements: [{ type: "text", text: each }] })),
    ...more,
  });
  const elements = [
    list("ordered", ["one", "two"]),
    list("bullet", ["inner"], { indent: 1 }),
    list("ordered", ["three"], { offset: 2 }),
    { type: "rich_text_section", elements: [{ type: "text", text: "after" }] },
  ];
  assert.equal(blocks({ type: "rich_text", elements }), "1. one\n2. two\n  - inner\n3. three\n\nafter");
});

test("the payload is the body or a field of form or URL", () => {
  const payload = JSON.stringify({ text: "hi", channel: "@iago" });
  assert.equal(messageOf("slack_incoming", "payload=…", { form: { payload } }).topic, "iago");
  assert.equal(messageOf("slack_incoming", "", { query: { payload } }).content, "hi");
  assert.equal(messageOf("slack_incoming", "", { query: { payload: `\uFEFF${payload}` } }).content, "hi");
  assert.equal(messageOf("slack_incoming", payload, { query: { topic: "mine" } }).topic, "mine");
  for (const sent of [{}, { form: { other: "x" } }]) {
    assert.throws(() => outcome("slack_incoming", "", sent), { code: "REQUEST_VARIABLE_MISSING" });
  }
});
