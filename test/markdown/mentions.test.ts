import assert from "node:assert/strict";
import test from "node:test";
import { renderMarkdown } from "../../server/markdown/render.ts";
import { html, render } from "./examples.ts";

const nobody = {
  userIds: [],
  groupIds: [],
  channelWildcard: false,
  topicWildcard: false,
  silentUserIds: [],
  silentGroupIds: [],
  refusedGroupIds: [],
};

test("people are mentioned by name, ID or both", () => {
  assert.deepEqual(render("@**King Lear** @**king lear|9** @**|7**").mentions, { ...nobody, userIds: [9, 7] });
  assert.equal(html("@**king lear**"), '<p><span class="user-mention" data-user-id="9">@King Lear</span></p>');
  assert.deepEqual(render("@**Pipe | Person|3**").mentions.userIds, [10], "a name may look like one with an ID");
});

test("an ambiguous name refers to the oldest account", () => {
  assert.deepEqual(render("@**Iago**").mentions.userIds, [7]);
  assert.deepEqual(render("@**Iago|12**").mentions.userIds, [12]);
  assert.deepEqual(render("@**Iago|9**").mentions, nobody, "another's ID");
});

test("silent and quoted mentions notify nobody", () => {
  assert.equal(html("@_**King Lear**"), '<p><span class="user-mention silent" data-user-id="9">King Lear</span></p>');
  for (const text of [
    "> @**King Lear** @*support* @**all**",
    "```quote\n@**King Lear** @*support*\n```",
    "- > @**|9** @*support*",
  ]) {
    assert.deepEqual(render(text).mentions, { ...nobody, silentUserIds: [9], silentGroupIds: [17] }, text);
    assert.ok(html(text).includes('<span class="user-mention silent" data-user-id="9">King Lear</span>'));
  }
  assert.deepEqual(render("> quoted\n\n@**King Lear**").mentions.userIds, [9], "after the quote");
  assert.deepEqual(render("```spoiler x\n@**King Lear**\n```").mentions.userIds, [9], "a spoiler is no quote");
});

test("group mentions need permission unless they are silent", () => {
  assert.equal(html("@*support*"), '<p><span class="user-group-mention" data-user-group-id="17">@support</span></p>');
  assert.deepEqual(render("@*support*").mentions, { ...nobody, groupIds: [17] });
  const refused = render("@*leaders*");
  assert.deepEqual(refused.mentions, { ...nobody, refusedGroupIds: [18] });
  assert.equal(refused.html, "<p>@<em>leaders</em></p>");
  assert.equal(
    html("@_*role:administrators*"),
    '<p><span class="user-group-mention silent" data-user-group-id="5">Administrators</span></p>',
  );
  assert.deepEqual(render("> @*leaders*").mentions, { ...nobody, silentGroupIds: [18] });
});

test("wildcard mentions depend on the context", () => {
  for (const name of ["all", "everyone", "channel", "stream"]) {
    assert.deepEqual(render(`@**${name}**`).mentions, { ...nobody, channelWildcard: true });
    const mention = `<span class="user-mention channel-wildcard-mention" data-user-id="*">@${name}</span>`;
    assert.equal(html(`@**${name}**`), `<p>${mention}</p>`);
  }
  assert.equal(html("@**topic**"), '<p><span class="topic-mention">@topic</span></p>');
  assert.deepEqual(render("@**topic**").mentions, { ...nobody, topicWildcard: true });
  assert.deepEqual(render("@_**all** @_**topic**").mentions, nobody);
  assert.equal(html("@**all**", { channelWildcard: false }), "<p>@<strong>all</strong></p>");
});

test("code, partial words and unknown names do not mention", () => {
  for (const text of [
    "`@**King Lear**`",
    "```\n@**King Lear**\n```",
    "x@**King Lear**",
    "@**Nobody**",
    "@King Lear",
    "@** King Lear**",
  ]) {
    assert.deepEqual(render(text).mentions, nobody, text);
  }
  assert.equal(html("@**Nobody**"), "<p>@<strong>Nobody</strong></p>");
  assert.deepEqual(render('(@**King Lear**) "@**|7**"').mentions.userIds, [9, 7]);
  assert.deepEqual(render("[@**King Lear**](https://e.example)").mentions.userIds, [9], "a link's text may mention");
});

test("a text without a context mentions nobody", () => {
  const alone = renderMarkdown("@**King Lear** @*support* @**all** #**announce** :green_tick: #1");
  assert.deepEqual(alone.mentions, nobody);
  assert.ok(!alone.html.includes("mention"));
});

test("text shown as typed mentions nobody", () => {
  const deep = render(`${"> ".repeat(30)}x\n\n@**King Lear**`);
  assert.ok(deep.html.startsWith("<p>&gt; &gt;"));
  assert.deepEqual(deep.mentions, nobody);
});

test("each name is looked up once", () => {
  let asked = 0;
  const usersByName = () => {
    asked++;
    return [];
  };
  render("@**Somebody** ".repeat(500), { usersByName });
  assert.equal(asked, 1);
});
