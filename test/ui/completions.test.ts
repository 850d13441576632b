import assert from "node:assert/strict";
import test from "node:test";
import { completionsFor, typedWord } from "../../ui/chat/composer/completion-search.ts";

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
