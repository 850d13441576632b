/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import type { RenderContext } from "../../server/markdown/context.ts";
import { compileLinkifiers } from "../../server/markdown/linkifiers.ts";
import { highlightMatches, highlightText } from "../../server/markdown/matches.ts";
import { linksInTopic, renderMarkdown } from "../../server/markdown/render.ts";
import { allAttacks } from "../markdown/xss-corpus.ts";
import { intercept, visit } from "../support/browser.ts";

// A real browser shows the stored HTML of messages without a Content-Security-Policy. The rendering alone must be safe,
// since other clients show it too.

const escaped = (text: string) => highlightText(text, []);

/** People, channels, groups and emoji with the attack as their name, so that it appears in the rendered HTML. */
const named = (name: string): RenderContext => ({
  usersByName: () => [{ id: 7, name }],
  userById: () => ({ id: 7, name }),
  groupByName: () => ({ id: 8, name, mayMention: true }),
  channelByName: () => ({ id: 9, name }),
  emptyTopicName: name,
  customEmoji: () => ({ url: `/picture/${name}` }),
  linkifiers: compileLinkifiers([{ id: 1, pattern: "LINK(?P<it>.+)", url_template: "https://link.example/{it}" }]),
});

function* rendered(attack: string): Generator<string> {
  const texts = [
    attack,
    `> ${attack}`,
    `- **${attack}**`,
    `[${attack}](https://e.example)`,
    `[x](${attack})`,
    `[x](https://e.example "${attack}")`,
    `\`\`\`${attack}\n${attack}\n\`\`\``,
    `\`\`\`spoiler ${attack}\n${attack}\n\`\`\``,
    `$$${attack}$$`,
    `<time:${attack}>`,
    `LINK${attack}`,
    `| ${attack} | b |\n|---|---|\n| a | ${attack} |`,
  ];
  for (const text of texts) yield renderMarkdown(text).html;
  for (const text of [`@**${attack}**`, `@_**${attack}|7**`, "@*group*", "#**channel**", "#**channel>topic**", ":own:"])
    yield renderMarkdown(text, named(attack)).html;
  const own = renderMarkdown(attack).html;
  yield highlightMatches(own, ["alert", "script", "x"]);
  yield highlightText(attack, ["alert", "script"]);
  for (const { text, url } of linksInTopic(`LINK${attack}`, named("x").linkifiers ?? []))
    yield `<a href="${escaped(url)}">${escaped(text)}</a>`;
}

test("no attack runs code in a browser", async (t) => {
  const { page } = await visit(t, "about:blank", {
    before: "for (const name of ['alert', 'confirm', 'prompt']) window[name] = () => (window.fired = true)",
  });
  const requests: string[] = [];
  await intercept(page, "**/*", (route) => {
    const url = route.request().url();
    if (url === "http://hearth.example/") return route.fulfill({ contentType: "text/html", body: "<body></body>" });
    // The picture of a custom emoji is the one allowed request.
    if (!url.startsWith("http://hearth.example/picture/")) requests.push(url);
    return route.abort();
  });
  await page.goto("http://hearth.example/");
  const pieces = allAttacks.flatMap((attack) => [...rendered(attack)].map((html) => ({ attack, html })));
  assert.ok(pieces.length > 4000);
  for (let first = 0; first < pieces.length; first += 400) {
    const batch = pieces.slice(first, first + 400);
    const body = batch.map(({ html }) => `<div class="piece">${html}</div>`).join("");
    await page.setContent(`<!doctype html><body>${body}</body>`, { waitUntil: "load" });
    const found = await page.evaluate(() => ({
      fired: "fired" in window,
      pieces: [...document.body.children].filter(({ className }) => className === "piece").length,
      others: [...document.body.children].filter(({ className }) => className !== "piece").length,
      elements: [...document.querySelectorAll("*")].flatMap((element) => {
        const handlers = element
          .getAttributeNames()
          .filter((name) => /^on|^(srcdoc|formaction|action|ping)$/.test(name));
        const isForbidden = /^(script|iframe|object|embed|style|link|meta|base|form|input|video|audio|svg)$/i.test(
          element.localName,
        );
        const leads = element instanceof HTMLAnchorElement ? element.protocol : "https:";
        const isSafe = ["http:", "https:", "mailto:", "tel:", "sms:", "xmpp:", ":", ""].includes(leads);
        const inHead = element.closest("head") !== null;
        return handlers.length > 0 || (isForbidden && !inHead) || !isSafe ? [element.outerHTML.slice(0, 300)] : [];
      }),
    }));
    assert.deepEqual(found, { fired: false, pieces: batch.length, others: 0, elements: [] });
  }
  assert.deepEqual(requests, []);
});

test("the browser runs attacks that are rendered unsafely", async (t) => {
  const { page } = await visit(t, "about:blank", { before: "window.alert = () => (window.fired = true)" });
  await page.setContent("<div><img src=x: onerror=alert(1)></div>", { waitUntil: "load" });
  await page.waitForFunction(() => "fired" in window);
});
