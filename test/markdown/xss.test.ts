import assert from "node:assert/strict";
import test from "node:test";
import { isAllowed } from "../../server/markdown/allow-list.ts";
import type { RenderContext } from "../../server/markdown/context.ts";
import { compileLinkifiers } from "../../server/markdown/linkifiers.ts";
import { finderOf, highlightMatches, highlightText } from "../../server/markdown/matches.ts";
import { linksInTopic, renderMarkdown } from "../../server/markdown/render.ts";
import { context, html } from "./examples.ts";
import { allAttacks } from "./xss-corpus.ts";

/** Checks the attributes as a browser reads them. */
function assertHarmless(made: string, attack: string): void {
  assert.ok(isAllowed(made), attack);
  for (const [tag] of made.matchAll(/<[^>]*>/g)) {
    assert.doesNotMatch(
      tag.replace(/"[^"]*"/g, '""'),
      / (?:on\w+|srcdoc|formaction|xlink:href|action)=/i,
      `${attack}: ${tag}`,
    );
    assert.doesNotMatch(
      tag,
      /^<\/?(?:script|iframe|object|embed|style|link|meta|base|form|input|video|audio)/i,
      attack,
    );
    const [, href] = / (?:href|src)="([^"]*)"/.exec(tag) ?? [];
    if (href !== undefined) assert.match(href, /^(?:https?:\/\/|mailto:|tel:|sms:|xmpp:|#|\/(?![/\\]))/i, attack);
  }
}

test("the attack corpus is large and free of duplicates", () => {
  assert.ok(allAttacks.length >= 200);
  assert.equal(new Set(allAttacks).size, allAttacks.length);
});

test("attacks in content are harmless", () => {
  for (const attack of allAttacks) {
    for (const text of [
      attack,
      `x ${attack} y`,
      `> ${attack}`,
      `- ${attack}`,
      `**${attack}**`,
      `[${attack}](https://e.example)`,
    ]) {
      assertHarmless(html(text), text);
    }
  }
});

test("attacks in links, titles, languages and headings are harmless", () => {
  for (const attack of allAttacks) {
    for (const text of [
      `[x](${attack})`,
      `[x](<${attack}>)`,
      `[x](https://e.example "${attack}")`,
      `https://e.example/${attack}`,
      `\`\`\`${attack}\nx\n\`\`\``,
      `\`\`\`spoiler ${attack}\nx\n\`\`\``,
      `$$${attack}$$`,
      `<time:${attack}>`,
    ]) {
      assertHarmless(html(text), text);
    }
  }
});

test("attacks in names and the organization's URL are harmless", () => {
  for (const attack of allAttacks) {
    const hostile: RenderContext = {
      usersByName: () => [{ id: 1, name: attack }],
      userById: () => ({ id: 1, name: attack }),
      groupByName: () => ({ id: 2, name: attack, mayMention: true }),
      channelByName: () => ({ id: 3, name: attack }),
      newestInTopic: () => 4,
      emptyTopicName: attack,
      channelWildcard: true,
      topicWildcard: true,
      defaultCodeLanguage: attack,
      baseUrl: attack,
      alertWords: finderOf([attack]),
    };
    const text = `@**x** @_**|1** @*y* #**z** #**z>** #**z>t** #**z>t@5** https://e.example\n\`\`\`\nx\n\`\`\``;
    const made = renderMarkdown(text, hostile);
    assertHarmless(made.html, attack);
    assert.ok(made.html.includes('class="user-mention"'), attack);
    const topic = attack.replaceAll(/[*\n]/g, "");
    assertHarmless(html(`#**announce>${topic}** #**announce>${topic}@1**`), attack);
  }
});

test("an invalid emoji picture URL is rejected", () => {
  for (const url of ["javascript:alert(1)", "data:image/svg+xml,<svg onload=alert(1)>", "//evil.example/x.png"]) {
    assert.equal(renderMarkdown(":a: *b*", { customEmoji: () => ({ url }) }).html, "<p>:a: *b*</p>");
  }
});

test("attacks through linkifiers and topics are harmless", () => {
  const linkifiers = compileLinkifiers([
    { id: 1, pattern: "TICKET-(?P<x>.+)", url_template: "https://e.example/{+x}" },
    { id: 2, pattern: "(?P<y>\\S*alert\\S*)", url_template: "https://e.example/?{y}" },
  ]);
  for (const attack of allAttacks) {
    assertHarmless(renderMarkdown(`TICKET-${attack} ${attack}`, { ...context, linkifiers }).html, attack);
    for (const { url } of linksInTopic(`TICKET-${attack} ${attack}`, linkifiers))
      assert.match(url, /^https?:\/\//, attack);
  }
});

test("attacks in searches and searched topics are harmless", () => {
  for (const attack of allAttacks) {
    assertHarmless(highlightMatches(html(attack), [attack, "alert", "script", "x"]), attack);
    assertHarmless(highlightText(attack, [attack, "alert", "script", "lt", "amp"]), attack);
  }
});
