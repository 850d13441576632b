import assert from "node:assert/strict";
import test from "node:test";
import { completionsFor, typedWord } from "../../ui/chat/composer/completion-search.ts";

test("completes names with characters of the syntax", () => {
  const state = {
    realm_users: [{ user_id: 7, full_name: "all", avatar_url: "" }],
    subscriptions: [{ name: "aa *star*" }, { name: "bb > gt", stream_id: 2 }, { name: "dd", stream_id: 3 }],
    realm_user_groups: [{ name: "grp *x*", is_system_group: false, deactivated: false }],
  } as never;
  const topicsOf = () => ["t *star*", "t **bold**", "t at@5", "t > gt", "R&#38;D"];
  const found = (text: string) =>
    completionsFor(state, { emoji: [], topicsOf }, typedWord(text, text.length) ?? assert.fail(text))[0]?.text;
  assert.equal(found("#aa"), "#**aa &#42;star&#42;**");
  assert.equal(found("#bb > g"), "#**bb &#62; gt**");
  assert.equal(found("#bb > gt>star"), "#**bb &#62; gt>t &#42;star&#42;**");
  assert.equal(found("#**bb &#62; gt** >bold"), "#**bb &#62; gt>t &#42;&#42;bold&#42;&#42;**");
  assert.equal(found("#dd>at"), "#**dd>t at&#64;5**");
  assert.equal(found("#dd>gt"), "#**dd>t > gt**");
  assert.equal(found("#dd>r"), "#**dd>R&#38;#38;D**");
  assert.equal(found("@grp"), "@*grp &#42;x&#42;*");
  assert.equal(found("@al"), "@**all|7**");
});

test("code has no completions", () => {
  const isWord = (text: string, caret = text.length) => typedWord(text, caret) !== undefined;
  for (const text of [
    "```\n@an",
    "~~~py\nx\n :tad",
    "> ```\n> #gen",
    "- ````\n  ```\n  @an",
    "```math\n@an",
    "```\n> ```\n@an",
  ])
    assert.equal(isWord(text), false, text);
  for (const text of ["```\nx\n```\n@an", "```quote\n@an", "```spoiler a b\n@an", "> ```\n\n@an", "`x` @an"])
    assert.equal(isWord(text), true, text);
  assert.equal(isWord("`see @an`", 8), false);
});

test("completes words at the caret", () => {
  const state = {
    realm_users: [
      { user_id: 3, full_name: "Ann Lee", avatar_url: "" },
      { user_id: 4, full_name: "Joanna", avatar_url: "" },
      { user_id: 5, full_name: "Bo", avatar_url: "", email: "bo@example.com" },
      { user_id: 6, full_name: "Bo", avatar_url: "", email: "bo6@example.com" },
      { user_id: 9, full_name: "Zoë Åkesson", avatar_url: "" },
    ],
    subscriptions: [{ name: "general", is_archived: false }],
    realm_emoji: {
      7: { name: "parrot", source_url: "/parrot.gif", deactivated: false },
      8: { name: "parsnip", source_url: "/parsnip.gif", deactivated: true },
    },
    realm_user_groups: [{ name: "annexe", description: "aboard", is_system_group: false, deactivated: false }],
  } as never;
  const emoji = [{ code: "1f389", names: ["tada", "party_popper"] }];
  const found = (text: string) => {
    const word = typedWord(text, text.length);
    return (
      word &&
      completionsFor(state, { emoji, topicsOf: () => ["lunch", "late lunch", "tea"], nearby: () => [9, 6] }, word).map(
        ({ text: whole, hint = "" }) => (hint ? `${whole} ${hint}` : whole),
      )
    );
  };
  assert.deepEqual(found("hello @ann"), ["@**Ann Lee**", "@*annexe* aboard", "@**Joanna**"]);
  assert.deepEqual(found("@bo"), ["@**Bo|6** bo6@example.com", "@**Bo|5** bo@example.com"], "who writes here first");
  assert.deepEqual([found("@ake"), found("@zoe")], [["@**Zoë Åkesson**"], ["@**Zoë Åkesson**"]]);
  assert.equal(found("@a")?.[0], "@**Zoë Åkesson**");
  assert.deepEqual(found("see #gen"), ["#**general**"]);
  assert.deepEqual(found("see #general>lun"), ["#**general>lunch**", "#**general>late lunch**"]);
  assert.deepEqual(found("see #nowhere>lun"), []);
  assert.deepEqual(found("see #general>"), ["#**general>lunch**", "#**general>late lunch**", "#**general>tea**"]);
  for (const text of ["see #**general** >lun", "see #**general**>lun"]) {
    assert.deepEqual(found(text), ["#**general>lunch**", "#**general>late lunch**"]);
    assert.equal(typedWord(text, text.length)?.start, 4);
  }
  assert.equal(found("see #**general** >")?.length, 3);
  assert.equal(found("see #**general** > lunch"), undefined);
  assert.deepEqual(found("/p"), ["/poll", "/ping"]);
  assert.deepEqual(found("great :par"), [":parrot:", ":party_popper:"]);
  for (const text of ["ann@lee", "a # b", "12:30", "@**Ann Lee** hello", "plain", "and /po"])
    assert.deepEqual(found(text) ?? [], [], text);
});
