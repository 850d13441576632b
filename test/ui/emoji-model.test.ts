import assert from "node:assert/strict";
import test from "node:test";
import { codeToNames } from "../../server/markdown/emoji.ts";
import { emojiGroups } from "../../ui/build/emoji-groups.ts";
import { type EmojiName, findEmoji } from "../../ui/chat/emoji/emoji.ts";
import { tableOf } from "../../ui/chat/emoji/emoji-table.ts";
import { oftenUsed, withUse } from "../../ui/chat/emoji/often-used.ts";
import { characterOf } from "../../ui/parts/emoji-characters.ts";

const table = tableOf(codeToNames(), emojiGroups());
const names = (found: readonly EmojiName[]) => found.map((emoji) => emoji.names[0]);

test("every emoji of the server is in one group", () => {
  const codes = table.all.map(({ code }) => code);
  assert.deepEqual([...codes].sort(), Object.keys(codeToNames()).sort());
  assert.equal(new Set(codes).size, codes.length);
  assert.deepEqual(
    table.groups.map(({ id, emoji }) => [id, emoji[0]?.code]),
    [
      ["smileys", "1f600"],
      ["people", "1f44b"],
      ["nature", "1f435"],
      ["food", "1f347"],
      ["activities", "1f383"],
      ["travel", "1f30d"],
      ["objects", "1f453"],
      ["symbols", "1f3e7"],
      ["flags", "1f3c1"],
    ],
  );
});

test("an emoji without a group is in the last group", () => {
  const { groups } = tableOf({ "1f600": ["grinning"], e000: ["own"] }, { ...emojiGroups(), smileys: ["1f600"] });
  assert.deepEqual(names(groups.at(-1)?.emoji ?? []), ["own"]);
});

test("an exact emoji name comes first", () => {
  assert.equal(names(findEmoji(table.all, "heart", 5))[0], "heart");
  assert.equal(names(findEmoji(table.all, " Thumbs Up ", 5))[0], "+1");
  assert.deepEqual(findEmoji(table.all, "no such thing", 5), []);
  const few = findEmoji(table.all, "a", 7);
  assert.equal(few.length, 7);
  assert.ok(few.every((emoji) => emoji.names.some((name) => name.startsWith("a"))));
});

test("text-style characters request their colored form", () => {
  assert.equal(characterOf("1f44d"), "👍");
  assert.equal(characterOf("2764"), "\u2764\ufe0f");
  assert.equal(characterOf("0031-20e3"), "1\ufe0f\u20e3");
  assert.equal(characterOf("1f1e9-1f1ea"), "🇩🇪");
  assert.equal(characterOf("1f937-200d-2642"), "\u{1f937}\u200d\u2642\ufe0f");
});

test("frequent emoji come before other prefix matches, then fade", () => {
  const all = [...table.all, { code: "7", names: ["ship_it"], picture: "/7.png" }];
  const byName = (name: string) => all.find((emoji) => emoji.names.includes(name)) as EmojiName;
  const begin = names(oftenUsed({}, all, 16));
  assert.deepEqual(begin.slice(0, 3), ["+1", "heart", "joy"]);
  assert.equal(begin.length, 8);
  let uses = withUse(withUse(withUse({}, byName("ship_it")), byName("ship_it")), byName("octopus"));
  assert.deepEqual(names(oftenUsed(uses, all, 4)), ["ship_it", "octopus", "+1", "heart"]);
  for (let use = 0; use < 3; use += 1) uses = withUse(uses, byName("octopus"));
  assert.deepEqual(names(oftenUsed(uses, all, 2)), ["octopus", "ship_it"]);
  for (const emoji of table.all.slice(0, 100)) uses = withUse(uses, emoji);
  assert.equal(Object.keys(uses).length, 64);
  // A deleted emoji is omitted.
  assert.deepEqual(names(oftenUsed({ "realm_emoji 9": 5 }, all, 1)), ["+1"]);
});
