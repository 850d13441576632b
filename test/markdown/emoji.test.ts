import assert from "node:assert/strict";
import test from "node:test";
import { codeToNames, emojiByName, isNameOf, namesOfCode } from "../../server/markdown/emoji.ts";
import { html } from "./examples.ts";

const emoji = (name: string, code: string) => {
  const title = name.replaceAll("_", " ");
  return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`;
};

test("the protocol's emoji names have their standard meaning", () => {
  const codes = {
    "+1": "1f44d",
    thumbs_up: "1f44d",
    tada: "1f389",
    working_on_it: "1f6e0",
    heart: "2764",
    octopus: "1f419",
    check: "2705",
    smile: "1f642",
    frown: "1f641",
    cat: "1f408",
    poop: "1f4a9",
    airplane: "2708",
    hash: "0023-20e3",
    woman_shrugging: "1f937-200d-2640",
    us: "1f1fa-1f1f8",
    flag_andorra: "1f1e6-1f1e9",
    flag_são_tomé_and_príncipe: "1f1f8-1f1f9",
    shrug: "1f937",
    yuèbǐng: "1f96e",
    kiss: "1f48f",
    secret: "1f5dd",
  };
  for (const [name, code] of Object.entries(codes)) assert.deepEqual(emojiByName(name), { name, code });
  const shown = {
    "1f44d": "+1",
    "1f1fa-1f1f8": "flag_united_states",
    "1f937": "shrug",
    "1f937-200d-2640": "woman_shrugging",
    "1f4a9": "poop",
    "1f96e": "moon_cake",
  };
  for (const [code, name] of Object.entries(shown)) assert.equal(namesOfCode(code)[0], name);
  assert.equal(emojiByName("constructor"), undefined);
  assert.equal(emojiByName("skin-tone-2"), undefined);
});

test("emoji names and codes match in the protocol's notation", () => {
  const table = codeToNames();
  const names = new Set<string>();
  for (const [code, list] of Object.entries(table)) {
    assert.match(code, /^[0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*$/);
    assert.ok(!code.includes("fe0f") && list.length > 0, code);
    for (const name of list) {
      assert.ok(!names.has(name), name);
      names.add(name);
      assert.deepEqual(emojiByName(name), { name, code });
    }
  }
  assert.ok(Object.keys(table).length > 1800);
});

test("emoji names are replaced, even side by side", () => {
  assert.equal(
    html(":cat:hello:dog::rabbit: x::y::z :wasted waste: :nothing_such: smiley:smiley:"),
    `<p>${emoji("cat", "1f408")}hello${emoji("dog", "1f415")}${emoji("rabbit", "1f407")} x::y::z :wasted waste: :nothing_such: smiley${emoji("smiley", "1f603")}</p>`,
  );
  assert.equal(html("**:smile:**"), `<p><strong>${emoji("smile", "1f642")}</strong></p>`);
  assert.equal(
    html("[:smile:](https://e.example)"),
    `<p><a href="https://e.example">${emoji("smile", "1f642")}</a></p>`,
  );
});

test("every emoji is found by its names, and as a character except symbols", () => {
  const symbols: string[] = [];
  for (const [code, names] of Object.entries(codeToNames())) {
    const [shown = ""] = names;
    assert.equal(
      html(names.map((name) => `:${name}:`).join(" ")),
      `<p>${names.map((n) => emoji(n, code)).join(" ")}</p>`,
    );
    const written = String.fromCodePoint(...code.split("-").map((hex) => Number.parseInt(hex, 16)));
    if (html(written) !== `<p>${emoji(shown, code)}</p>`) symbols.push(written);
  }
  assert.equal(symbols.sort().join(""), "©®‼⁉™ℹ↔↕↖↗↘↙↩↪");
});

test("a stored name keeps its emoji when another emoji takes the name", () => {
  assert.ok(isNameOf("kiss", "1f48f") && isNameOf("kiss", "1f617") && isNameOf("kissing", "1f617"));
  assert.ok(!isNameOf("kiss", "1f44d") && !isNameOf("no_such_emoji", "1f617"));
  for (const name of ["cricket_bat", "cricket_insect", "person_scientist", "bill", "green_beetle"])
    assert.ok(emojiByName(name), name);
});

test("emoji characters are replaced, text symbols stay text", () => {
  assert.equal(
    html("💩💩 ☺️ ❤"),
    `<p>${emoji("poop", "1f4a9")}${emoji("poop", "1f4a9")} ${emoji("smiling_face", "263a")} ${emoji("heart", "2764")}</p>`,
  );
  assert.equal(
    html("#️⃣ 🤷‍♀️ 🇺🇸"),
    `<p>${emoji("hash", "0023-20e3")} ${emoji("woman_shrugging", "1f937-200d-2640")} ${emoji("flag_united_states", "1f1fa-1f1f8")}</p>`,
  );
  for (const text of ["© ™ ↔ 1 # *", "👍🏽", "🧑🏽🛴x"])
    assert.ok(!html(text).startsWith('<p><span aria-label="+1"'), text);
  assert.equal(html("© ™ ↔ 1 # 👍🏽"), "<p>© ™ ↔ 1 # 👍🏽</p>");
});

test("custom emoji are pictures and override standard names", () => {
  assert.equal(
    html(":green_tick:"),
    '<p><img alt=":green_tick:" class="emoji" src="/user_avatars/2/emoji/images/1.png" title="green tick"></p>',
  );
  assert.match(html(":smile:", { customEmoji: () => ({ url: "/x.png" }) }), /^<p><img alt=":smile:"/);
});

test("emoticons are converted where the sender's setting says so", () => {
  const translateEmoticons = true;
  assert.equal(html(":) <3"), "<p>:) &lt;3</p>");
  assert.equal(
    html(":) foo :( bar <3 :).", { translateEmoticons }),
    `<p>${emoji("smile", "1f642")} foo ${emoji("frown", "1f641")} bar ${emoji("heart", "2764")} ${emoji("smile", "1f642")}.</p>`,
  );
  assert.equal(
    html(":| :/", { translateEmoticons }),
    `<p>${emoji("neutral", "1f610")} ${emoji("confused", "1f615")}</p>`,
  );
  assert.equal(
    html("a:) ;)b `:)` http://x", { translateEmoticons }),
    '<p>a:) ;)b <code>:)</code> <a href="http://x">http://x</a></p>',
  );
});
