import assert from "node:assert/strict";
import test from "node:test";
import { emojiCharacter } from "../../server/imports/emoji-names.ts";

test("short names are Unicode emoji", () => {
  const expected = { tada: "🎉", "+1": "👍", thumbsup: "👍", heart: "❤️", "flag-de": "🇩🇪", hash: "#️⃣", rofl: "🤣" };
  for (const [name, character] of Object.entries(expected)) assert.equal(emojiCharacter(name), character, name);
  for (const name of ["party_parrot", "", "constructor", "__proto__", "tada::skin-tone-9"])
    assert.equal(emojiCharacter(name), undefined, name);
});

test("skin tones stay if Unicode has them", () => {
  const expected = {
    "wave::skin-tone-2": "👋🏻",
    thumbsup_medium_dark_skin_tone: "👍🏾",
    "male-technologist::skin-tone-6": "👨🏿‍💻",
    "handshake::skin-tone-3": "🤝🏼",
    "people_holding_hands::skin-tone-2-6": "🧑🏻‍🤝‍🧑🏿",
    "tada::skin-tone-2": "🎉",
    "family::skin-tone-2": "👪",
  };
  for (const [name, character] of Object.entries(expected)) assert.equal(emojiCharacter(name), character, name);
});

test("other sources have other names", () => {
  assert.equal(emojiCharacter("thumbsup_tone1", "joypixels"), "👍🏻");
  assert.equal(emojiCharacter("flag_de", "joypixels"), "🇩🇪");
  assert.equal(emojiCharacter("flag_de"), undefined);
});
